"""Time what a reader of the attention page waits for, in Chromium."""

import argparse
import shutil
from pathlib import Path
from typing import Any

from tf_models.command_line import Parser, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/view_attention.py --output page.html
  python -m research.benchmarks.page --page page.html --rounds 5"""
SHORT = "The animal didn't cross the street because it was too tired."
LONG = (
    "The old dog sleeps because the animal didn't cross the street, and the little girl who lives "
    "in the house was too tired, and my father reads a book, and the cat drinks milk, and my "
    "mother is in the kitchen, and we have a car."
)
# Shows a state after another, and waits until it is drawn: the milliseconds.
SHOW = """async ([before, patch]) => {
    attentionPage.translator.results.clear();
    attentionPage.set(before);
    const start = performance.now();
    attentionPage.set(patch);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
}"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--page", type=Path, required=True, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        raise InputError("no Chromium: apt install chromium")
    print(f"least of {arguments.rounds} rounds, in ms\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(arguments.page.resolve().as_uri())
        page.locator("#self-check[data-good=true]").wait_for()
        for name, before, patch in _situations(page):
            times = [page.evaluate(SHOW, [before, patch]) for _ in range(arguments.rounds)]
            print(f"{name:40s} drawn after {min(times):6.0f}", flush=True)


def _situations(page: Any) -> list[tuple[str, dict, dict]]:
    """For each thing to be timed its name, the state before it, and what changes."""
    heads = {"view": "heads", "kind": "cross", "off": [], "edits": []}
    short, long = {**heads, "source": SHORT}, {**heads, "source": LONG}
    other, off = {"source": "The dog sleeps."}, {"off": ["cross 1 0"]}
    count = page.evaluate("(text) => attentionPage.translator.encodeSource(text).length", LONG)
    found: list[tuple[str, dict, dict]] = [
        ("animal sentence: translate", {**short, **other}, {"source": SHORT}),
        ("animal sentence: head off", short, off),
        (f"{count} tokens: translate", {**long, **other}, {"source": LONG}),
    ]
    for view in page.evaluate("attentionPage.views.map(({ name }) => name)"):
        more = {"second": LONG.replace("old", "little")} if view == "pair" else {}
        found.append((f"{count} tokens: {view}", long, {"view": view, **more}))
    return found


if __name__ == "__main__":
    run(make_parser(), main)
