"""Layer normalisation, beside Keras' own."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.layer_check import check_layer
from tf_models.layers import LayerNormalization


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


def test_it_comes_back_from_its_config(tmp_path):
    check_layer(LayerNormalization, {"epsilon": 1e-5}, [tf.ones((5, 12))], [(5, 12)], 2, tmp_path)
