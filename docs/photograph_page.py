"""Photograph the attention page in Chromium, for README.md and docs/."""

import argparse
import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tf_models.cli.command_line import quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.files import atomic_path

EXAMPLES = """\
  python docs/photograph_page.py --output page.png
      the page of the package's translator, in the state that it opens with
  python docs/photograph_page.py --page page.html --state '#view="beam"' --output beam.png
      another page, in the state that its address holds
  python docs/photograph_page.py --click "switch head 3 off" --output off.gif
      an animated picture: before, and after the click"""

WIDTH, HEIGHT = 1280, 800  # pixels: the first screen of a laptop
SECONDS = 5  # that each picture of an animated one stands
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def make_parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=plain)
    parser.add_argument("--page", type=Path, help="default: made of the package's translator")
    parser.add_argument("--state", default="", help="what follows the page in its address")
    parser.add_argument(
        "--click",
        metavar="NAME",
        help="the name of a button: an animated picture (F.gif) of before and after",
    )
    parser.add_argument("--output", type=Path, required=True, metavar="F.png")
    return parser


def main() -> None:
    arguments = make_parser().parse_args()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise InputError("there is no Chromium; install it (apt install chromium)")
    path = arguments.page or made_page()
    with sync_playwright() as playwright, atomic_path(arguments.output) as temporary:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(path.resolve().as_uri() + arguments.state)
        page.locator("#self-check[data-good=true]").wait_for()
        first, *others = photographs(page, arguments.click)
        animated = {"append_images": others, "duration": 1000 * SECONDS, "loop": 0}
        first.save(temporary, **({"save_all": True, **animated} if others else {}))
        chromium.close()
    print(arguments.output)


def made_page() -> Path:
    """A file with the page of the package's translator."""
    with quiet_tensorflow():
        from tf_models.translation.page.page import make_page
        from tf_models.translation.settings import RUN_DIR
        from tf_models.translation.translate import ready_made
    path = Path(tempfile.mkdtemp()) / "page.html"
    page = make_page(ready_made(), name="the translator of the package", run_dir=RUN_DIR)
    path.write_text(page.html, encoding="utf-8")
    return path


def photographs(page, click: str | None) -> Iterator[Image.Image]:
    """Yield the page, and once more after a click on the button of this name."""
    yield Image.open(io.BytesIO(page.screenshot()))
    if click:
        page.get_by_role("button", name=click, exact=True).click()
        page.evaluate("scrollTo(0, 0)")
        yield Image.open(io.BytesIO(page.screenshot()))


if __name__ == "__main__":
    run(main)
