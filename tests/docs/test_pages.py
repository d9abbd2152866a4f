"""README, CONTRIBUTING and docs/: links, pictures, commands and code that a reader would try."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from tests.docs.conftest import load_file
from tests.support.commands import understand
from tests.support.eager import eagerly

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "notebooks" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "research").glob("*/README.md")),
]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PROJECT_PATH = re.compile(r"(?:tf_models|scripts|research|tests|docs|notebooks)/[\w/.-]*")
COMMAND = re.compile(r"python ((scripts|docs)/\w+\.py|-m research\.[\w.]+)|tf-models [a-z]")
REDIRECTIONS = ("<", ">", "|", "#")


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


def commands_of(page):
    """The commands of a page that run code of the project, each as its words."""
    text = text_of(page)
    blocks = [code for language, code in FENCED.findall(text) if language == "bash"]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    lines += INLINE.findall(FENCED.sub("", text))
    calls = (part.strip() for line in lines for part in line.split("&&"))
    return [words_of(call) for call in calls if re.match(COMMAND, call)]


def words_of(command):
    """The words of a command up to a comment or a redirection."""
    words = shlex.split(command, comments=True)
    ends = [i for i, word in enumerate(words) if word in REDIRECTIONS]
    return words[: ends[0]] if ends else words


def parse(words):
    """Parse a command as its script does; it exits on what it does not know."""
    if words[0] == "tf-models" or words[1].startswith("scripts/"):
        return understand(words)
    if words[1] == "-m":
        package = importlib.util.find_spec(words[2]).submodule_search_locations is not None
        name = f"{words[2]}.__main__" if package else words[2]
        module, options = importlib.import_module(name), words[3:]
    else:
        module, options = load_file(ROOT / words[1]), words[2:]
    return module.make_parser().parse_args(options)


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
    made = {IMAGES / make_images.file_name(name) for name in make_images.PICTURES}

    assert set(IMAGES.iterdir()) == shown == made


# --- commands


@each_page
def test_commands_are_understood(page):
    for words in commands_of(page):
        try:
            parse(words)
        except SystemExit as end:
            if end.code:  # --help ends without one
                pytest.fail(shlex.join(words))


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
