"""A learning rate that stays as it is; Keras has those that do not."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class ConstantRate(keras.optimizers.schedules.LearningRateSchedule):
    """The same learning rate at every step.

    As a plain number it would be a variable of the optimizer, which a checkpoint brings back: a run
    could not go on with a lower one.
    """

    def __init__(self, rate: float):
        self.rate = rate

    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        """The rate, a scalar."""
        return tf.constant(self.rate, tf.float32)

    def get_config(self) -> dict:
        """The rate."""
        return {"rate": self.rate}
