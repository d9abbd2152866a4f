"""Photograph the attention page in Chromium, for README.md and docs/."""

import argparse
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from tf_models.command_line import run
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable

EXAMPLES = """\
  python docs/photograph_page.py --output page.png
      the committed page, in the state that the docs show
  python docs/photograph_page.py --page page.html --state '#view="beam"' --output beam.png
      another page, in the state that its address holds
  python docs/photograph_page.py --click "switch head 3 off" --output off.gif
      an animated picture: before, and after the click"""

PAGE = Path(__file__).with_name("attention-page.html")
STATE = ""  # it opens where "es" looks
WIDTH, HEIGHT = 1280, 1400  # pixels
SECONDS = 5  # that each picture of an animated one stands
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def make_parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"examples:\n{EXAMPLES}", formatter_class=layout
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="default: docs/attention-page.html")
    parser.add_argument("--state", default=STATE, help="what follows the page in its address")
    parser.add_argument(
        "--click",
        metavar="NAME",
        help="the name of a button: an animated picture (F.gif) of before and after",
    )
    parser.add_argument("--output", type=Path, required=True, metavar="F.png")
    return parser


def photographs(page, click: str | None) -> Iterator[Image.Image]:
    """Yield the page, and once more after a click on the button of this name."""
    yield Image.open(io.BytesIO(page.screenshot()))
    if click:
        page.get_by_role("button", name=click, exact=True).click()
        page.wait_for_timeout(1000 * SECONDS)  # for what is computed
        page.evaluate("scrollTo(0, 0)")
        yield Image.open(io.BytesIO(page.screenshot()))


def main(arguments: argparse.Namespace) -> None:
    if not arguments.page.is_file():
        raise InputError(f"no page at {arguments.page}; view_attention.py writes one")
    check_writable(arguments.output)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise InputError("there is no Chromium; install it (apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise InputError('there is no Playwright; pip install -e ".[test]"') from error
    with sync_playwright() as playwright, atomic_path(arguments.output) as temporary:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(arguments.page.resolve().as_uri() + arguments.state)
        page.locator("#self-check[data-good=true]").wait_for()
        first, *others = photographs(page, arguments.click)
        animated = {
            "save_all": True,
            "append_images": others,
            "duration": 1000 * SECONDS,
            "loop": 0,
        }
        first.save(temporary, **(animated if others else {}))
        chromium.close()
    print(arguments.output)


if __name__ == "__main__":
    run(lambda: main(make_parser().parse_args()))
