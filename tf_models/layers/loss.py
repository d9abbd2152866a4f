"""Cross-entropy and accuracy over real tokens only."""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.training.step import LossSums


class TokenSums(NamedTuple):
    """Sums over tokens, float32 scalars.

    loss: what is minimised, in nats; only this one needs a gradient.
    cross_entropy: the same without label smoothing or other additions.
    correct: tokens whose right id has the greatest probability.
    """

    loss: tf.Tensor
    cross_entropy: tf.Tensor
    correct: tf.Tensor


def real_tokens(real: tf.Tensor) -> tf.Tensor:
    """1.0 where `real` holds a token, 0.0 where it holds padding; same shape, float32."""
    return tf.cast(tf.not_equal(real, PADDING_ID), tf.float32)


def token_losses(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Cross-entropy of each token in nats, (batch, tar_len), float32; 0 at padding.

    Of ids (batch, tar_len) and logits (batch, tar_len, target_vocab_size).
    """
    labels = _whole(real)
    pred = tf.cast(pred, tf.float32)  # 16-bit floats have too few digits
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=pred)
    return losses * real_tokens(real)


def correct_tokens(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """1.0 where the most probable id is the right one; 0 at padding. (batch, tar_len)."""
    labels = _whole(real)
    guesses = tf.argmax(pred, axis=-1, output_type=labels.dtype)
    return tf.cast(tf.equal(guesses, labels), tf.float32) * real_tokens(real)


def _whole(ids: tf.Tensor) -> tf.Tensor:
    """Keras passes floats to a loss of `compile`, whatever the targets were."""
    ids = tf.convert_to_tensor(ids)
    return ids if ids.dtype.is_integer else tf.cast(ids, tf.int32)


@keras.saving.register_keras_serializable(package="tf_models")
def loss_function(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Mean cross-entropy over the real tokens of a batch, in nats (a scalar); 0 if there are none.

    Also for `compile(loss=loss_function, metrics=[accuracy_function])`. Shapes: `token_losses`.

    Example:
        >>> real, pred = tf.constant([[1, 2, 0]]), tf.zeros((1, 3, 4))
        >>> print(f"{loss_function(real, pred):.4f} nats")  # ln 4: four ids alike
        1.3863 nats
    """
    return _mean_of_real(token_losses(real, pred), real)


@keras.saving.register_keras_serializable(package="tf_models")
def accuracy_function(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Share of the real tokens whose most probable id is the right one: a scalar, 0 to 1. Shapes:
    `token_losses`.
    """
    return _mean_of_real(correct_tokens(real, pred), real)


def _mean_of_real(values: tf.Tensor, real: tf.Tensor) -> tf.Tensor:
    return tf.math.divide_no_nan(tf.reduce_sum(values), tf.reduce_sum(real_tokens(real)))


def token_sums(real: tf.Tensor, pred: tf.Tensor, smoothing: float = 0.0) -> TokenSums:
    """The sums of a batch over its real tokens, from the logits of all.

    With label smoothing (Szegedy et al. 2016, section 7) the target is the right id with
    probability 1 - smoothing, and any id, that one too, with smoothing / vocabulary.

    Args:
        real: ids, (batch, tar_len), padded with 0.
        pred: logits, (batch, tar_len, target_vocab_size).
        smoothing: 0 to below 1.
    """
    cross_entropy = loss = tf.reduce_sum(token_losses(real, pred))
    if smoothing:
        of_any_id = -tf.reduce_mean(tf.nn.log_softmax(pred), axis=-1)  # (batch, tar_len)
        of_any_id = tf.reduce_sum(of_any_id * real_tokens(real))
        loss = (1 - smoothing) * cross_entropy + smoothing * of_any_id
    return TokenSums(loss, cross_entropy, tf.reduce_sum(correct_tokens(real, pred)))


class TokenLossMixin:
    """Loss of a translator: the mean cross-entropy of the real target tokens.

    The model has `decoder_states(inp, tar, training)`, what its output layer reads, and
    `cross_entropy(states, labels, smoothing)`, output layer and loss in one. Only real tokens get
    logits.

    label_smoothing: share of the target distribution that all ids have in common, in training.
    """

    unit = "tokens"
    label_smoothing = 0.0
    decoder_states: Callable[..., tuple[tf.Tensor, Any]]
    cross_entropy: Callable[..., TokenSums]

    def count(self, inp: tf.Tensor, tar: tf.Tensor) -> tf.Tensor:
        """Real tokens that are predicted: a scalar, float32."""
        return tf.reduce_sum(real_tokens(tar[:, 1:]))

    def loss_sums(self, inp: tf.Tensor, tar: tf.Tensor, training: bool) -> LossSums:
        """Sums over source ids (batch, inp_len) and target ids (batch, tar_len).

        tar[:, :-1] is read, tar[:, 1:] predicted. What is shown has no label smoothing.
        """
        real = tf.where(tf.not_equal(tar[:, 1:], PADDING_ID))  # (tokens, 2)
        labels = tf.gather_nd(tar[:, 1:], real)
        states, _ = self.decoder_states(inp, tar[:, :-1], training=training)
        states = tf.gather_nd(states, real)  # (tokens, width)
        if not training:  # in 16 bits many ids would share the greatest probability
            states = tf.cast(states, tf.float32)
        smoothing = self.label_smoothing if training else 0.0
        sums = self.cross_entropy(states, labels, smoothing)
        return LossSums(sums.loss, {"loss": sums.cross_entropy, "accuracy": sums.correct})


def class_sums(labels: tf.Tensor, logits: tf.Tensor) -> LossSums:
    """Cross-entropy in nats and correct classes, summed.

    Args:
        labels: numbers of the classes, (batch,) or (batch, 1).
        logits: (batch, num_classes).
    """
    labels = tf.reshape(labels, (-1,))  # (batch,)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_sum(losses)
    correct = tf.equal(tf.argmax(logits, axis=-1, output_type=labels.dtype), labels)
    return LossSums(loss, {"loss": loss, "accuracy": tf.reduce_sum(tf.cast(correct, tf.float32))})
