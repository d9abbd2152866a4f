"""The 4 -> 2 -> 4 autoencoder of the introduction: its codes are 00, 01, 10 and 11, always."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from tf_models.training.train_step import TrainStep

from tf_models.data.images.batches import ImageBatches
from tf_models.data.images.loading import one_hot_images
from tf_models.tasks.autoencoding.models import build_model
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import trainable

SETTINGS = preset("one-hot")
IMAGES = one_hot_images()


@pytest.fixture(scope="module")
def train():
    """Train from a seed; all seeds share one traced step."""

    def build(seed):
        keras.utils.set_random_seed(seed)
        return build_model(SETTINGS, IMAGES.shape, seed, 1)

    def batches(seed):
        return ImageBatches(IMAGES.train.images, IMAGES.maximum, SETTINGS.training.batch_size, seed)

    model = build(0)
    model, optimizer, objective = trainable(model, SETTINGS, len(batches(0)))
    optimizer.build(model.trainable_variables)
    step = TrainStep(
        model,
        optimizer,
        objective,
        tf.distribute.get_strategy(),
        batches(0).in_order().element_spec,
    )

    def trained(seed):
        model.set_weights(build(seed).get_weights())
        for variable in model.optimizer.variables:
            if variable is not model.optimizer._learning_rate:
                variable.assign(tf.zeros_like(variable.value))
        of_seed, epochs = batches(seed), SETTINGS.training.epochs
        step.train_steps(iter(of_seed.batches_from(0, 0, epochs)), epochs * len(of_seed))
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
