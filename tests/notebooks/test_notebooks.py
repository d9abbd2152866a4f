"""What readers of a stored notebook rely on; `notebooks/build.py --check` runs the notebooks."""

import ast
import re

import jupytext
import nbformat
import pytest

from notebooks.build import answers, digest, read, sources

LARGEST = 600_000  # bytes
WORDS, MOST_WORDS = 1500, {"06": 1800}  # 06 also tells what maps do not say
LONGEST_CELL = 15  # lines
EXERCISES = 3
HOW_IT_WORKS = """\
**How it works**: the first cell installs the package if it is missing, and loads TensorFlow.
**See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
before it. The exercises stand at the end: put your answer into the last line of a cell, take away
its `#`, and run it. The answer unfolds below."""
SO_GEHT_ES = """\
**So geht es**: Die erste Zelle installiert das Paket, wenn es fehlt, und lädt TensorFlow.
**Beobachte** sagt, worauf du achten kannst, **Probiere aus**, was du ändern kannst; bricht eine
Zelle danach bei einem `assert` ab, setze ein `#` davor. Die Aufgaben stehen am Ende: Setze deine
Antwort in die letzte Zeile einer Zelle, entferne ihr `#` und führe sie aus. Die Lösung lässt sich
darunter aufklappen."""
OTHER_CUES = re.compile(
    r"(?<!\*)\*(See|Change|Add)\b|\*\*(See|Change):|^Change this|What to see|Zu sehen|Zum Ändern|"
    r"Read beside|^Beside|Companion to|Lies daneben",
    re.MULTILINE,
)
SOURCES = sources([])
NAMES = [source.stem for source in SOURCES]
MACHINE_PATH = re.compile(r"(?<!\w)/(root|home|tmp|usr|var|opt)/|[A-Z]:\\\\|site-packages")


@pytest.fixture(params=SOURCES, ids=NAMES)
def source(request):
    return request.param


@pytest.fixture
def stored(source):
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_stored_cells_are_those_of_the_source(source, stored):
    made = read(source)
    assert stored.metadata["source"] == digest(source), "run python notebooks/build.py"
    assert [(c.cell_type, c.source, c.metadata) for c in stored.cells] == [
        (c.cell_type, c.source, c.metadata) for c in made.cells
    ]


def test_all_cells_ran_in_order(stored):
    counts = [cell.execution_count for cell in code_cells(stored)]
    assert counts == list(range(1, len(counts) + 1))


def test_neither_errors_nor_warnings_are_stored(stored):
    assert not [one for one in outputs(stored) if one.output_type == "error"]
    assert not [one for one in outputs(stored) if one.get("name") == "stderr"]
    printed = "".join(one.get("text", "") for one in outputs(stored))
    assert "Warning" not in printed


def test_no_path_of_a_machine(stored):
    found = MACHINE_PATH.search(nbformat.writes(stored))
    assert not found, found


def test_size(source):
    assert source.with_suffix(".ipynb").stat().st_size <= LARGEST


def test_each_figure_has_a_text_description(stored):
    figures = [one for one in outputs(stored) if "image/png" in one.get("data", {})]
    for figure in figures:
        description = figure.metadata["image/png"]["alt"]
        assert len(description.split()) >= 5
        assert figure.data["text/plain"] == description


def test_words_and_lines(source, stored):
    assert len(prose(stored).split()) <= MOST_WORDS.get(source.stem[:2], WORDS)
    _, *cells = code_cells(stored)  # all but the one that installs the package
    assert max(len(cell.source.splitlines()) for cell in cells) <= LONGEST_CELL


def test_no_model_is_defined_that_the_library_has(source):
    """A notebook imports its models; classes of its own would drift away from the tested ones."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    bases = {
        ast.unparse(base)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    }
    assert not {base for base in bases if base.endswith(("Model", "Layer"))}


def test_header(source):
    header = jupytext.read(source).cells[0].source
    title, *rest = header.splitlines()
    assert re.fullmatch(r"# \d\d .+", title)
    text = "\n".join(rest)
    assert re.search(r"^(Read with|Dazu lesen:)\s.*https://", text, re.MULTILINE | re.DOTALL)
    seen = [line for line in rest if re.match(r"\d\. ", line)]
    assert len(seen) == 3, "three things to see"
    assert re.search(r"^\*\*(Before|Vorher)\*\*: ", text, re.MULTILINE), "what to know"
    assert re.search(r"^\*\*(Time|Dauer)\*\*: .*\d+ (seconds|Sekunden)", text, re.MULTILINE)
    on_one_line = " ".join(text.split())
    assert any(" ".join(how.split()) in on_one_line for how in (HOW_IT_WORKS, SO_GEHT_ES))
    neighbours = re.findall(r"\((\d\d_\w+\.ipynb)\)", text)
    place = SOURCES.index(source)
    expected = NAMES[max(place - 1, 0) : place] + NAMES[place + 1 : place + 2]
    assert neighbours == [f"{name}.ipynb" for name in expected]


def test_cues_have_one_spelling(source):
    found = OTHER_CUES.search(prose(jupytext.read(source)))
    assert not found, found


def test_no_cell_asserts_in_silence(stored):
    silent = [
        cell.source for cell in code_cells(stored) if asserts(cell.source) and not cell.outputs
    ]
    assert not silent


def asserts(code):
    """Whether code asserts something when it runs, not only in functions that it defines."""
    return any(
        isinstance(node, ast.Assert) or ast.unparse(node).startswith("np.testing")
        for node in ast.parse(code).body
    )


def test_exercises_and_answers(source):
    """Each exercise has a check that asserts, with a call to fill in, and a folded answer."""
    notebook = jupytext.read(source)
    code = "\n".join(cell.source for cell in code_cells(notebook))
    folded = "\n".join(answers(notebook))
    checks = re.findall(r"^def (check_\d)\((\w+)\)", code, re.MULTILINE)
    assert [name for name, _ in checks] == [f"check_{i + 1}" for i in range(len(checks))]
    assert len(checks) >= EXERCISES
    assert "function" in [asked for _, asked in checks], "no exercise asks for code"
    for check, _ in checks:
        body = re.search(rf"^def {check}\(.*?(?=^\S|\Z)", code, re.MULTILINE | re.DOTALL).group()
        assert re.search(r"^ +(assert |np\.testing\.)", body, re.MULTILINE)
        assert re.search(rf"^# {check}\([^…]+\)$", code, re.MULTILINE), "a call to fill in"
        assert re.search(rf"^{check}\(", folded, re.MULTILINE), f"{check} has no answer"
