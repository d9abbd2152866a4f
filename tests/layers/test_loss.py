import numpy as np
import pytest
import tensorflow as tf

from tf_models.losses import accuracy_function, correct_tokens, loss_function, token_losses

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
