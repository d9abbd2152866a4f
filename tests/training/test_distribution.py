"""Two replicas train as one does; in a process apart, as devices are set up before TensorFlow."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

TRAIN_BOTH_WAYS = """
import sys
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
from tests.support import language
from tests.support.tiny import TINY
from tf_models.data.images.loading import load_images
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.tasks.translation.train import prepare_training
from tf_models.training.train_step import own_noise
from tf_models.training.run_directory import RunDirectory

two = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with two.scope():
    generator = keras.random.SeedGenerator(0)

def draw():
    with own_noise([generator.state.value]):
        return tf.random.stateless_uniform((3,), generator.next())

draws = two.experimental_local_results(tf.function(lambda: two.run(draw))())
states = two.experimental_local_results(generator.state.value)
np.savez(Path(sys.argv[1]) / "noise.npz", draws=np.stack(draws), states=np.stack(states))

images = load_images("digits")
for name, strategy in (("one", None), ("two", two)):
    run = RunDirectory(Path(sys.argv[1]) / name / "translator")
    # Batches that are odd and leave a rest; of gradients that are clipped as one.
    settings = TINY.changed(
        dropout=0.0, batch_size=15, clip_norm=0.5, optimizer="muon", weight_decay=0.5
    )
    training = prepare_training(run, language.corpus(), settings, 0, strategy=strategy)
    training.loop.fit(3)
    run = RunDirectory(Path(sys.argv[1]) / name / "autoencoder")
    settings = preset("dense").changed(
        units=(8,), code_size=4, batch_size=95, clip_norm=0.5
    )
    training = prepare_image_training(
        run, images, settings, 0, strategy=strategy
    )
    training.loop.fit(3)
"""


def curve(path):
    with path.open() as file:
        return [(float(row["loss"]), float(row["val_loss"])) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What `TRAIN_BOTH_WAYS` has left."""
    folder, root = tmp_path_factory.mktemp("replicas"), Path(__file__).parents[2]
    paths = str(root)
    command = [sys.executable, "-c", TRAIN_BOTH_WAYS, folder]
    subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, check=True, capture_output=True
    )
    return folder


@pytest.mark.processes
def test_replicas_draw_noise_of_their_own_from_states_that_stay_alike(folder):
    with np.load(folder / "noise.npz") as noise:
        (first, second), (state, other) = noise["draws"], noise["states"]
    assert not np.intersect1d(first, second).size
    np.testing.assert_array_equal(state, other)
    assert state[1] == 1


@pytest.mark.processes
def test_two_replicas_train_as_one_does(folder):
    for run in ("translator", "autoencoder"):
        one, two = (curve(folder / number / run / "history.csv") for number in ("one", "two"))
        assert len(one) == 3
        for row, other in zip(one, two, strict=True):
            assert other == pytest.approx(row, rel=1e-4)
