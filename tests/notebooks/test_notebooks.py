"""What readers of a stored notebook rely on; `notebooks/build.py --check` runs the notebooks."""

import re

import nbformat
import pytest

from notebooks.build import digest, read, sources

SOURCES = sources([])
MACHINE_PATH = re.compile(r"(?<!\w)/(root|home|tmp|usr|var|opt)/|[A-Z]:\\\\|site-packages")


@pytest.fixture(params=SOURCES, ids=[source.stem for source in SOURCES])
def source(request):
    return request.param


@pytest.fixture
def stored(source):
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_stored_cells_are_those_of_the_source(source, stored):
    made = read(source)
    assert stored.metadata["source"] == digest(source), "run python notebooks/build.py"
    assert [(c.cell_type, c.source, c.metadata) for c in stored.cells] == [
        (c.cell_type, c.source, c.metadata) for c in made.cells
    ]


def test_all_cells_ran_in_order(stored):
    counts = [cell.execution_count for cell in code_cells(stored)]
    assert counts == list(range(1, len(counts) + 1))


def test_no_errors_no_warnings_and_no_paths_of_a_machine_are_stored(stored):
    outputs = [output for cell in code_cells(stored) for output in cell.outputs]
    assert not [one for one in outputs if one.output_type == "error"]
    assert not [one for one in outputs if one.get("name") == "stderr"]
    assert "Warning" not in "".join(one.get("text", "") for one in outputs)
    assert not MACHINE_PATH.search(nbformat.writes(stored))


def test_each_figure_has_a_text_description(stored):
    outputs = [output for cell in code_cells(stored) for output in cell.outputs]
    for figure in (one for one in outputs if "image/png" in one.get("data", {})):
        assert len(figure.metadata["image/png"]["alt"].split()) >= 5
