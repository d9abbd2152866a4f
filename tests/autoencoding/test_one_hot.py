"""The 4 -> 2 -> 4 autoencoder of the introduction: its codes are 00, 01, 10 and 11, always."""

import keras
import numpy as np
import pytest

from tf_models.autoencoding.model import build_model
from tf_models.autoencoding.settings import preset
from tf_models.data.image_batches import ImageBatches
from tf_models.data.images import one_hot_images
from tf_models.training.optimizers import make_adam

SETTINGS = preset("one-hot")
IMAGES = one_hot_images()


def batches(seed):
    return ImageBatches(IMAGES.train.images, IMAGES.maximum, SETTINGS.training.batch_size, seed)


@pytest.fixture(scope="module")
def train():
    """Train from a seed; all seeds share one traced step."""
    epochs = SETTINGS.training.epochs
    model = build_model(SETTINGS, IMAGES.shape)
    model.compile(make_adam(SETTINGS.optimizer, epochs * len(batches(0))))
    model.optimizer.build(model.trainable_variables)
    fresh = [variable.numpy() for variable in model.optimizer.variables]

    def trained(seed):
        keras.utils.set_random_seed(seed)
        model.set_weights(build_model(SETTINGS, IMAGES.shape, seed).get_weights())
        for variable, value in zip(model.optimizer.variables, fresh, strict=True):
            variable.assign(value)
        model.fit(batches(seed).batches_from(0, 0, epochs), shuffle=False, verbose=0)
        return model

    return trained


@pytest.mark.parametrize("seed", range(8))
def test_codes_are_all_four_pairs_of_bits(train, seed):
    model = train(seed)
    four = np.unique(IMAGES.test.images, axis=0).astype(np.float32)
    codes = model.encoder.predict(four, verbose=0)

    assert np.abs(codes - np.round(codes)).max() < 0.1
    assert len(np.unique(np.round(codes), axis=0)) == 4
    np.testing.assert_array_equal(np.round(model.decoder.predict(codes, verbose=0)), four)
