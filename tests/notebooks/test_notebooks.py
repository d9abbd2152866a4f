"""What readers of a stored notebook rely on; `notebooks/build.py --check` runs the notebooks."""

import ast
import re

import jupytext
import nbformat
import pytest

from notebooks.build import answers, digest, read, sources

LARGEST = 600_000  # bytes
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


def test_each_exercise_has_a_folded_answer(source):
    notebook = jupytext.read(source)
    code, folded = ("\n".join(c.source for c in code_cells(notebook)), answers(notebook))
    checks = re.findall(r"^def (check_\d)\(", code, re.MULTILINE)
    assert checks
    assert [check for check in checks if f"{check}(" not in "\n".join(folded)] == []
