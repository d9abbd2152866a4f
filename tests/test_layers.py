"""Dropout and layer normalisation, beside Keras' own."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.layer_check import check_layer
from tf_models.errors import InputError
from tf_models.layers import Dropout, LayerNormalization, random_levels

ONES = tf.ones((301, 333))  # an odd number of units


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_share_and_scale(rate):
    dropped = Dropout(rate, seed=1)(ONES, training=True).numpy()

    assert np.mean(dropped == 0) == pytest.approx(rate, abs=0.005)
    np.testing.assert_allclose(np.unique(dropped), [0, 1 / (1 - rate)], rtol=1e-4)


def test_nothing_happens_outside_training():
    np.testing.assert_array_equal(Dropout(0.5)(ONES), ONES)
    np.testing.assert_array_equal(Dropout(0.5)(ONES, training=False), ONES)
    np.testing.assert_array_equal(Dropout(0.0)(ONES, training=True), ONES)


def test_noise_is_new_each_time_and_repeats_with_the_seed():
    one, other = Dropout(0.3, seed=1), Dropout(0.3, seed=1)
    first = one(ONES, training=True)

    np.testing.assert_array_equal(first, other(ONES, training=True))
    assert not np.array_equal(first, one(ONES, training=True))


def test_units_are_dropped_independently():
    """Four units share a random number, a quarter each."""
    noise = random_levels(tf.constant([4000, 4]), tf.constant([1, 2]))[0].numpy().astype(float)

    correlations = np.corrcoef(noise.T) - np.eye(4)
    assert np.abs(correlations).max() < 0.05
    np.testing.assert_array_equal(np.unique(noise), range(-128, 128))


@pytest.mark.parametrize("rate", [0.1, 0.9951])
def test_rates_between_two_levels(rate):
    """0.1 is 25.6 levels of 256: a call drops 25 or 26, and on average the rate is right."""
    layer = Dropout(rate, seed=3)
    shares = [np.mean(layer(ONES, training=True).numpy() == 0) for _ in range(200)]

    below = np.floor(rate * 256) / 256
    assert np.mean(shares) == pytest.approx(rate, abs=0.0005)
    assert np.quantile(shares, 0.1) == pytest.approx(below, abs=0.002)
    assert np.quantile(shares, 0.9) == pytest.approx(below + 1 / 256, abs=0.002)


def test_a_rate_too_high():
    assert Dropout(255 / 256)(ONES, training=True).shape == ONES.shape
    with pytest.raises(InputError, match="at most 255/256; received 0.999"):
        Dropout(0.999)


def test_the_gradient_passes_where_a_unit_was_kept():
    layer = Dropout(0.3, seed=1)
    with tf.GradientTape() as tape:
        tape.watch(ONES)
        dropped = layer(ONES, training=True)
    np.testing.assert_array_equal(tape.gradient(dropped, ONES), dropped)


@pytest.fixture
def layers():
    """Ours and Keras', with the same weights."""
    pair = [kind(epsilon=1e-6) for kind in (LayerNormalization, keras.layers.LayerNormalization)]
    random = np.random.default_rng(0)
    weights = random.normal(size=(2, 12))
    for layer in pair:
        layer.build((None, None, 12))
        layer.set_weights(weights)
    return pair


def value_and_gradients(layer, inputs):
    """Of a weighted sum of the layer's outputs, by inputs, gamma and beta."""
    weights = tf.random.stateless_normal(inputs.shape, (3, 4))
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        outputs = layer(inputs)
        loss = tf.reduce_sum(tf.cast(outputs, tf.float32) * weights)
    return outputs, tape.gradient(loss, [inputs, layer.gamma.value, layer.beta.value])


@pytest.mark.parametrize("shape", [(5, 12), (3, 5, 12), (0, 5, 12)])
def test_it_is_keras_layer_normalization(layers, shape):
    inputs = 3 + 2 * tf.random.stateless_normal(shape, (1, 2))
    (ours, our_gradients), (theirs, their_gradients) = (
        value_and_gradients(layer, inputs) for layer in layers
    )

    np.testing.assert_allclose(ours, theirs, atol=2e-6)
    for one, other in zip(our_gradients, their_gradients, strict=True):
        np.testing.assert_allclose(one, other, atol=5e-6)


def test_sixteen_bits_are_normalised_in_thirty_two(layers):
    """A mean of 100 would leave bfloat16 no digits for the rest."""
    ours, theirs = layers
    narrow = LayerNormalization(epsilon=1e-6, dtype="mixed_bfloat16")
    narrow.build((None, 12))
    narrow.set_weights(ours.get_weights())
    inputs = tf.cast(100 + tf.random.stateless_normal((4, 12), (1, 2)), tf.bfloat16)
    outputs, gradients = value_and_gradients(narrow, inputs)
    expected, _ = value_and_gradients(theirs, tf.cast(inputs, tf.float32))

    assert outputs.dtype == gradients[0].dtype == tf.bfloat16
    assert gradients[1].dtype == tf.float32
    np.testing.assert_allclose(tf.cast(outputs, tf.float32), expected, atol=0.02)


@pytest.mark.parametrize(
    ("layer_class", "arguments", "weights"),
    [(Dropout, {"rate": 0.3, "seed": 1}, 0), (LayerNormalization, {"epsilon": 1e-5}, 2)],
)
def test_they_come_back_from_their_configs(layer_class, arguments, weights, tmp_path):
    check_layer(layer_class, arguments, [ONES], [tuple(ONES.shape)], weights, tmp_path)
