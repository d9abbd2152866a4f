"""The set-up of the library's tests, and the commands of research in this process."""

import importlib
from pathlib import Path

import pytest

from tests.conftest import *  # noqa: F403 - its fixtures
from tests.support.eager import eagerly

ROOT = Path(__file__).resolve().parents[1]


def pytest_collection_modifyitems(items):
    """By this mark they can be chosen beside tests/."""
    for item in items:
        if item.path.is_relative_to(ROOT / "research"):
            item.add_marker("research")


@pytest.fixture(scope="session")
def table(tiny_inputs):
    """A tab-separated corpus."""
    return tiny_inputs / "deu.txt"


@pytest.fixture
def call(capsys):
    """call("research.heads.__main__", …): the lines that a command prints, in this process."""

    def run(module, *words):
        capsys.readouterr()
        command = importlib.import_module(module)
        with eagerly():
            command.main(command.make_parser().parse_args(list(map(str, words))))
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def experiment(call):
    """experiment("claims", "--seeds", "0"): the lines that a recipe prints."""
    return lambda *words: call("research.experiments.__main__", *words)
