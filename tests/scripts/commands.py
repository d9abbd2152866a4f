"""How the tests call scripts."""

from pathlib import Path
from typing import NamedTuple

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
