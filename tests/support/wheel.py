"""The package as pip installs it: what is not in the wheel is not there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("setup.cfg", "pyproject.toml", "README.md")


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A folder with the package from a wheel: for PYTHONPATH, before this checkout.

    The tests' processes share it.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    target = shared / "wheel"
    with FileLock(shared / "wheel.lock"):
        if not target.exists():
            _install(tmp_path_factory.mktemp("source"), target)
    return target


def _install(source, target):
    shutil.copytree(ROOT / "tf_models", source / "tf_models")  # pip leaves files where it builds
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target]
    subprocess.run([*pip, source], check=True)
