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


def assert_committed(name, run_dir, kept):
    """On one machine it is the same to the bit; another processor rounds otherwise.

    `kept` is a folder for what would be committed.
    """
    keep(run_dir, kept)
    assert config_of(kept) == config_of(FOLDER / name), "run python -m tests.make_tiny_runs"
    for checkpoint in ("latest", "best"):
        paths = (checkpoint_path(run / "checkpoints", checkpoint) for run in (kept, FOLDER / name))
        ours, theirs = map(tf.train.load_checkpoint, paths)
        names = [key for key in theirs.get_variable_to_shape_map() if key.startswith("model/")]
        for key in names:
            weight, expected = ours.get_tensor(key), theirs.get_tensor(key)
            np.testing.assert_allclose(weight, expected, rtol=0, atol=1e-3, err_msg=key)
