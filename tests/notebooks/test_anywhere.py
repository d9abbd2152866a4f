"""A notebook runs as a plain script in an empty folder, where only the package is installed."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest

from notebooks.build import (
    FOLDER,
    NO_ADDRESS,
    SETUP,
    WITHOUT_IPYTHON,
    address,
    run_script,
    sources,
    with_links,
)
from tests.support.wheel import installed  # noqa: F401

SOURCES = sources([])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_nothing_needs_ipython(source):
    text = source.read_text(encoding="utf-8")
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert not names & {"get_ipython", "display"}
    assert "IPython" not in text
    assert not re.search(r"^(# )?(!|%%?)\w", text, re.MULTILINE), "a magic"


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_first_cell_installs_the_package(source):
    text = source.read_text(encoding="utf-8")
    assert SETUP.format(address=address()) in text, "run python notebooks/build.py"
    assert text.index("# %%\n") == text.index("# %%\nimport importlib.util")


@pytest.fixture
def installed_by(monkeypatch):
    """installed_by(namespace): what the first cell asks pip for, where the package is missing."""

    def run(**namespace):
        commands = []
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        monkeypatch.setattr(subprocess, "run", lambda command, check: commands.append(command))
        exec(SETUP.format(address="https://example.org/x").split("from tf_models")[0], namespace)
        ((_, *pip, package),) = commands
        assert pip == ["-m", "pip", "install"]
        return package

    return run


def test_first_cell_takes_the_checkout_around_it(installed_by, monkeypatch):
    assert installed_by(__file__=str(SOURCES[0])) == str(FOLDER.parent)
    monkeypatch.chdir(FOLDER)
    assert installed_by() == str(FOLDER.parent)  # a notebook has no __file__


def test_first_cell_takes_the_address_where_there_is_no_checkout(
    installed_by, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    assert installed_by() == "git+https://example.org/x"


def test_links_lead_to_the_repository_once_it_has_an_address():
    text = "[a](../docs/a.md#b) ![c](../docs/c.png) [d](02_d.ipynb#E) [f](https://f.org) [g](#h)"
    assert with_links(text, NO_ADDRESS) == text
    assert with_links(text, "https://example.org/x") == (
        "[a](https://example.org/x/blob/HEAD/docs/a.md#b) "
        "![c](https://example.org/x/raw/HEAD/docs/c.png) "
        "[d](https://example.org/x/blob/HEAD/notebooks/02_d.ipynb#E) [f](https://f.org) [g](#h)"
    )


ANSWERED = """
# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# ANSWER
# ```
#
# </details>

# %%
square = lambda x: x * x
"""


def test_a_script_ends_with_its_answers(tmp_path):
    def run_with(answer):
        source = tmp_path / "90_answered.py"
        source.write_text(ANSWERED.replace("ANSWER", answer), encoding="utf-8")
        run_script(source, limit=60)

    run_with("assert square(3) == 9")
    with pytest.raises(ChildProcessError, match="AssertionError"):
        run_with("assert square(3) == 8")
    with pytest.raises(ChildProcessError, match="import of IPython"):
        run_with("import IPython")


@pytest.mark.processes
def test_a_script_in_an_empty_folder(installed, tmp_path):  # noqa: F811
    (source,) = sources(["00"])
    shutil.copy(source, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_IPYTHON, source.name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed))
    figures = sorted(path.name for path in (tmp_path / "figures").iterdir())
    shown = source.read_text(encoding="utf-8").count("\nshow(")
    assert figures == [f"{source.stem}-{number:02}.png" for number in range(1, shown + 1)]
