"""The layers lifted out: in functional models, with other widths, masks and options of Keras."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models import tutorial
from tf_models.layers import LayerNormalization
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.layers import DecoderLayer, EncoderLayer

X = tf.constant(np.random.default_rng(0).normal(size=(2, 5, 8)), tf.float32)
WIDE = tf.constant(np.random.default_rng(1).normal(size=(2, 7, 12)), tf.float32)


def test_lengths_stay_known_in_a_functional_model():
    inputs = keras.Input((7, 16))
    output, weights = MultiHeadAttention(16, 2)(inputs, inputs, inputs)
    assert (output.shape, weights.shape) == ((None, 7, 16), (None, 2, 7, 7))
    assert keras.layers.Flatten()(output).shape == (None, 7 * 16)


def test_keys_and_values_of_another_width():
    attention = MultiHeadAttention(8, 2)
    output, weights = attention(WIDE, WIDE, X)
    expected = tf.matmul(
        weights, attention.split_heads(attention.wv(WIDE), 2)
    )  # (batch, heads, len_q, depth)
    expected = tf.reshape(tf.transpose(expected, [0, 2, 1, 3]), (2, 5, 8))
    np.testing.assert_allclose(output, attention.dense(expected), atol=1e-5)
    assert attention.wk.kernel.shape == (12, 8)
    assert [part.shape for part in DecoderLayer(8, 2, 16)(X, WIDE)] == [
        (2, 5, 8),
        (2, 2, 5, 5),
        (2, 2, 5, 7),
    ]


def test_a_mask_of_three_axes_is_refused():
    attention = MultiHeadAttention(8, 2)
    with pytest.raises(ValueError, match=r"three axes .* mask\[:, tf.newaxis\]"):
        attention(X, X, X, tf.zeros((2, 5, 5)))
    blocked = tf.linalg.band_part(tf.ones((5, 5)), 0, -1) - tf.eye(5)
    _, weights = attention(X, X, X, blocked)
    np.testing.assert_array_equal(np.triu(weights[0, 0], 1), np.zeros((5, 5)))


def test_time_distributed():
    layer = keras.layers.TimeDistributed(tutorial.EncoderLayer(8, 2, 16))
    assert layer(keras.Input((3, 5, 8))).shape == (None, 3, 5, 8)
    three = tf.stack([X, 2 * X, -X], axis=1)  # (batch, 3, len, d_model)
    np.testing.assert_allclose(layer(three)[:, 1], layer.layer(2 * X), atol=1e-5)


@pytest.mark.parametrize("policy", ["bfloat16", "float64", "mixed_float16"])
def test_policies_of_other_widths(policy):
    output, weights = EncoderLayer(8, 2, 16, dtype=policy)(tf.cast(X, tf.float64))
    assert output.dtype == keras.DTypePolicy(policy).compute_dtype
    assert weights.dtype == tf.float32


@pytest.mark.parametrize("options", [{"axis": 1}, {"center": False}, {"scale": False}])
def test_layer_normalization_takes_what_keras_takes(options):
    ours, theirs = LayerNormalization(**options), keras.layers.LayerNormalization(**options)
    np.testing.assert_allclose(ours(X), theirs(X), atol=1e-5)


def test_labels_out_of_range_are_refused():
    from tests.support.public_models import CASES, CLASSES, INP

    model = CASES["TransformerClassifier"].make()
    model.compile("sgd")
    before = model.get_weights()
    with pytest.raises(tf.errors.InvalidArgumentError, match="labels must be 0 to 2"):
        model.fit(INP, CLASSES + 1, verbose=0)
    for weight, expected in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(weight, expected)
    one_hot = model.evaluate(INP, np.eye(3)[CLASSES], verbose=0)
    assert one_hot == pytest.approx(model.evaluate(INP, CLASSES, verbose=0), rel=1e-5)


def test_a_batch_without_a_target_changes_nothing():
    from tests.support.public_models import CASES, INP, TAR

    model = CASES["Transformer"].make()
    model.compile(keras.optimizers.SGD(0.1))
    before = model.get_weights()
    assert model.train_on_batch(INP, np.zeros_like(TAR))[0] == 0
    for weight, expected in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(weight, expected)


def test_a_weight_that_no_gradient_reaches_is_a_warning():
    from tests.support.public_models import CASES, IMAGES

    model = CASES["Autoencoder"].make()
    model.unused = keras.layers.Dense(2)
    model.unused.build((None, 2))
    model.compile("sgd")
    with pytest.warns(UserWarning, match="Gradients do not exist"):
        model.train_on_batch(IMAGES, IMAGES)
