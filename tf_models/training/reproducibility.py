"""The same seed gives the same weights, noise and sums."""

import keras
import tensorflow as tf

from tf_models.training.settings import check_seed


def make_reproducible(seed: int) -> None:
    """Seed every random generator, and let TensorFlow use deterministic operations only.

    Raises:
        InputError: the seed cannot be one (see `check_seed`).
    """
    keras.utils.set_random_seed(check_seed(seed))
    tf.config.experimental.enable_op_determinism()
