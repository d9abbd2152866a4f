"""Checkpoints hold all that a training needs, and a damaged one is named."""

import numpy as np
import pytest

from tests.support.small_training import SmallModel, small_training
from tf_models.errors import InputError
from tf_models.training.checkpoints import checkpoint_path, load_weights


@pytest.fixture
def training(tmp_path):
    training = small_training(tmp_path / "run", epochs=2)
    training.fit()
    return training


def test_weights_and_random_states_come_back(training):
    other = SmallModel()
    load_weights(other, training.run.checkpoints, "latest")

    for value, expected in zip(other.variables, training.model.variables, strict=True):
        np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("which", ["ckpt-99", "average"])
def test_a_missing_checkpoint_is_named(training, which):
    with pytest.raises(InputError, match=r"ckpt-99|average"):
        load_weights(training.model, training.run.checkpoints, which)


@pytest.mark.parametrize("suffix", [".index", ".data-00000-of-00001"])
def test_a_damaged_checkpoint_is_one_line(training, suffix):
    path = checkpoint_path(training.run.checkpoints, "latest")
    with open(path + suffix, "r+b") as file:
        file.truncate(10)
    with pytest.raises(InputError, match="damaged"):
        small_training(training.run.path).fit()


def test_weights_of_another_model_are_refused(training):
    with pytest.raises(InputError, match="another model"):
        load_weights(SmallModel(units=5), training.run.checkpoints, "latest")
