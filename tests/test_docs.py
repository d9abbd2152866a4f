"""README, CONTRIBUTING and docs/: links, pictures, commands and code that a reader would try."""

import importlib.util
import re
import shlex
import types
from pathlib import Path

import pytest
from PIL import Image

from tests.support.commands import understand
from tests.support.eager import eagerly
from tf_models.data.sentences import IT_STANDS_FOR
from tf_models.errors import InputError
from tf_models.tasks.translation.attention import attention_maps
from tf_models.tasks.translation.ready_made import ready_made

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "notebooks" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "research").glob("*/README.md")),
]
RUNNABLE = "<!-- runs in tests/test_docs.py -->\n"

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PROJECT_PATH = re.compile(r"(?:tf_models|scripts|research|tests|docs|notebooks)/[\w/.-]*")
COMMAND = re.compile(r"python ((scripts|docs)/\w+\.py|-m research\.[\w.]+)|tf-models [a-z]")
# "head 3.2 of cross-attention gives *animal* 0.61 of its attention while it writes *es*"
CLAIM = re.compile(
    r"[Hh]ead (\d)\.(\d)(?: \(layer\.head\))? of (?:the )?(encoder|cross-attention) "
    r"gives \*(\w+)\* (0\.\d+) of its attention while it (?:reads|writes) \*(\w+)\*"
)
REDIRECTIONS = ("<", ">", "|", "#")


def text_of(page):
    return page.read_text(encoding="utf-8")


def links_of(page):
    """Paths and anchors, relative to the page."""
    prose = INLINE.sub("", FENCED.sub("", text_of(page)))
    targets = [one or other for one, other in LINK.findall(prose)]
    return [target for target in targets if "://" not in target]


