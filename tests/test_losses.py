"""Losses over real tokens; the fused output layer and loss against the plain ones."""

import numpy as np
import pytest
import tensorflow as tf

from tf_models import output_layer
from tf_models.losses import accuracy_function, correct_tokens, loss_function, token_losses
from tf_models.output_layer import linear_cross_entropy

TOKENS, D_MODEL, VOCABULARY = 13, 8, 21


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(output_layer, "CHUNK_TOKENS", 5)  # 5 + 5 + 3 tokens


@pytest.fixture
def tensors():
    random = np.random.default_rng(0)
    shapes = ((TOKENS, D_MODEL), (D_MODEL, VOCABULARY), (VOCABULARY,))
    states, kernel, bias = (tf.constant(random.normal(size=s), tf.float32) for s in shapes)
    return states, kernel, bias, tf.constant(random.integers(1, VOCABULARY, TOKENS), tf.int32)


def plain(states, kernel, bias, labels, smoothing):
    targets = tf.one_hot(labels, VOCABULARY) * (1 - smoothing) + smoothing / VOCABULARY
    logits = tf.matmul(states, kernel) + bias
    return tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(targets, logits)), logits


def loss_and_gradients(function, *tensors):
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        loss = function(*tensors) / 7  # so that what comes from above is not 1
    return loss, tape.gradient(loss, tensors)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("vocabulary_first", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradients_are_the_plain_ones(tensors, smoothing, vocabulary_first, compiled):
    *tensors, labels = tensors

    def fused(states, kernel, bias):
        kernel = tf.transpose(kernel) if vocabulary_first else kernel
        options = {"smoothing": smoothing, "vocabulary_first": vocabulary_first}
        return linear_cross_entropy(states, kernel, bias, labels, **options).smoothed_loss

    fused = tf.function(fused) if compiled else fused
    loss, gradients = loss_and_gradients(fused, *tensors)
    expected_loss, expected = loss_and_gradients(
        lambda *t: plain(*t, labels, smoothing)[0], *tensors
    )

    assert float(loss) == pytest.approx(float(expected_loss), rel=1e-6)
    for ours, theirs in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def with_hits(tensors, labels):
    """Labels of which the first four at least are what the model predicts."""
    predicted = tf.argmax(plain(*tensors, labels, 0.0)[1], -1, tf.int32)
    labels = tf.where(tf.range(TOKENS) < 4, predicted, 1)
    return labels, np.sum(predicted == labels)


def test_what_is_reported_has_no_smoothing(tensors):
    *tensors, labels = tensors
    labels, correct = with_hits(tensors, labels)
    cross_entropy, _ = plain(*tensors, labels, 0.0)
    sums = linear_cross_entropy(*tensors, labels, smoothing=0.1)

    assert float(sums.cross_entropy) == pytest.approx(float(cross_entropy), rel=1e-6)
    assert float(sums.smoothed_loss) != pytest.approx(float(cross_entropy), rel=1e-3)
    assert float(sums.correct) == correct >= 4


def test_no_token_at_all(tensors):
    states, kernel, bias, labels = tensors
    loss, gradients = loss_and_gradients(
        lambda *t: linear_cross_entropy(*t, labels[:0]).smoothed_loss, states[:0], kernel, bias
    )

    assert float(loss) == 0
    assert all(not np.any(gradient) for gradient in gradients)


def test_a_hopeless_token_has_a_finite_loss(tensors):
    states, kernel, bias, labels = tensors
    loss, gradients = loss_and_gradients(
        lambda *t: linear_cross_entropy(*t, labels).smoothed_loss, states * 1e4, kernel, bias
    )

    assert np.isfinite(loss)
    assert all(np.all(np.isfinite(gradient)) for gradient in gradients)


@pytest.mark.parametrize("vocabulary_first", [False, True])
def test_sixteen_bits_come_close(tensors, vocabulary_first):
    *tensors, labels = tensors
    labels, correct = with_hits(tensors, labels)
    narrow = [tf.cast(t, tf.bfloat16) for t in tensors[:2]] + tensors[2:]

    def sums(states, kernel, bias):
        kernel = tf.transpose(kernel) if vocabulary_first else kernel
        return linear_cross_entropy(states, kernel, bias, labels, vocabulary_first=vocabulary_first)

    loss, gradients = loss_and_gradients(lambda *t: sums(*t).smoothed_loss, *narrow)
    expected_loss, expected = loss_and_gradients(lambda *t: plain(*t, labels, 0.0)[0], *tensors)

    assert [g.dtype for g in gradients] == [tf.bfloat16, tf.bfloat16, tf.float32]
    assert float(loss) == pytest.approx(float(expected_loss), rel=0.01)
    for ours, theirs in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(tf.cast(ours, tf.float32), theirs, atol=0.03)
    assert float(sums(*narrow).correct) == correct


REAL = tf.constant([[2, 1, 0], [3, 0, 0]])
LOGITS = tf.math.log(
    [
        [[0.1, 0.2, 0.5, 0.2], [0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]],
        [[0.1, 0.1, 0.2, 0.6], [0.7, 0.1, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1]],
    ]
)


def test_loss_is_the_mean_over_real_tokens():
    expected = -(np.log(0.5) + np.log(0.2) + np.log(0.6)) / 3

    assert float(loss_function(REAL, LOGITS)) == pytest.approx(expected, abs=1e-6)


def test_accuracy_counts_real_tokens_only():
    assert float(accuracy_function(REAL, LOGITS)) == pytest.approx(2 / 3)


def test_padding_has_neither_loss_nor_hit():
    np.testing.assert_array_equal(token_losses(REAL, LOGITS)[:, 2], [0, 0])
    np.testing.assert_array_equal(correct_tokens(REAL, LOGITS), [[1, 0, 0], [1, 0, 0]])


def test_logits_are_not_taken_for_probabilities():
    assert float(loss_function(tf.constant([[1]]), tf.constant([[[0.0, 100.0]]]))) == 0
