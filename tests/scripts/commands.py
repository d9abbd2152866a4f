"""How the tests call scripts."""

import contextlib
import importlib
import io
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from eager import eagerly

from tf_models import command_line

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
TINY = [
    *("--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"),
    *("--pieces", "80", "--positions", "32", "--batch-size", "16", "--warmup-steps", "20"),
    *("--longest-source", "30", "--longest-target", "30"),
]


class Result(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        assert self.status != 0
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


def status_of(script, *arguments):
    """Exit status of the script's main in this process."""
    module = importlib.import_module(script)
    with pytest.MonkeyPatch.context() as patch, eagerly():
        patch.setattr(sys, "argv", [f"{script}.py", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            command_line.run(module.make_parser(), module.main)
    return end.value.code or 0


def printed_by(script, *arguments):
    """For fixtures: a process of its own would take seconds to start."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert status_of(script, *arguments) == 0
    return out.getvalue()
