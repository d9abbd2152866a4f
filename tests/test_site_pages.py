"""How notebooks and modules become pages of the site; MkDocs itself: test_site.py."""

import base64
import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs" / "site"


@pytest.fixture
def notebook_pages(monkeypatch):
    monkeypatch.syspath_prepend(SITE)
    return importlib.import_module("notebook_pages")


@pytest.fixture
def reference_pages(monkeypatch):
    monkeypatch.syspath_prepend(SITE)
    return importlib.import_module("reference_pages")


@pytest.fixture
def notebook(tmp_path):
    """notebook(cell, …): a file with these cells."""

    def written(*cells):
        path = tmp_path / "01_one.ipynb"
        path.write_text(json.dumps({"cells": cells}))
        return path

    return written


def text(*lines):
    return {"cell_type": "markdown", "source": "\n".join(lines).splitlines(keepends=True)}


def code(source, *outputs):
    return {"cell_type": "code", "source": [source], "outputs": outputs}


def printed(line):
    return {"output_type": "stream", "text": [f"{line}\n"]}


def drawn(content):
    data = {"image/png": base64.b64encode(content).decode(), "text/plain": "<Figure>"}
    return {"output_type": "display_data", "data": data}


# --- notebooks


def test_code_stands_above_what_it_prints_and_draws(notebook, notebook_pages):
    path = notebook(
        text("# One"), code("import one"), code("1", printed("1"), printed("2"), drawn(b"PNG"))
    )

    page = notebook_pages.as_markdown(path)
    set_up, shown = page.split("</details>")
    assert set_up.startswith("# One\n\n<details")
    assert "import one" in set_up
    assert shown.split("\n\n") == [
        "",
        "```python\n1\n```",
        "``` { .text .output }\n1\n2\n```",
        "![What the cell draws](01_one/2-2.png)\n",
    ]
    assert notebook_pages.pictures(path) == {"01_one/2-2.png": b"PNG"}


def test_a_list_may_begin_below_a_line_of_text(notebook, notebook_pages):
    page = notebook_pages.as_markdown(notebook(text("It has", "- one,", "- two", "  lines.")))

    assert page == "It has\n\n- one,\n- two\n  lines.\n"


def test_an_answer_that_is_folded_away_is_markdown(notebook, notebook_pages):
    page = notebook_pages.as_markdown(notebook(text("<details><summary>A</summary>", "", "*a*")))

    assert page.startswith('<details markdown="1">')


def test_headings_have_the_anchors_that_links_to_notebooks_have(notebook_pages):
    links = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert notebook_pages.slug("中文摘要", "-") == "中文摘要"
    assert f"#{notebook_pages.slug('The loss of one padded row', '-')})" in links


# --- the reference


@pytest.fixture
def library(tmp_path):
    """A library with a module, and a package with one."""
    files = {
        "__init__.py": '"""All."""',
        "run.py": '"""Runs it."""\ndef main(): ...',
        "errors.py": '"""Errors.\n\nOf users."""\nclass Bad(Exception):\n    """Wrong."""',
        "search/__init__.py": '"""Search."""',
        "search/beam.py": '"""Beams."""\ndef find():\n    """Best."""\ndef _cut(): "No."\n',
    }
    for name, source in files.items():
        path = tmp_path / "tf_models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return tmp_path


def test_each_module_has_a_page_and_a_package_leads_to_what_is_below_it(library, reference_pages):
    pages = reference_pages.pages(library)

    names = {"index.md", "errors.md", "search/index.md", "search/beam.md"}
    assert pages.keys() == {f"reference/{name}" for name in names}
    assert "::: tf_models.search.beam\n" in pages["reference/search/beam.md"]
    assert pages["reference/index.md"].partition("::: tf_models\n\n")[2] == (
        "- [tf_models.errors][]: Errors. [`Bad`][tf_models.errors.Bad]\n"
        "\n## [tf_models.search][]\n\nSearch.\n\n"
        "- [tf_models.search.beam][]: Beams. [`find`][tf_models.search.beam.find]"
    )


def test_the_navigation_is_the_tree_of_the_folders(library, reference_pages):
    assert reference_pages.nav(list(reference_pages.pages(library))) == [
        "reference/index.md",
        {"search": ["reference/search/index.md", {"beam": "reference/search/beam.md"}]},
        {"errors": "reference/errors.md"},
    ]
