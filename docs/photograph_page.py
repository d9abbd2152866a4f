"""Photograph the attention page in Chromium, for README.md and docs/."""

import argparse
import shutil
from pathlib import Path

from tf_models.command_line import Parser, run
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable

EXAMPLES = """\
  python docs/photograph_page.py --output page.png
      the committed page, in the state that the docs show
  python docs/photograph_page.py --page page.html --state '#view="beam"' --output beam.png
      another page, in the state that its address holds"""

PAGE = Path(__file__).with_name("attention-page.html")
STATE = ""  # it opens where "es" looks
WIDTH, HEIGHT = 1280, 1400  # pixels
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--page", type=Path, default=PAGE, help="default: docs/attention-page.html")
    parser.add_argument("--state", default=STATE, help="what follows the page in its address")
    parser.add_argument("--output", type=Path, required=True, metavar="F.png")
    return parser


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
        page.screenshot(path=temporary)
        chromium.close()
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
