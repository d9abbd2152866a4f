"""The committed runs are what the scripts make today."""

import json

import numpy as np
import pytest
import tensorflow as tf

from tests.make_tiny_runs import keep, make
from tests.support.tiny_runs import COMMANDS, FOLDER
from tf_models.training.checkpoints import checkpoint_path

pytestmark = pytest.mark.slow


def config_of(run_dir):
    config = json.loads((run_dir / "config.json").read_text())
    return {name: value for name, value in config.items() if name != "versions"}


def weights_of(run_dir, checkpoint):
    reader = tf.train.load_checkpoint(checkpoint_path(run_dir / "checkpoints", checkpoint))
    names = [name for name in reader.get_variable_to_shape_map() if name.startswith("model/")]
    assert names
    return {name: reader.get_tensor(name) for name in names}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_script_makes_the_committed_run_again(name, tmp_path):
    """On one machine to the bit; another processor rounds otherwise."""
    again = tmp_path / "kept"
    keep(make(name, tmp_path), again)

    assert config_of(again) == config_of(FOLDER / name), "run python -m tests.make_tiny_runs"
    committed = {path.relative_to(FOLDER / name) for path in (FOLDER / name).rglob("*")}
    assert {path.relative_to(again) for path in again.rglob("*")} == committed
    for checkpoint in ("latest", "best"):
        ours, theirs = (weights_of(path, checkpoint) for path in (again, FOLDER / name))
        assert ours.keys() == theirs.keys()
        for weight, value in ours.items():
            np.testing.assert_allclose(value, theirs[weight], rtol=0, atol=1e-3, err_msg=weight)
