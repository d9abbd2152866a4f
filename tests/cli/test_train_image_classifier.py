import os

import pytest

from tests.support.commands import drawn
from tests.support.tiny_runs import command_of


@pytest.mark.slow
def test_what_it_prints_and_leaves(tiny_inputs, as_users_run_it):
    run_dir, printed = as_users_run_it(*command_of("images", tiny_inputs))

    assert "rows.npz: 81 training, 9 validation and 30 test images of 6 x 5 x 1" in printed
    lines = printed.splitlines()
    (first,) = (i for i, line in enumerate(lines) if line.startswith("30 test images: accuracy "))
    assert lines[first + 2].split() == ["precision", "recall", "f1-score", "support"]
    assert drawn(run_dir) == {"training", "confusion", "attention"}
    assert {"config.json", "history.csv", "images.npz", "checkpoints"} <= set(os.listdir(run_dir))
