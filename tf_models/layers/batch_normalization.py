"""Batch normalisation in one operation."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class FusedBatchNormalization(keras.layers.BatchNormalization):
    """Keras' batch normalisation of (batch, height, width, channels), by TensorFlow's fused kernel.

    Keras composes it of a dozen operations, each of which goes through all of the memory. The
    moving variance is of the unbiased estimate (Ioffe & Szegedy 2015, algorithm 2), which Keras'
    own, off the GPU, is not.

    Where the cores share a batch, each shard has statistics of its own, as each of
    several GPUs would, and moves the moving ones.
    """

    def call(self, x, training=False):
        options = {"x": x, "scale": self.gamma.value, "offset": self.beta.value}
        options["epsilon"] = self.epsilon
        if not training:
            mean, variance = self.moving_mean.value, self.moving_variance.value
            return tf.raw_ops.FusedBatchNormV3(
                mean=mean, variance=variance, is_training=False, **options
            ).y
        normalised = tf.raw_ops.FusedBatchNormV3(mean=[], variance=[], is_training=True, **options)
        for moving, of_batch in (
            (self.moving_mean, normalised.batch_mean),
            (self.moving_variance, normalised.batch_variance),
        ):
            moving.assign(self.momentum * moving.value + (1 - self.momentum) * of_batch)
        return normalised.y
