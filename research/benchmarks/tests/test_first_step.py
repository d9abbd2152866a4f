"""The time of a training's start."""

import re

import pytest

from research.benchmarks.first_step import time_start
from tests.support.commands import TINY
from tf_models.errors import InputError

COMMAND = "research.benchmarks.first_step"


@pytest.mark.processes
def test_the_first_step_of_a_tiny_translator(table, call):
    result = call(COMMAND, "--rounds", 1, "--", "--corpus", table, *TINY)

    assert result.status == 0, result.err
    assert re.fullmatch(r"\d+\.\d s, of the processor \d+\.\d s\nmedian \d+\.\d s\n", result.out)
    with pytest.raises(InputError, match="took no step: .*no corpus, file or folder 'none'"):
        time_start(["--corpus", "none"])


def test_no_rounds(call):
    assert "at least 1; received 0" in call(COMMAND, "--rounds", 0).complaint
