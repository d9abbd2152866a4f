"""The short cut against the plain way: top_k over all of the vocabulary."""

import numpy as np
import pytest
import tensorflow as tf

from tf_models.search.top_k import CHUNK, IMPOSSIBLE, top_k_continuations


def plainly(logits, log_probs, count):
    batch, n, vocabulary = logits.shape
    totals = tf.nn.log_softmax(logits) + log_probs[:, :, tf.newaxis]
    best, places = tf.nn.top_k(tf.reshape(totals, (batch, n * vocabulary)), count)
    return best, places // vocabulary, places % vocabulary


def assert_equal(found, expected):
    np.testing.assert_allclose(found[0], expected[0], atol=1e-5)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])


@pytest.mark.parametrize("vocabulary", [3 * CHUNK, 3 * CHUNK + 1, 20, 1000])
@pytest.mark.parametrize(("n", "count"), [(1, 1), (1, 4), (5, 10)])
def test_equal_to_sorting_the_vocabulary(vocabulary, n, count):
    rng = np.random.default_rng(vocabulary + n)
    logits = tf.constant(rng.normal(scale=3, size=(7, n, vocabulary)), tf.float32)
    log_probs = tf.constant(rng.normal(size=(7, n)), tf.float32)

    assert_equal(top_k_continuations(logits, log_probs, count), plainly(logits, log_probs, count))


def test_of_equals_the_first_wins():
    """Few different values, so that ties lie within chunks, across them, and across hypotheses."""
    rng = np.random.default_rng(0)
    rare = rng.choice([0, 1, 2], p=[0.97, 0.02, 0.01], size=(50, 1, 5 * CHUNK))
    logits = tf.constant(rare, tf.float32) + tf.zeros((1, 4, 1))  # all hypotheses are alike

    found, expected = (f(logits, tf.zeros((50, 4)), 8) for f in (top_k_continuations, plainly))
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])


def test_the_impossible_stays_behind_everything():
    logits = tf.constant([[[0.0, IMPOSSIBLE, -200.0, 1.0]]])
    best, _, ids = top_k_continuations(logits, tf.constant([[-2.0]]), 4)

    assert ids[0].numpy().tolist() == [3, 0, 2, 1]
    np.testing.assert_allclose(best[0, 2], -203.3, atol=0.1)
    assert best[0, 3] <= IMPOSSIBLE
