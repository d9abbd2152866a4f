"""What training minimises, and what it reports, of a text classifier."""

import tensorflow as tf

from tf_models.training.train_step import BatchSums
from tf_models.transformer.classifier import TransformerClassifier


class ClassificationObjective:
    """Cross-entropy of the right class in nats, for `tf_models.training.train_step.TrainStep`.

    Args:
        model: to be trained.
    """

    unit = "texts"
    names = ("loss", "accuracy")

    def __init__(self, model: TransformerClassifier):
        self._model = model

    def count(self, ids: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Texts in a batch: a scalar, float32."""
        return tf.cast(tf.shape(ids)[0], tf.float32)

    def sums(self, ids: tf.Tensor, labels: tf.Tensor, training: bool) -> BatchSums:
        """Sums over texts (batch, len) whose classes have the numbers labels (batch, 1)."""
        labels = labels[:, 0]  # (batch,)
        logits, _ = self._model(ids, training=training)  # (batch, num_classes)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_sum(losses)
        right = tf.equal(tf.argmax(logits, axis=-1, output_type=labels.dtype), labels)
        return BatchSums(
            loss, {"loss": loss, "accuracy": tf.reduce_sum(tf.cast(right, tf.float32))}
        )
