"""A notebook runs as a plain script in an empty folder, where only the package is installed."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest

from notebooks.build import SETUP, WITHOUT_IPYTHON, run_script, sources
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
def test_first_cell_is_the_same_in_all(source):
    text = source.read_text(encoding="utf-8")
    assert SETUP in text, "run python notebooks/build.py"
    assert text.index("# %%\n") == text.index("# %%\nimport importlib.util")


def test_first_cell_says_how_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="pip install"):
        exec(SETUP, {})


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
