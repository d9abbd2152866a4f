"""The same seed gives the same weights, noise and sums."""

import keras
import tensorflow as tf

from tf_models.errors import InputError


def make_reproducible(seed: int) -> None:
    """Seed every random generator, and let TensorFlow use deterministic operations only.

    Raises:
        InputError: the seed is not 0 to 2**32 - 1.
    """
    if not 0 <= seed < 2**32:
        raise InputError(f"the seed must be 0 to {2**32 - 1}; received {seed}")
    keras.utils.set_random_seed(seed)
    tf.config.experimental.enable_op_determinism()
