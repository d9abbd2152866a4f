"""Dropout whose noise costs little, of units and of words."""

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.ids import PADDING_ID, UNKNOWN_ID

LEVELS = 2**8  # a unit's noise is one of so many


@keras.saving.register_keras_serializable(package="tf_models")
class Dropout(keras.layers.Dropout):
    """Keras' dropout (Srivastava et al. 2014), drawing 8 random bits for a unit, not 32.

    A rate between two multiples of 1/256 becomes, anew in each call, one of these two, so often
    each that a unit is dropped with probability `rate`.

    Raises:
        InputError: the rate is above 255/256.
    """

    def __init__(self, rate: float, **kwargs):
        if rate > (LEVELS - 1) / LEVELS:
            raise InputError(f"the dropout rate must be at most 255/256; received {rate}")
        super().__init__(rate, **kwargs)

    def call(self, inputs, training=False):
        if not training or self.rate == 0:
            return inputs
        noise, fraction = random_levels(tf.shape(inputs), self.seed_generator.next())
        dropped = tf.floor(self.rate * LEVELS + fraction)  # levels that mean "drop"
        kept = noise >= tf.cast(dropped - LEVELS // 2, tf.int8)
        scale = tf.constant(1 / (1 - self.rate), inputs.dtype)
        return inputs * tf.where(kept, scale, tf.zeros((), inputs.dtype))


@keras.saving.register_keras_serializable(package="tf_models")
class WordDropout(keras.layers.Layer):
    """In training, the unknown id in place of some ids (Bowman et al. 2016, section 3.1).

    A model of few sentences then learns them by heart less easily, and words from their neighbours.
    Call it with ids of any shape; padding stays.

    Args:
        rate: probability that an id is replaced.

    Raises:
        InputError: the rate is no probability.
    """

    def __init__(self, rate: float, **kwargs):
        super().__init__(**kwargs)
        if not 0 <= rate <= 1:
            raise InputError(f"the rate of word dropout must be 0 to 1; received {rate}")
        self.rate = rate
        if rate > 0:  # a generator is a variable, which models without word dropout do not have
            self.seed_generator = keras.random.SeedGenerator()

    def call(self, ids, training=False):
        if not training or self.rate == 0:
            return ids
        ids = tf.convert_to_tensor(ids)
        noise = tf.random.stateless_uniform(tf.shape(ids), self.seed_generator.next())
        replaced = (noise < self.rate) & (ids != PADDING_ID)
        return tf.where(replaced, tf.constant(UNKNOWN_ID, ids.dtype), ids)

    def get_config(self):
        return {**super().get_config(), "rate": self.rate}


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
