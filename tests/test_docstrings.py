"""Docstrings: their first lines are short; their examples run, and print what they say."""

import ast
import doctest
import importlib
import shutil
from pathlib import Path

import pytest

from tests.support.eager import eagerly
from tests.support.tiny_runs import FOLDER

ROOT = Path(__file__).resolve().parents[1]
WITH_EXAMPLES = sorted(
    path.relative_to(ROOT).with_suffix("")
    for path in (ROOT / "tf_models").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
# Tiny runs, under the names that the commands' runs have.
RUNS = {
    "toy-toy": "translator",
    "reference-classifier": "classifier",
    "stories": "questions",
    "digits-autoencoder": "autoencoder",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where examples run."""
    place = tmp_path_factory.mktemp("examples")
    for name, tiny in RUNS.items():
        shutil.copytree(FOLDER / tiny, place / "runs" / name)
    return place


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_examples_print_what_they_say(path, folder, monkeypatch):
    monkeypatch.chdir(folder)
    module = importlib.import_module(".".join(path.parts))

    with eagerly():
        result = doctest.testmod(module)

    assert result.attempted
    assert not result.failed


def first_lines(path):
    """The first line of each docstring in a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    texts = [ast.get_docstring(node) for node in nodes if isinstance(node, DOCUMENTED)]
    return [text.splitlines()[0] for text in texts if text]


def test_a_first_line_is_a_short_noun_phrase_or_an_imperative():
    lines = [line for path in (ROOT / "tf_models").rglob("*.py") for line in first_lines(path)]
    indirect = [line for line in lines if line.startswith(("What ", "Whether ", "How ", "Of "))]

    assert [line for line in lines if len(line) > 72] == indirect == []
