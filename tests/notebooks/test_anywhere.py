"""A notebook runs as a plain script in an empty folder, where only the package is installed."""

import os
import shutil
import subprocess
import sys

import pytest

from notebooks.build import SETUP, WITHOUT_IPYTHON, sources
from tests.support.wheel import installed  # noqa: F401

SOURCES = sources([])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_first_cell_is_the_same_in_all(source):
    assert SETUP in source.read_text(encoding="utf-8"), "run python notebooks/build.py"


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
