"""The examples in docstrings run, and print what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.support.eager import eagerly

ROOT = Path(__file__).resolve().parents[1]
WITH_EXAMPLES = sorted(
    path.relative_to(ROOT).with_suffix("")
    for path in (ROOT / "tf_models").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_examples_print_what_they_say(path):
    module = importlib.import_module(".".join(path.parts))

    with eagerly():
        result = doctest.testmod(module)

    assert result.attempted
    assert not result.failed
