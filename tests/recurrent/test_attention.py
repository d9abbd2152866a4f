import numpy as np
import pytest
import tensorflow as tf

from tf_models.recurrent.attention import BahdanauAttention

BATCH, LENGTH, STATE, FEATURES, UNITS = 2, 5, 3, 4, 6


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    query = rng.normal(size=(BATCH, STATE)).astype(np.float32)
    values = rng.normal(size=(BATCH, LENGTH, FEATURES)).astype(np.float32)
    return query, values, np.array([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]], np.float32)


@pytest.fixture
def attention():
    layer = BahdanauAttention(UNITS)
    layer.build((None, STATE), (None, None, FEATURES))
    rng = np.random.default_rng(1)
    layer.set_weights([rng.normal(size=weight.shape) for weight in layer.get_weights()])
    return layer


def written_out(layer, query, values, mask):
    """Bahdanau et al. 2015, equations 5 and 6 and appendix A.1.2, loop by loop."""
    weights = {
        f"{name}.{weight.name}": weight.numpy()
        for name in ("W1", "W2", "V")
        for weight in getattr(layer, name).weights
    }
    contexts, alphas = [], []
    for s, annotations, blocked in zip(query, values, mask, strict=True):
        e = []
        for h in annotations:
            first = s @ weights["W1.kernel"] + weights["W1.bias"]
            second = h @ weights["W2.kernel"] + weights["W2.bias"]
            e.append((np.tanh(first + second) @ weights["V.kernel"] + weights["V.bias"])[0])
        exps = np.where(blocked, 0, np.exp(e))
        alpha = exps / exps.sum()
        alphas.append(alpha)
        contexts.append(sum(a * h for a, h in zip(alpha, annotations, strict=True)))
    return np.array(contexts), np.array(alphas)


def test_equal_to_the_equations_written_out(attention, inputs):
    context, weights = attention(*inputs)
    expected_context, expected_weights = written_out(attention, *inputs)

    np.testing.assert_allclose(weights, expected_weights, atol=1e-6)
    np.testing.assert_allclose(context, expected_context, atol=1e-5)


def test_nothing_attends_to_padding_and_a_row_sums_to_one(attention, inputs):
    _, weights = attention(*inputs)

    assert (weights.numpy()[0, 3:] == 0).all()
    np.testing.assert_allclose(weights.numpy().sum(axis=1), 1, atol=1e-6)


def test_several_states_at_once_are_each_by_itself(attention, inputs):
    query, values, mask = inputs
    both = np.stack([query, 2 * query], axis=1)  # (batch, 2, state)
    context, weights = attention.attend(both, attention.keys(values), values, mask)
    for n, one in enumerate((query, 2 * query)):
        alone, alone_weights = attention(one, values, mask)
        np.testing.assert_allclose(context[:, n], alone, atol=1e-6)
        np.testing.assert_allclose(weights[:, n], alone_weights, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "mixed_float16"])
def test_padding_alone_stays_finite(dtype):
    layer = BahdanauAttention(5, dtype=dtype)
    context, weights = layer(tf.zeros((3, 2)), tf.ones((3, 4, 2)), tf.ones((3, 4)))
    assert np.isfinite(context).all()
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1, atol=2e-3)
