"""Models of images, sentences and questions in 16 bits."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.networks import (
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
)
from tf_models.autoencoders.variational import VAE
from tf_models.recurrent.question_answering import QuestionAnsweringModel
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder

SHAPE, LATENTS = (6, 5, 1), 2
IDS = tf.constant(np.random.default_rng(0).integers(1, 9, (8, 4)))
IMAGES = np.random.default_rng(0).random((8, *SHAPE)).astype(np.float32)


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


def dense_vae(**options):
    body = dense_encoder(SHAPE, 8, [8], code_activation="relu")
    decoder = dense_decoder(SHAPE, LATENTS, [8], output_activation="linear")
    return VAE(normal_encoder(body, LATENTS), decoder, seed=1, **options)


def convolutional_vae():
    encoder = normal_encoder(convolutional_encoder(SHAPE, 8, [2, 3]), LATENTS)
    decoder = convolutional_decoder(SHAPE, LATENTS, [2, 3], output_activation="linear")
    return VAE(encoder, decoder, kl_warmup_steps=3, seed=1)


def moved(make, data, optimizer):
    """The change of all weights in a step."""
    keras.utils.set_random_seed(0)
    model = make()
    before = np.concatenate([np.ravel(weight) for weight in model.trainable_variables])
    model.compile(optimizer)
    optimizer.build(model.trainable_variables)
    model.train_step(data)
    return np.concatenate([np.ravel(weight) for weight in model.trainable_variables]) - before


FACTS = ((tf.tile(IDS[:, tf.newaxis], (1, 2, 1)), IDS), (IDS, tf.ones((8, 2), tf.int32)))


@pytest.mark.parametrize(
    ("make", "data"),
    [
        (dense_vae, IMAGES),
        (convolutional_vae, IMAGES),
        (lambda: SequenceAutoencoder(9, 4, 4), (IDS, IDS)),
        (lambda: QuestionAnsweringModel(9, 9, 4, 4, support_weight=1.0), FACTS),
    ],
)
def test_mixed_float16_learns_as_float32_does(make, data):
    plain = moved(make, data, keras.optimizers.SGD(0.01))
    keras.config.set_dtype_policy("mixed_float16")
    try:
        scaled = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.01), initial_scale=256)
        half = moved(make, data, scaled)
    finally:
        keras.config.set_dtype_policy("float32")

    assert np.linalg.norm(plain) > 1e-4
    assert np.linalg.norm(half - plain) < 0.05 * np.linalg.norm(plain)
