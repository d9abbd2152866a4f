import numpy as np
import pytest
import tensorflow as tf

from tests.support.layer_check import check_layer
from tf_models.transformer.attention import MultiHeadAttention, scaled_dot_product_attention


def random(*shape):
    return tf.constant(np.random.default_rng(0).normal(size=shape), tf.float32)


def test_the_illustrated_transformers_numbers():
    """Row 43: scores 112 and 96 over a depth of 64 give weights .88 and .12."""
    q = tf.concat([[[1.0]], tf.zeros((1, 63))], axis=1)
    k = tf.concat([[[112.0], [96.0]], tf.zeros((2, 63))], axis=1)
    v = tf.constant([[1.0, 0.0], [0.0, 1.0]])
    output, weights = scaled_dot_product_attention(q, k, v)

    np.testing.assert_allclose(weights, [[0.8808, 0.1192]], atol=1e-4)
    np.testing.assert_allclose(output, weights, atol=1e-7)


def test_blocked_keys_get_no_weight_and_rows_sum_to_one():
    mask = tf.constant([[0.0, 1.0, 0.0, 1.0]])
    _, weights = scaled_dot_product_attention(random(3, 8), random(4, 8), random(4, 8), mask)

    np.testing.assert_array_equal(weights[:, 1::2], np.zeros((3, 2)))
    np.testing.assert_allclose(tf.reduce_sum(weights, axis=-1), np.ones(3), atol=1e-6)


def test_minus_1e9_is_as_good_as_minus_infinity():
    q, k, v = random(3, 8), random(4, 8), random(4, 8)
    _, weights = scaled_dot_product_attention(q, k, v, tf.constant([[0.0, 1.0, 0.0, 0.0]]))
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(8)
    expected = tf.nn.softmax(scores + [[0.0, -np.inf, 0.0, 0.0]])

    np.testing.assert_allclose(weights, expected, atol=1e-7)


def test_layer(tmp_path):
    sentence = random(2, 5, 16)
    check_layer(
        MultiHeadAttention,
        {"d_model": 16, "num_heads": 4},
        (sentence, sentence, sentence),
        [(2, 5, 16), (2, 4, 5, 5)],
        8,
        tmp_path,
    )


def test_the_articles_shapes():
    """Rows 33 and 35: (1, 9, 512) is kept; 12 target tokens look at 9 source tokens."""
    mha = MultiHeadAttention(512, 8)
    output, weights = mha(random(1, 9, 512), random(1, 9, 512), random(1, 9, 512))
    assert output.shape == (1, 9, 512)
    assert weights.shape == (1, 8, 9, 9)

    output, weights = mha(random(1, 9, 512), random(1, 9, 512), random(1, 12, 512))
    assert output.shape == (1, 12, 512)
    assert weights.shape == (1, 8, 12, 9)


def test_split_heads_gives_each_head_64_neighbours():
    """Row 34: the tensor 1 … 4608."""
    sample = tf.reshape(tf.range(1, 4609), (1, 9, 512))
    heads = MultiHeadAttention(512, 8).split_heads(sample, 1)

    assert heads.shape == (1, 8, 9, 64)
    np.testing.assert_array_equal(heads[0, 0, 0], np.arange(1, 65))
    np.testing.assert_array_equal(heads[0, 7, 8], np.arange(4545, 4609))


@pytest.mark.parametrize(("d_model", "num_heads"), [(130, 8), (8, 0)])
def test_heads_must_divide_the_model(d_model, num_heads):
    with pytest.raises(ValueError, match=f"received d_model={d_model}, num_heads={num_heads}"):
        MultiHeadAttention(d_model, num_heads)


def test_projections_in_one_product_are_the_same():
    """Keys, values and queries of one tensor are computed together, of equal ones apart."""
    mha, x = MultiHeadAttention(16, 4), random(2, 5, 16)
    mha.build()
    for weight in mha.trainable_weights:  # biases, too
        weight.assign(random(*weight.shape))
    together = mha(x, x, x)
    memory = mha(x, x, tf.identity(x))
    apart = mha(tf.identity(x), tf.identity(x), tf.identity(x))

    for a, b, c in zip(together, memory, apart, strict=True):
        np.testing.assert_allclose(a, c, atol=1e-5)
        np.testing.assert_allclose(b, c, atol=1e-5)
