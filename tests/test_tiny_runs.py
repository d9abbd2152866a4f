"""The committed runs are what the scripts make today."""

import pytest

from tests.make_tiny_runs import make
from tests.support.committed import assert_committed
from tests.support.tiny_runs import COMMANDS

pytestmark = pytest.mark.slow


# The test of its script trains and compares "questions".
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "questions"])
def test_the_script_makes_the_committed_run_again(name, tmp_path):
    assert_committed(name, make(name, tmp_path), tmp_path / "kept")
