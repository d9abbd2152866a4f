"""Dropout whose noise costs little."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError

LEVELS = 2**8  # a unit's noise is one of so many


@keras.saving.register_keras_serializable(package="tf_models")
class Dropout(keras.layers.Dropout):
    """Keras' dropout (Srivastava et al. 2014), drawing 8 random bits for a unit, not 32.

    A rate between two multiples of 1/256 becomes, anew in each call, one of these two, so often
    each that a unit is dropped with probability `rate`.

    Raises:
        InputError: the rate is above 255/256.
    """

    def __init__(self, rate: float, **kwargs: Any):
        if rate > (LEVELS - 1) / LEVELS:
            raise InputError(f"the dropout rate must be at most 255/256; received {rate}")
        super().__init__(rate, **kwargs)

    def call(self, inputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        if not training or self.rate == 0:
            return inputs
        noise, fraction = random_levels(tf.shape(inputs), self.seed_generator.next())
        dropped = tf.floor(self.rate * LEVELS + fraction)  # levels that mean "drop"
        kept = noise >= tf.cast(dropped - LEVELS // 2, tf.int8)
        scale = tf.constant(1 / (1 - self.rate), inputs.dtype)
        return inputs * tf.where(kept, scale, tf.zeros((), inputs.dtype))


def random_levels(shape: tf.Tensor, seed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Uniform int8, -128 … 127, four from one draw, and a uniform float32, 0 to 1.

    Both are a pure function of the seed (2,).
    """
    count = tf.reduce_prod(shape)
    draws = tf.random.stateless_uniform(
        (count // 4 + 2,), seed, minval=None, maxval=None, dtype=tf.uint32
    )
    levels = tf.reshape(tf.bitcast(draws, tf.int8), (-1,))[:count]
    fraction = tf.cast(draws[-1], tf.float64) / 2**32
    return tf.reshape(levels, shape), tf.cast(fraction, tf.float32)
