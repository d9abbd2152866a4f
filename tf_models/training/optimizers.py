"""Optimizers with the schedules and the clipping of a run's settings."""

import math
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.training.settings import OptimizerSettings


@keras.saving.register_keras_serializable(package="tf_models")
class TimedCosine(keras.optimizers.schedules.CosineDecay):
    """Keras' cosine decay, over the seconds of a training, not its steps.

    The linear warm-up takes `warmup_steps` steps, and a quarter of the time at most.

    Attributes:
        seconds: time trained so far, which the training loop counts.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.seconds = tf.Variable(0.0, dtype=tf.float64, trainable=False)

    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        """The rate, a scalar."""
        seconds = tf.cast(self.seconds, tf.float32)
        warm = tf.cast(step + 1, tf.float32) / (self.warmup_steps + 1)
        warm = tf.minimum(1.0, tf.maximum(warm, 4 * seconds / self.decay_steps))
        return warm * super().__call__(seconds)


@keras.saving.register_keras_serializable(package="tf_models")
class FusedAdam(keras.optimizers.Adam):
    """Keras' Adam (Kingma & Ba 2015, algorithm 1), one operation per variable.

    Keras writes an update as a dozen: an epoch of the VAE then takes 1.2 times as long. With
    amsgrad=True it is Keras' own.
    """

    def apply(self, grads: Sequence[tf.Tensor], trainable_variables: Any = None) -> None:
        """Update the variables, by default those that it was built with."""
        step = tf.cast(self.iterations + 1, tf.float32)
        # Once: for each variable, they would be a tenth and more of an update.
        self._beta_1_power = tf.pow(self.beta_1, step)
        self._beta_2_power = tf.pow(self.beta_2, step)
        super().apply(grads, trainable_variables)

    def _clip_gradients(self, grads: Sequence[tf.Tensor]) -> Sequence[tf.Tensor]:
        # The same formula; but Keras' norm writes the squares of all gradients to memory.
        if self.global_clipnorm:
            return tf.clip_by_global_norm(grads, self.global_clipnorm)[0]
        return super()._clip_gradients(grads)

    def update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        if self.amsgrad:
            super().update_step(gradient, variable, learning_rate)
            return
        index = self._get_variable_index(variable)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self._momentums[index].value.handle,
            v=self._velocities[index].value.handle,
            beta1_power=self._beta_1_power,
            beta2_power=self._beta_2_power,
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=tf.convert_to_tensor(gradient),
        )


def make_adam(
    settings: OptimizerSettings,
    steps: int,
    minutes: float = math.inf,
    adam: type[keras.optimizers.Optimizer] = FusedAdam,
    **options: Any,
) -> keras.optimizers.Optimizer:
    """Adam, or another such class, with the settings' schedule and clipping.

    A cosine goes down to zero at the last of the `steps`, or at the end of the `minutes`.
    """
    rate = settings.learning_rate
    if settings.schedule == "cosine":
        of_steps = keras.optimizers.schedules.CosineDecay(rate, max(1, steps))
        rate = TimedCosine(rate, 60 * minutes) if minutes < math.inf else of_steps
    return adam(rate, global_clipnorm=settings.clip_norm or None, **options)
