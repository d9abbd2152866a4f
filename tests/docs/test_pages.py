"""README, CONTRIBUTING and docs/: links, pictures and code that a reader would try."""

import re
from pathlib import Path

import pytest

from tests.support.eager import eagerly

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "notebooks" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "research").rglob("README.md")),
]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PROJECT_PATH = re.compile(r"(?:tf_models|scripts|research|tests|docs|notebooks)/[\w/.-]*")


def text_of(page):
    return page.read_text(encoding="utf-8")


def links_of(page):
    """Paths and anchors, relative to the page."""
    prose = INLINE.sub("", FENCED.sub("", text_of(page)))
    targets = [path or source for path, source in LINK.findall(prose)]
    return [target for target in targets if "://" not in target]


def anchors_of(page):
    """As GitHub makes them from headings."""
    headings = HEADING.findall(FENCED.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


# --- links and pictures


@each_page
def test_links_lead_somewhere(page):
    for target in links_of(page):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":  # those of notebooks: tests/notebooks/test_rows.py
            assert anchor in anchors_of(there), target


@each_page
def test_paths_that_are_named_exist(page):
    named = {span for span in INLINE.findall(text_of(page)) if PROJECT_PATH.fullmatch(span)}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_picture_is_made_by_the_one_command_and_shown(make_images):
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in links_of(page)
        if target.endswith((".png", ".gif"))
    }
    made = {IMAGES / make_images.file_name(name) for name in make_images.ALL}

    assert set(IMAGES.iterdir()) == shown == made


def test_every_script_and_every_page_is_in_the_readme():
    scripts = {path.name for path in (ROOT / "scripts").glob("*.py")}
    assert scripts <= set(INLINE.findall(text_of(README)))
    opened = {target.partition("#")[0] for target in links_of(README)}
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= opened


# --- code


MARKED = re.compile(r"<!-- runs in tests/docs/test_pages.py -->\n```python\n(.*?)```", re.DOTALL)
BLOCKS = [
    pytest.param(code, marks=pytest.mark.slow if "Translator(" in code else ())
    for page in PAGES
    for code in MARKED.findall(text_of(page))
]


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.split("import ")[-1][:20])
def test_code_runs_and_prints_what_it_says(code, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quick = re.sub(r"epochs=\d+", "epochs=1", code).replace("[:3000]", "[:100]")
    with eagerly():
        exec(compile(quick, "a page", "exec"), {})  # noqa: S102 - it is ours

    printed = capsys.readouterr().out
    for expected in re.findall(r"^print.*  # (\(.*)$", code, re.MULTILINE):
        assert expected in printed
