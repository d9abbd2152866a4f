"""The set-up of the library's tests, and the commands of research."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import autoencoder_run, hierarchical_run, npz, run_dir, table, vae_run  # noqa: F401
from tests.conftest import *  # noqa: F403 - its fixtures
from tests.plotting.conftest import drawn_texts  # noqa: F401
from tests.support.commands import Result, call  # noqa: F401
from tests.tasks.translation.conftest import random_translator  # noqa: F401

ROOT = Path(__file__).resolve().parents[1]


def pytest_collection_modifyitems(items):
    """By this mark they can be chosen beside tests/."""
    for item in items:
        if item.path.is_relative_to(ROOT / "research"):
            item.add_marker("research")


@pytest.fixture
def spawn():
    """spawn("research.heads", …): the command in a process of its own, from the checkout."""

    def run(module, *arguments):
        command = [sys.executable, "-m", module, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
