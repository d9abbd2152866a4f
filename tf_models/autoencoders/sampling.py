"""The reparameterisation trick (Kingma & Welling 2014, section 2.4)."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class Sampling(keras.layers.Layer):
    """z = mean + exp(log_variance / 2) epsilon, epsilon ~ N(0, 1).

    Call it with mean and log_variance, of the same shape; it returns that shape, a new sample
    each time. The gradient passes through mean and log_variance.

    Args:
        seed: of its random generator.
    """

    def __init__(self, seed: int | None = None, **kwargs):
        super().__init__(**kwargs)
        self.seed = seed
        self.seed_generator = keras.random.SeedGenerator(seed)

    def call(self, mean, log_variance, temperature=1.0):
        epsilon = tf.random.stateless_normal(
            tf.shape(mean), self.seed_generator.next(), dtype=mean.dtype
        )
        return mean + temperature * tf.exp(0.5 * log_variance) * epsilon

    def get_config(self):
        return {**super().get_config(), "seed": self.seed}
