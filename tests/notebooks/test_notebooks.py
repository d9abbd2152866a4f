"""What readers of a stored notebook rely on; `notebooks/build.py --check` runs the notebooks."""

import ast
import re

import jupytext
import nbformat
import pytest

from notebooks.build import digest, read, sources

LARGEST = 600_000  # bytes
MOST_WORDS = {"06": 1600}  # of the others 1200; 06 also tells what maps do not say
LONGEST_CELL = 15  # lines
EXERCISES = 3
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
    assert len(prose(stored).split()) <= MOST_WORDS.get(source.stem[:2], 1200)
    assert max(len(cell.source.splitlines()) for cell in code_cells(stored)) <= LONGEST_CELL


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


def test_header(source, stored):
    header = stored.cells[0].source
    title, *rest = header.splitlines()
    assert re.fullmatch(r"# \d\d .+", title)
    text = "\n".join(rest)
    assert "https://" in text, "a link to the article"
    seen = [line for line in rest if re.match(r"\d\. ", line)]
    assert len(seen) == 3, "three things to see"
    assert re.search(r"\d+ (seconds|Sekunden)", text), "how long it takes, on which machine"
    neighbours = re.findall(r"\((\d\d_\w+\.ipynb)\)", text)
    place = SOURCES.index(source)
    expected = NAMES[max(place - 1, 0) : place] + NAMES[place + 1 : place + 2]
    assert neighbours == [f"{name}.ipynb" for name in expected]


def test_exercises_and_answers(source):
    """Each exercise defines a check that asserts; the last section calls each."""
    notebook = jupytext.read(source)
    code = "\n".join(cell.source for cell in code_cells(notebook))
    for number in range(1, EXERCISES + 1):
        check = f"check_{number}"
        function = re.search(rf"^def {check}\(.*?(?=^\S|\Z)", code, re.MULTILINE | re.DOTALL)
        assert function, f"{check} is missing"
        assert "assert " in function.group()
        assert re.search(rf"^{check}\(", code, re.MULTILINE), f"{check} has no answer"
