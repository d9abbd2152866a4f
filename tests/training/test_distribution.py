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
from tf_models.data.images.loading import load_images
from tf_models.tasks.autoencoding.builders import AUTOENCODER_FAMILY
from tf_models.tasks.autoencoding.settings import IMAGE_MODELS
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.tasks.translation.train import prepare_training
from tf_models.training.run_directory import RunDirectory

two = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
images = load_images("digits")
for name, strategy in (("one", None), ("two", two)):
    run = RunDirectory(Path(sys.argv[1]) / name / "translator")
    settings = TINY.changed(dropout=0.0, batch_size=15)  # odd, and with a rest
    training = prepare_training(run, make_corpus(), settings, 0, strategy=strategy)
    training.loop.fit(3)
    run = RunDirectory(Path(sys.argv[1]) / name / "autoencoder")
    settings = IMAGE_MODELS["dense"].changed(units=(8,), code_size=4, batch_size=95)
    training = prepare_image_training(
        AUTOENCODER_FAMILY, run, images, settings, 0, strategy=strategy
    )
    training.loop.fit(3)
"""


def curve(path):
    with path.open() as file:
        return [(float(row["loss"]), float(row["val_loss"])) for row in csv.DictReader(file)]


def test_two_replicas_train_as_one_does(tmp_path):
    here = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", TRAIN_BOTH_WAYS, tmp_path]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": here}, check=True, capture_output=True)

    for run in ("translator", "autoencoder"):
        one, two = (curve(tmp_path / number / run / "history.csv") for number in ("one", "two"))
        assert len(one) == 3
        for row, other in zip(one, two, strict=True):
            assert other == pytest.approx(row, rel=1e-4)
