"""The package as pip installs it: what is not in the wheel is not there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("setup.cfg", "pyproject.toml", "README.md")


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A folder with the package from a wheel: for PYTHONPATH, before this checkout."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    shutil.copytree(ROOT / "tf_models", source / "tf_models")  # pip leaves files where it builds
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target]
    subprocess.run([*pip, source], check=True)
    return target