def anchors_of(page):
    """As GitHub makes them from headings."""
    headings = HEADING.findall(FENCED.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def commands_of(page):
    """What the page tells a reader to type that calls Python code of the project."""
    text = text_of(page)
    blocks = [code for language, code in FENCED.findall(text) if language == "bash"]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    lines += INLINE.findall(FENCED.sub("", text))
    calls = (part.strip() for line in lines for part in line.split("&&"))
    return [call for call in calls if re.match(COMMAND, call)]


def words_of(command):
    """The words of a command up to a comment or a redirection."""
    words = shlex.split(command, comments=True)
    ends = [i for i, word in enumerate(words) if word in REDIRECTIONS]
    return words[: ends[0]] if ends else words


def load_file(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parse(words):
    """Parse a command as its script does; it exits on what it does not know."""
    if words[0] == "tf-models" or words[1].startswith("scripts/"):
        understand(words)
    elif words[1] == "-m":
        module_of(words[2]).make_parser().parse_args(words[3:])
    else:
        load_file(ROOT / words[1]).make_parser().parse_args(words[2:])


def module_of(name):
    """The module that `python -m` runs."""
    package = importlib.util.find_spec(name).submodule_search_locations is not None
    return importlib.import_module(f"{name}.__main__" if package else name)


@pytest.fixture(scope="module")
def make_images():
    return load_file(ROOT / "docs" / "make_images.py")


# --- links and pictures


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in links_of(page):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":  # those of notebooks: tests/notebooks/test_rows.py
            assert anchor in anchors_of(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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
    pictures = set(IMAGES.iterdir())

    assert pictures == shown
    assert pictures == {IMAGES / make_images.file_name(name) for name in make_images.PICTURES}


def test_the_index_opens_every_page_of_the_folder():
    index = ROOT / "docs" / "index.md"
    pages = {path.name for path in index.parent.glob("*.md")} | {"attention-page.html"}
    opened = {target.partition("#")[0] for target in links_of(index)}
    assert pages - {index.name} <= opened


def test_every_picture_stands_in_one_group_of_the_gallery(make_images):
    grouped = [name for names in make_images.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(make_images.PICTURES)
    assert HEADING.findall(text_of(make_images.GALLERY)) == ["Gallery", *make_images.GROUPS]


# --- commands


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_understood(page):
    for command in commands_of(page):
        words = words_of(command)
        try:
            parse(words)
        except SystemExit as end:
            if end.code:  # --help ends without one
                pytest.fail(f"{page.name}: {command}")


def test_every_script_is_in_the_readme():
    readme = text_of(ROOT / "README.md")
    scripts = sorted(path.name for path in (ROOT / "scripts").glob("*.py"))

    assert [name for name in scripts if f"`{name}`" not in readme] == []


def test_an_unknown_option_would_be_found(tmp_path):
    page = tmp_path / "page.md"
    called = "{} \\\n    --zeroed 0.3  # gone\n"
    script, command = (
        called.format(c) for c in ("python scripts/train_vae.py", "tf-models train-vae")
    )
    page.write_text(f"```bash\n{script}{command}```\n")
    assert len(commands_of(page)) == 2

    for command in commands_of(page):
        with pytest.raises(SystemExit):
            parse(words_of(command))


# --- the README


@pytest.mark.parametrize(
    "command",
    [
        "pip install -e . && python scripts/train_translator.py",
        'pip install -e ".[test]" && python -m pytest',
    ],
)
def test_the_readme_has_the_two_commands(command):
    assert f"\n{command}\n" in text_of(ROOT / "README.md")


RUNNABLE_BLOCKS = [
    block.partition("```python\n")[2].partition("```")[0]
    for block in text_of(ROOT / "README.md").split(RUNNABLE)[1:]
]


def test_all_code_of_the_readme_runs():
    assert text_of(ROOT / "README.md").count("```python\n") == len(RUNNABLE_BLOCKS)


@pytest.mark.parametrize("code", RUNNABLE_BLOCKS, ids=lambda code: code.split("import ")[-1][:20])
def test_the_readmes_code_runs_and_prints_what_it_says(code, capsys):
    quick = re.sub(r"epochs=\d+", "epochs=1", code)
    with eagerly():
        exec(compile(quick, "README.md", "exec"), {})  # noqa: S102 - it is ours

    printed = capsys.readouterr().out
    for expected in re.findall(r"^print.*  # (\(.*)$", code, re.MULTILINE):
        assert expected in printed


# --- what is said beside pictures


@pytest.mark.slow
def test_each_head_that_is_named_gives_as_much_as_is_said():
    """Of the translator of the package, in the sentence about the animal or the street."""
    claims = {claim for page in PAGES for claim in CLAIM.findall(text_of(page))}
    assert claims
    translator = ready_made()
    sentences = {noun: sentence for sentence, noun in IT_STANDS_FOR.items()}
    for layer, head, kind, noun, share, word in claims:
        kind = "cross" if kind == "cross-attention" else kind
        maps = attention_maps(translator, sentences[noun], kind=kind, words=True)
        of_head = maps.weights[int(layer) - 1, int(head) - 1]
        weight = of_head[maps.rows.index(word), maps.columns.index(noun)]
        assert weight == pytest.approx(float(share), abs=0.005), (layer, head, kind, noun)


def test_the_pictures_of_it_show_the_heads_that_are_named(make_images):
    """The picture beside the words is of the head that the words name."""
    claims = {claim for page in PAGES for claim in CLAIM.findall(text_of(page))}
    named = {noun: (int(layer), int(head), word) for layer, head, _, noun, _, word in claims}
    for name, (_, noun) in make_images.IT_STANDS_FOR.items():
        found = make_images.pronoun_head(name)
        assert (found.layer, found.head, found.word) == named[noun]
        words = make_images.picture_command(name, make_images.ROOT)
        assert words[words.index("--query") + 1] == found.word


def test_a_command_that_draws_one_head_draws_one_that_is_named():
    """Of the translator of the package: another training has other heads."""
    named = {claim[:3] for page in PAGES for claim in CLAIM.findall(text_of(page))}
    kinds = {"cross": "cross-attention", "encoder": "encoder"}
    for command in [one for page in PAGES for one in commands_of(page)]:
        words = words_of(command)
        if "--head" in words and "--run-dir" not in words:
            layer, head, kind = (
                words[words.index(f"--{n}") + 1] for n in ("layer", "head", "kind")
            )
            assert (layer, head, kinds[kind]) in named, command


# --- docs/make_images.py


def test_the_commands_of_runs_stand_in_the_docs(make_images):
    stated = {tuple(words_of(command)) for page in PAGES for command in commands_of(page)}

    for command in make_images.RUNS.values():
        assert tuple(shlex.split(command)) in stated, command


def test_commands_of_runs_and_pictures_are_understood(make_images, tmp_path):
    for name, picture in make_images.PICTURES.items():
        if not picture.command:  # the run draws it
            assert picture.runs
            continue
        parse([*shlex.split(picture.command), "--output", make_images.file_name(name)])
        assert set(picture.runs) <= make_images.RUNS.keys()
    for name in make_images.RUNS:
        words = make_images.run_command(name, tmp_path)
        parse(words)
        assert words[words.index("--run-dir") + 1] == str(tmp_path / name)


def test_runs_are_looked_for_where_they_are_made(make_images, tmp_path):
    named = {
        word
        for picture in make_images.PICTURES.values()
        for word in make_images.in_folder(shlex.split(picture.command), tmp_path)
        if word.startswith(str(tmp_path)) and picture.runs
    }
    drawn = {
        str(picture.drawn_by_run(name, tmp_path).parents[1])
        for name, picture in make_images.PICTURES.items()
        if not picture.command
    }

    assert named | drawn == {str(tmp_path / name) for name in make_images.RUNS}


def test_the_gallery_shows_every_picture_as_it_is_made(make_images):
    assert text_of(make_images.GALLERY) == make_images.gallery(), "run docs/make_images.py"


def test_a_finished_run_is_kept_and_another_one_goes_on(make_images, tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr(make_images, "call", called.append)
    (tmp_path / "mnist-vae" / "figures").mkdir(parents=True)
    make_images.make_run("mnist-vae", tmp_path)
    assert [words[:2] for words in called] == [["python", "scripts/train_vae.py"]]

    (tmp_path / "mnist-vae" / "figures" / "samples.png").touch()
    make_images.make_run("mnist-vae", tmp_path)
    assert len(called) == 1


def test_only_what_is_asked_for_is_made(make_images, tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr(make_images, "call", called.append)
    monkeypatch.setattr(make_images, "shrink", lambda path: None)
    monkeypatch.setattr(make_images, "IMAGES", tmp_path / "images")
    monkeypatch.setattr(make_images, "GALLERY", tmp_path / "gallery.md")
    words = ["--runs", str(tmp_path), "--only", "vae-samples", "mnist-samples"]
    make_images.main(make_images.make_parser().parse_args(words))

    assert (tmp_path / "gallery.md").read_text() == make_images.gallery()
    made = [Path(words[1]).stem for words in called]
    assert made == [*["train_vae"] * 2, *["plot_figures"] * 2]
    assert called[2][-1] == str(tmp_path / "images" / "vae-samples.png")


def test_pictures_are_stored_with_a_palette(make_images, tmp_path):
    path = tmp_path / "picture.png"
    Image.radial_gradient("L").convert("RGBA").save(path)
    make_images.shrink(path)

    with Image.open(path) as picture:
        assert (picture.mode, picture.size) == ("P", (256, 256))


def test_a_script_that_fails_ends_it_in_one_line(make_images):
    with pytest.raises(InputError, match="failed with status 2: python scripts/classify.py"):
        make_images.call(["python", "scripts/classify.py"])


HEADS = {  # picture -> kind -> layer, head, weight of those that attend to the noun
    "it-animal": {"cross": [(1, 1, 0.5)], "encoder": [(1, 2, 0.9), (2, 1, 0.6)]},
    "it-street": {"cross": [(1, 2, 0.6)], "encoder": []},
}


@pytest.fixture
def heads(make_images, monkeypatch):
    """Let the heads of `HEADS` be found, or others; no translator is loaded."""
    from tf_models.tasks.translation import attention, ready_made

    model = types.SimpleNamespace(attention_kinds=("encoder", "cross"))
    monkeypatch.setattr(ready_made, "ready_made", lambda: types.SimpleNamespace(model=model))

    def find(found):
        of_sentence = {make_images.IT_STANDS_FOR[name][0]: found[name] for name in found}
        monkeypatch.setattr(
            attention,
            "heads_of_it",
            lambda _, sentence, kind: [("it", of_sentence[sentence][kind])],
        )

    return find


def test_a_picture_shows_the_head_that_looks_most_surely(make_images, heads):
    heads(HEADS)

    assert make_images.pronoun_head("it-animal")[:3] == ("encoder", 1, 2)
    assert make_images.pronoun_head("it-street")[:3] == ("cross", 1, 2)


def test_a_translator_that_looks_nowhere_is_refused(make_images, heads):
    heads({**HEADS, "it-street": {"cross": [], "encoder": []}})

    with pytest.raises(InputError, match="no head attends most to 'street'"):
        make_images.pronoun_head("it-street")
