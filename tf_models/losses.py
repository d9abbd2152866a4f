"""Cross-entropy and accuracy over real tokens, and two output layers."""

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.loss_sums import LossSums, weighted


def real_tokens(real: tf.Tensor) -> tf.Tensor:
    """1.0 where `real` holds a token, 0.0 at padding; same shape, float32."""
    return tf.cast(tf.not_equal(real, PADDING_ID), tf.float32)


def token_losses(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Cross-entropy of each token in nats, float32; 0 at padding.

    Ids (batch, tar_len) and logits (batch, tar_len, target_vocab_size) give (batch, tar_len).
    """
    pred = tf.cast(pred, tf.float32)  # 16-bit floats have too few digits
    labels = tf.cast(real, tf.int64)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, pred)
    return losses * real_tokens(real)


def correct_tokens(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """1.0 at real tokens that are predicted right, else 0; (batch, tar_len)."""
    guesses = tf.argmax(pred, axis=-1)
    return tf.cast(tf.equal(guesses, tf.cast(real, tf.int64)), tf.float32) * real_tokens(real)


def loss_function(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Mean cross-entropy over the real tokens of a batch, in nats.

    A scalar, 0 if there are none. Shapes: `token_losses`. The models train with the same loss by
    `output_layer.next_token_sums`, which never has the logits of all tokens in memory.

    Example:
        >>> real, pred = tf.constant([[1, 2, 0]]), tf.zeros((1, 3, 4))
        >>> print(f"{loss_function(real, pred):.4f} nats")  # ln 4: four ids alike
        1.3863 nats
    """
    return _mean_of_real(token_losses(real, pred), real)


def accuracy_function(real: tf.Tensor, pred: tf.Tensor) -> tf.Tensor:
    """Share of real tokens whose most probable id is right: scalar, 0 to 1."""
    return _mean_of_real(correct_tokens(real, pred), real)


def _mean_of_real(values: tf.Tensor, real: tf.Tensor) -> tf.Tensor:
    return tf.math.divide_no_nan(tf.reduce_sum(values), tf.reduce_sum(real_tokens(real)))


def token_sums(
    real: tf.Tensor, pred: tf.Tensor, sample_weight: tf.Tensor | None = None
) -> LossSums:
    """Sums over real tokens, from the logits of all; shapes: `token_losses`.

    Sample weights are (batch,) or (batch, tar_len).
    """
    losses = token_losses(real, pred)
    if sample_weight is not None:
        losses *= token_weights(sample_weight, real)
    loss = tf.reduce_sum(losses)
    return LossSums(loss, {"loss": loss, "accuracy": tf.reduce_sum(correct_tokens(real, pred))})


def token_weights(sample_weight: tf.Tensor, real: tf.Tensor) -> tf.Tensor:
    """Weight of each token, (batch, len), of weights (batch,) or (batch, len)."""
    weights = tf.cast(sample_weight, tf.float32)
    if weights.shape.rank == 1:
        weights = weights[:, tf.newaxis]
    return tf.broadcast_to(weights, tf.shape(real))


def class_sums(
    labels: tf.Tensor, logits: tf.Tensor, sample_weight: tf.Tensor | None = None
) -> LossSums:
    """Cross-entropy in nats and correct classes, summed.

    Args:
        labels: numbers of the classes, (batch,) or (batch, 1), of any type; or a probability of
            each class, (batch, num_classes), such as a one-hot vector.
        logits: (batch, num_classes).
        sample_weight: factors of the losses, (batch,).

    Raises:
        InvalidArgumentError: there is no class of such a number.
    """
    logits = tf.cast(logits, tf.float32)
    num_classes = logits.shape[-1]
    if labels.shape.rank == 2 and labels.shape[1] == num_classes > 1:
        probabilities = tf.cast(labels, tf.float32)
        labels = tf.argmax(probabilities, axis=-1)
        losses = tf.nn.softmax_cross_entropy_with_logits(probabilities, logits)  # (batch,)
    else:
        labels = tf.cast(tf.reshape(labels, (-1,)), tf.int64)  # (batch,)
        are_classes = tf.reduce_all((labels >= 0) & (labels < num_classes))
        message = f"labels must be 0 to {num_classes - 1}; received"
        check = tf.debugging.Assert(are_classes, [message, labels])
        with tf.control_dependencies([] if check is None else [check]):  # None: it ran at once
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)  # (batch,)
    loss = tf.reduce_sum(weighted(losses, sample_weight))
    correct = tf.equal(tf.argmax(logits, axis=-1), labels)
    return LossSums(loss, {"loss": loss, "accuracy": tf.reduce_sum(tf.cast(correct, tf.float32))})
