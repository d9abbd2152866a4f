"""MADE: an exact density whose every pixel depends on earlier pixels alone."""

import itertools

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoregressive.made import MADE, MaskedDense
from tf_models.errors import InputError

SHAPE = (3, 3, 1)
ALL_IMAGES = np.array(list(itertools.product([0, 1], repeat=9)), np.float32).reshape(-1, *SHAPE)
NETWORKS = pytest.mark.parametrize("units", [(), (20,), (20, 12), (3,)])


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


def with_random_biases(made):
    """Else an untrained model would have the same density in both orders of the pixels."""
    for weight in made.trainable_variables:
        weight.assign(0.5 * tf.random.stateless_normal(weight.shape, [1, len(weight.shape)]))
    return made


def fitted(made, images, epochs):
    made.compile(keras.optimizers.Adam(0.05))
    made.fit(images, batch_size=100, epochs=epochs, verbose=0)
    return made


@NETWORKS
def test_probabilities_of_all_images_sum_to_one(units):
    made = with_random_biases(MADE(SHAPE, units))
    probabilities = np.exp(made.log_probability(ALL_IMAGES))
    assert probabilities.sum() == pytest.approx(1, abs=1e-4)
    assert np.ptp(probabilities) > 0.001


@pytest.mark.parametrize("units", [(), (20,), (20, 12)])
def test_a_pixel_depends_on_all_earlier_ones_and_no_other(units):
    made = with_random_biases(MADE(SHAPE, units))
    made.hidden = [as_linear(layer) for layer in made.hidden]  # a dead unit would tell nothing
    x = tf.fill((1, 9), 0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        logits = made._logits(x)
    depends = tape.jacobian(logits, x)[0, :, 0].numpy() != 0  # (of pixel, on pixel)
    np.testing.assert_array_equal(depends, np.tri(9, k=-1, dtype=bool))


def as_linear(layer):
    layer.activation = keras.activations.linear
    return layer


def test_conditionals_make_the_density():
    made = with_random_biases(MADE(SHAPE, (20,)))
    conditionals = made(ALL_IMAGES)
    chosen = np.where(ALL_IMAGES == 1, conditionals, 1 - conditionals).reshape(-1, 9)
    np.testing.assert_allclose(
        made.log_probability(ALL_IMAGES), np.log(chosen).sum(axis=1), atol=1e-4
    )


def test_samples_follow_the_density():
    made = with_random_biases(MADE(SHAPE, (20,), seed=1))
    samples = made.generate(20_000).numpy()
    assert samples.shape == (20_000, *SHAPE)
    numbers = samples.reshape(-1, 9) @ (2 ** np.arange(9)[::-1])  # as ALL_IMAGES counts
    shares = np.bincount(numbers.astype(int), minlength=512) / len(samples)
    exact = np.exp(made.log_probability(ALL_IMAGES))
    assert np.abs(shares - exact).max() < 0.012
    assert not np.array_equal(samples, made.generate(20_000))


def test_it_learns_the_entropy():
    """Two stripes as likely as each other: log 2 nats an image, and no other image is made."""
    stripes = np.zeros((2, *SHAPE), np.float32)
    stripes[0, 0], stripes[1, 2] = 1, 1
    made = fitted(MADE(SHAPE, seed=1), np.repeat(stripes, 500, axis=0), epochs=60)
    assert -made.log_probability(stripes).numpy().mean() == pytest.approx(np.log(2), abs=0.03)
    is_stripe = (made.generate(50).numpy()[:, np.newaxis] == stripes).all(axis=(2, 3, 4)).any(1)
    assert is_stripe.mean() > 0.8


def test_a_hidden_layer_learns_what_no_logistic_regression_can():
    """The last of three pixels is the exclusive or of the others: 2 log 2 nats are enough."""
    rows = np.array([[a, b, a != b] for a in (0, 1) for b in (0, 1)], np.float32)
    rows = np.repeat(rows.reshape(4, 1, 3, 1), 100, axis=0)
    nats = {
        units: -fitted(MADE((1, 3, 1), units), rows, epochs=80).log_probability(rows).numpy().mean()
        for units in ((), (32,))
    }
    assert nats[()] == pytest.approx(3 * np.log(2), abs=0.05)
    assert nats[(32,)] == pytest.approx(2 * np.log(2), abs=0.05)


def test_saved_and_loaded(tmp_path):
    made = fitted(MADE(SHAPE, (20,), seed=3), ALL_IMAGES, epochs=1)
    made.save(tmp_path / "made.keras")
    loaded = keras.saving.load_model(tmp_path / "made.keras")
    assert loaded.get_config() == made.get_config()
    np.testing.assert_array_equal(
        loaded.log_probability(ALL_IMAGES), made.log_probability(ALL_IMAGES)
    )


def test_a_masked_layer_comes_back_from_its_config():
    layer = MaskedDense((1, 2, 3), (1, 2), activation="relu")
    again = MaskedDense.from_config(layer.get_config())
    np.testing.assert_array_equal(again.mask, [[1, 1], [0, 1], [0, 0]])
    assert again.get_config() == layer.get_config()


@pytest.mark.parametrize("arguments", [((1, 1, 1),), (SHAPE, (0,))])
def test_arguments_that_make_no_sense(arguments):
    with pytest.raises(InputError, match="received shape="):
        MADE(*arguments)
