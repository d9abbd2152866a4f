"""Two replicas train as one does; in a process apart, as devices are set up before TensorFlow."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

TRAIN_BOTH_WAYS = """
import sys
from pathlib import Path

import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
from tiny import TINY, make_corpus
from tf_models.training.run_directory import RunDirectory
from tf_models.tasks.translation.train import prepare_training

two = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
for name, strategy in (("one", None), ("two", two)):
    run = RunDirectory(Path(sys.argv[1]) / name)
    settings = TINY.changed(dropout=0.0, batch_size=15)  # odd, and with a rest
    training = prepare_training(run, make_corpus(), settings, 0, strategy=strategy)
    training.loop.fit(3)
"""


def curve(path):
    with path.open() as file:
        return [(float(row["loss"]), float(row["val_loss"])) for row in csv.DictReader(file)]


def test_two_replicas_train_as_one_does(tmp_path):
    here = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", TRAIN_BOTH_WAYS, tmp_path]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": here}, check=True, capture_output=True)

    one, two = curve(tmp_path / "one" / "history.csv"), curve(tmp_path / "two" / "history.csv")
    assert len(one) == 3
    for row, other in zip(one, two, strict=True):
        assert other == pytest.approx(row, rel=1e-4)
