"""What of the page's script needs no browser: tests for Node's own runner (*.test.js)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
TESTS = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.skipif(NODE is None, reason="no Node (apt install nodejs)")
def test_in_node():
    done = subprocess.run(
        [NODE, "--test", "--test-reporter=spec", *map(str, TESTS)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"pass (\d+)", done.stdout)[1]) >= 12
