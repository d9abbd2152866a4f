"""The site: MkDocs makes it without a warning, it needs no network, and its search finds answers.

It is opened from the file system, where no server helps it.
"""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.chromium import chromium  # noqa: F401

pytestmark = pytest.mark.site
ROOT = Path(__file__).resolve().parents[1]
FETCHED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^\s>]+")
STYLES = re.compile(r"<link\b[^>]*\brel=[\"']?(?:stylesheet|preload|icon|preconnect)\b[^>]*>")
PATIENCE = 300_000  # milliseconds: others keep the cores busy
SHOWN = 3  # results of a search that a reader looks at
# What a reader asks, and the page that answers.
QUESTIONS = {
    "train on my own file": "docs/training.html",
    "which head looks at the noun": "docs/heads.html",
    "MultiHeadAttention": "reference/transformer/attention.html",
    "nat": "notebooks/11_vae.html",
    "resume training": "docs/training.html",
    "draw one head": "docs/decoding.html",
    "differs from the tutorial": "docs/deviations.html",
    "mask 1 blocked": "notebooks/03_positions_and_masks.html",
    "my own images": "docs/autoencoders.html",
    "Windows": "docs/troubleshooting.html",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Folder of the site."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=quiet, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def browse(chromium):  # noqa: F811
    """browse(): a page of a browser; when all tests are over, none has needed a network."""
    asked, wrong = [], []

    def opened():
        page = chromium.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return page

    yield opened
    assert not wrong
    assert {url.partition(":")[0] for url in asked} <= {"file", "data", "blob", "about"}


def test_every_page_of_the_repository_is_a_page_of_the_site(site):
    for source in [*ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/*.ipynb")]:
        path = source.relative_to(ROOT).with_suffix(".html")
        assert (site / path).is_file(), path


def test_no_page_fetches_anything_from_the_network(site):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not FETCHED.findall(text), path
        assert not [link for link in STYLES.findall(text) if "//" in link], path


def test_fields_of_a_class_are_a_list(monkeypatch):
    pytest.importorskip("griffe")
    monkeypatch.syspath_prepend(ROOT / "docs" / "site")
    docstrings = importlib.import_module("docstrings")

    before = "An answer.\n\ntext: of\n    the answer.\nsteps, weights: of attention.\n\nIt: is so."
    assert docstrings.with_headings(before) == (
        "An answer.\n\nAttributes:\n    text: of\n        the answer.\n"
        "    steps, weights: of attention.\n\nIt: is so."
    )


def test_the_translator_on_one_page_is_embedded(browse, site):
    if not (site / "docs" / "attention-page.html").exists():
        pytest.skip("python scripts/view_attention.py --output docs/attention-page.html makes it")
    page = browse()
    page.goto((site / "look-inside.html").as_uri())
    page.frame_locator("iframe.embedded").locator("#self-check[data-good]").wait_for()


@pytest.fixture(scope="module")
def search(browse, site):
    """search(question): the pages that it finds first; the index is read once for all."""
    page = browse()
    page.goto((site / "index.html").as_uri())
    box = page.get_by_role("textbox", name="Search")
    results = page.locator(".md-search-result__item > a")
    box.click()

    def found(question):
        for words, first in (("", "detached"), (question, "visible")):
            box.fill(words)
            box.press("End")  # it listens to keys
            results.first.wait_for(state=first)
        links = [result.get_attribute("href") for result in results.all()[:SHOWN]]
        return [link.partition(f"{site.as_uri()}/")[2].partition("?")[0] for link in links]

    return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_one_search_leads_to_the_answer(search, question):
    assert QUESTIONS[question] in search(question)
