"""Time what a reader of the attention page waits for, in Chromium."""

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from research.options import Parser, run
from tf_models.errors import InputError

EXAMPLES = """\
  python -m research.benchmarks.page
      of docs/attention-page.html
  python -m research.benchmarks.page --page view.html --rounds 5
      of another page"""
SHORT = "The animal didn't cross the street because it was too tired."
LONG = (
    "The old dog sleeps because the animal didn't cross the street, and the little girl who lives "
    "in the house was too tired, and my father reads a book, and the cat drinks milk, and my "
    "mother is in the kitchen, and we have a car."
)
# Shows a state and waits until it is drawn: the milliseconds.
SHOW = """async (patch) => {
    const start = performance.now();
    await attentionPage.set(patch);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
}"""
FORGET = """() => {
    attentionPage.asking.answers.results.clear();
    return attentionPage.asking.computer.ask({ name: 'forget' });
}"""
TASK = "ThreadControllerImpl::RunTask"


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument(
        "--page", type=Path, default=Path("docs/attention-page.html"), metavar="FILE"
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        raise InputError("no Chromium: apt install chromium")
    if arguments.rounds < 1:
        raise InputError(f"--rounds must be at least 1; received {arguments.rounds}")
    print(f"least of {arguments.rounds} rounds, in ms; of the processor in brackets\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(arguments.page.resolve().as_uri())
        page.locator("#self-check[data-good=true]").wait_for()
        for name, before, patch in _situations(page):
            rounds = [_time(browser, page, before, patch) for _ in range(arguments.rounds)]
            drawn, longest, of_processor = (min(values) for values in zip(*rounds, strict=True))
            print(
                f"{name:40s} drawn after {drawn:6.0f}, "
                f"longest task {longest:5.0f} ({of_processor:.0f})",
                flush=True,
            )


def _situations(page: Any) -> list[tuple[str, dict, dict]]:
    """For each thing to be timed its name, the state before it, and what changes."""
    heads = {"view": "heads", "kind": "cross", "off": [], "edits": []}
    short, long = {**heads, "source": SHORT}, {**heads, "source": LONG}
    other, off = {"source": "The dog sleeps."}, {"off": ["cross 1 0"]}
    count = page.evaluate("(text) => attentionPage.tokenizers.source.encode(text).length", LONG)
    found = [
        ("animal sentence: translate", {**short, **other}, {"source": SHORT}),
        ("animal sentence: head off", short, off),
        (f"{count} tokens: translate", {**long, **other}, {"source": LONG}),
    ]
    for view in page.evaluate("attentionPage.views.map(({ name }) => name)"):
        more = {"second": LONG.replace("old", "little")} if view == "pair" else {}
        found.append((f"{count} tokens: {view}", long, {"view": view, **more}))
        found.append((f"{count} tokens: {view}, head off", {**long, "view": view, **more}, off))
    return found


def _time(browser: Any, page: Any, before: dict, patch: dict) -> tuple[float, float, float]:
    """Milliseconds until it is drawn; of the longest task by the clock and of the processor."""
    page.evaluate(FORGET)  # so that nothing of the patch is known
    page.evaluate(SHOW, before)
    browser.start_tracing(page=page, categories=["toplevel"])
    drawn = page.evaluate(SHOW, patch)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event
        for event in events
        if event["name"] == TASK and (event["pid"], event["tid"]) in mains and "dur" in event
    ]
    longest = max(task["dur"] for task in tasks)
    of_processor = max(task.get("tdur", 0) for task in tasks)
    return drawn, longest / 1000, of_processor / 1000


if __name__ == "__main__":
    run(make_parser(), main)
