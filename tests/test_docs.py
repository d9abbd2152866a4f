"""README, CONTRIBUTING and docs/: links, pictures, commands and code that a reader would try."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from tests.support.commands import understand
from tests.support.eager import eagerly
from tf_models.data.pairs import IT_STANDS_FOR
from tf_models.translation.attention import attention_maps
from tf_models.translation.translate import ready_made

ROOT = Path(__file__).resolve().parents[1]
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
# "head 3.2 of cross-attention gives *animal* 0.61 of its attention while it writes *es*"
CLAIM = re.compile(
    r"[Hh]ead (\d)\.(\d)(?: \(layer\.head\))? of (?:the )?(encoder|cross-attention) "
    r"gives \*(\w+)\* (0\.\d+) of its attention while it (?:reads|writes) \*(\w+)\*"
)


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


def load_file(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make_images():
    return load_file(ROOT / "docs" / "make_images.py")


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
    assert text_of(make_images.GALLERY) == make_images.gallery(), "run docs/make_images.py"


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


def test_commands_that_make_the_pictures_are_understood(make_images, tmp_path):
    for name in make_images.RUNS:
        parse(make_images.run_command(name, tmp_path))
    for name, picture in make_images.PICTURES.items():
        if picture.command:  # otherwise the run draws it
            parse([*shlex.split(picture.command), "--output", make_images.file_name(name)])


# --- code


MARKED = re.compile(r"<!-- runs in tests/test_docs.py -->\n```python\n(.*?)```", re.DOTALL)
BLOCKS = [code for page in PAGES for code in MARKED.findall(text_of(page))]


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.split("import ")[-1][:20])
def test_code_runs_and_prints_what_it_says(code, capsys):
    quick = re.sub(r"epochs=\d+", "epochs=1", code)
    with eagerly():
        exec(compile(quick, "a page", "exec"), {})  # noqa: S102 - it is ours

    printed = capsys.readouterr().out
    for expected in re.findall(r"^print.*  # (\(.*)$", code, re.MULTILINE):
        assert expected in printed


# --- heads that the text names


@pytest.mark.slow
def test_each_head_gives_as_much_as_the_text_says():
    claims = {claim for page in PAGES for claim in CLAIM.findall(text_of(page))}
    assert claims
    translator = ready_made()
    sentences = {noun: sentence for sentence, noun in IT_STANDS_FOR.items()}
    for layer, head, kind, noun, share, word in claims:
        kind = kind.removesuffix("-attention")
        maps = attention_maps(translator, sentences[noun], kind=kind, words=True)
        weights = maps.weights[int(layer) - 1, int(head) - 1]
        weight = weights[maps.rows.index(word), maps.columns.index(noun)]
        assert weight == pytest.approx(float(share), abs=0.005), (layer, head, kind, noun)
