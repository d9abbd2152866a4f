"""The learning rate of Vaswani et al. (2017), section 5.3, equation 3."""

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class CustomSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """lrate = d_model^-0.5 · min(step^-0.5, step · warmup_steps^-1.5).

    Args:
        d_model: width of the model.
        warmup_steps: steps over which the rate grows linearly, before it decays.
        peak: the rate at warmup_steps, if not the equation's (d_model * warmup_steps)^-0.5; it
            stretches the whole curve.

    Example:
        >>> schedule = CustomSchedule(d_model=512)
        >>> print(*(f"{schedule(step):.6f}" for step in (1, 4000, 16000)))
        0.000000 0.000699 0.000349
    """

    def __init__(self, d_model: int, warmup_steps: int = 4000, peak: float | None = None):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        self.peak = peak

    def __call__(self, step: tf.Tensor | int) -> tf.Tensor:
        # Keras counts steps in integers, whose inverse square root TensorFlow refuses.
        step = tf.cast(step, tf.float32)
        d_model = tf.cast(self.d_model, tf.float32)
        arg1 = tf.math.rsqrt(step)
        arg2 = step * (self.warmup_steps**-1.5)
        rate = tf.math.rsqrt(d_model) * tf.math.minimum(arg1, arg2)
        if self.peak is None:
            return rate
        return rate * self.peak * (self.d_model * self.warmup_steps) ** 0.5

    def get_config(self) -> dict[str, Any]:
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps, "peak": self.peak}
