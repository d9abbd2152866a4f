"""Shards for cores, and threads that are set before TensorFlow computes anything."""

import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tf_models.loss_sums import shard
from tf_models.training import devices
from tf_models.training.devices import device_scope

X = tf.reshape(tf.range(10.0), (5, 2))
Y = tf.range(5.0)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_example_is_in_one_shard(count):
    parts = shard((X, Y), count)

    assert len(parts) == count
    for x, y in parts:
        np.testing.assert_array_equal(x[:, 0], 2 * y)
    together = np.sort(np.concatenate([y for _, y in parts]))
    np.testing.assert_array_equal(together, Y)


@pytest.mark.parametrize(
    ("cores", "units", "shards", "threads"),
    [(1, 4096, 1, 1), (2, 4096, 2, 1), (8, 1024, 4, 2), (8, 100, 1, 8)],
)
def test_a_shard_is_worth_a_core(monkeypatch, cores, units, shards, threads):
    of_a_shard = []
    monkeypatch.setattr(devices, "available_cores", lambda: cores)
    threading = tf.config.threading
    monkeypatch.setattr(threading, "set_intra_op_parallelism_threads", of_a_shard.append)

    with device_scope(0, units, 256) as num_shards:
        assert num_shards == shards
    assert of_a_shard == [threads]


STOPPED = """
import sys
from importlib import import_module

import tensorflow as tf
from tensorflow.python.eager import context

def stop(threads):
    print("computed before:", context.context()._initialized)
    sys.exit()

tf.config.threading.set_intra_op_parallelism_threads = stop
sys.argv = sys.argv[1:]
import_module(f"tf_models.cli.{sys.argv[0]}").main()
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    "command",
    [
        ["train_translator", "--start-from", "ready-made", "--max-pairs", "200"],
        ["train_vae"],
        ["train_autoencoder", "--model", "lstm"],
        ["train_classifier", "--encoder-from", "ready-made", "--max-texts", "200"],
        ["train_image_classifier"],
        ["train_question_answering", "--training-questions", "200"],
    ],
)
def test_trainings_set_threads_before_their_first_tensor(command, tmp_path):
    """Later they would be ignored, and a step take up to twice as long."""
    words = [sys.executable, "-c", STOPPED, *command, "--run-dir", tmp_path / "run"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert "computed before: False" in done.stdout, done.stderr
