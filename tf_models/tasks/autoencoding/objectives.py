"""What training minimises, and what it reports, of autoencoders."""

from collections.abc import Callable

import keras
import tensorflow as tf

from tf_models.training.train_step import BatchSums


class ReconstructionObjective:
    """A loss between what an autoencoder returns and what it should, summed over the images.

    Args:
        model: x -> x^.
        loss: (target, x^) -> the loss of each image, (batch,).
    """

    unit = "images"
    names = ("loss",)

    def __init__(self, model: keras.Model, loss: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]):
        self._model, self._loss = model, loss

    def count(self, x: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """Images in a batch: a scalar, float32."""
        return tf.cast(tf.shape(x)[0], tf.float32)

    def sums(self, x: tf.Tensor, target: tf.Tensor, training: bool) -> BatchSums:
        """Of images as the encoder sees them, and as they should come back."""
        loss = tf.reduce_sum(self._loss(target, self._model(x, training=training)))
        return BatchSums(loss, {"loss": loss})
