"""What the training of a classifier minimises."""

import tensorflow as tf

from tf_models.layers.models import LogitsModel
from tf_models.training.train_step import BatchSums


class ClassificationObjective:
    """Cross-entropy of the right class in nats, for `tf_models.training.train_step.TrainStep`.

    Args:
        model: returns logits first.
        unit: what it classifies.
    """

    names = ("loss", "accuracy")

    def __init__(self, model: LogitsModel, unit: str = "texts"):
        self._model, self.unit = model, unit

    def count(self, inputs: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Texts or images in a batch: a scalar, float32."""
        return tf.cast(tf.shape(inputs)[0], tf.float32)

    def sums(self, inputs: tf.Tensor, labels: tf.Tensor, training: bool) -> BatchSums:
        """Of inputs (batch, …) whose classes have the numbers labels, (batch,) or (batch, 1)."""
        labels = tf.reshape(labels, (-1,))  # (batch,)
        logits, _ = self._model(inputs, training=training)  # (batch, num_classes)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_sum(losses)
        right = tf.equal(tf.argmax(logits, axis=-1, output_type=labels.dtype), labels)
        return BatchSums(
            loss, {"loss": loss, "accuracy": tf.reduce_sum(tf.cast(right, tf.float32))}
        )
