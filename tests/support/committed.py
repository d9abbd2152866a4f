"""A run that a script makes today, beside the committed one of tests/tiny_runs."""

import json

import numpy as np
import tensorflow as tf

from tests.make_tiny_runs import keep
from tests.support.tiny_runs import FOLDER
from tf_models.training.checkpoints import checkpoint_path


def config_of(run_dir):
    config = json.loads((run_dir / "config.json").read_text())
    return {name: value for name, value in config.items() if name != "versions"}


def weights_of(run_dir, checkpoint):
    reader = tf.train.load_checkpoint(checkpoint_path(run_dir / "checkpoints", checkpoint))
    names = [name for name in reader.get_variable_to_shape_map() if name.startswith("model/")]
    assert names
    return {name: reader.get_tensor(name) for name in names}


def assert_committed(name, run_dir, kept):
    """On one machine it is the same to the bit; another processor rounds otherwise.

    Args:
        kept: a folder for what would be committed.
    """
    keep(run_dir, kept)
    assert config_of(kept) == config_of(FOLDER / name), "run python -m tests.make_tiny_runs"
    committed = {path.relative_to(FOLDER / name) for path in (FOLDER / name).rglob("*")}
    assert {path.relative_to(kept) for path in kept.rglob("*")} == committed
    for checkpoint in ("latest", "best"):
        ours, theirs = (weights_of(path, checkpoint) for path in (kept, FOLDER / name))
        assert ours.keys() == theirs.keys()
        for weight, value in ours.items():
            np.testing.assert_allclose(value, theirs[weight], rtol=0, atol=1e-3, err_msg=weight)
