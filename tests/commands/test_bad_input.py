"""Whatever is passed: one line, exit status 2, bounded memory, and nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.bad_input import CASES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the scripts say to each case, all in one process."""
    folder = tmp_path_factory.mktemp("bad")
    command = [sys.executable, HERE / "bad_input.py", folder]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(CASES), f"the process ended with {done.returncode}: {done.stderr}"
    assert (folder / "folder" / "thesis.txt").read_text() == "mine"
    assert sorted(path.name for path in (folder / "folder").iterdir()) == ["thesis.txt"]
    return found


@pytest.mark.slow
def test_each_is_answered_in_one_line(answers):
    wrong = [
        f"{CASES[one['number']].script} {' '.join(CASES[one['number']].arguments)[:150]}: "
        f"{one['status']}, {one['errors'][-700:]}"
        for one in answers
        if one["status"] != 2 or len(one["errors"].strip().splitlines()) != 1
    ]
    assert not wrong, "\n".join(wrong)
