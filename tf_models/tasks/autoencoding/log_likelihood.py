"""How likely images are under a model, in nats."""

import math
from collections.abc import Iterable

import numpy as np
import tensorflow as tf

from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.errors import InputError

CHUNK = 10  # samples at a time: what they need should stay in a core's cache
ACTIVE_VARIANCE = 0.01  # Burda et al. 2016, section 5.2


def log_likelihoods(
    model: LatentVariableModel, batches: Iterable[tf.Tensor], samples: int, chunk: int = CHUNK
) -> np.ndarray:
    """Importance-weighted estimates of log p(x) for each image (Burda et al. 2016, equation 8).

    log (1/k) sum_i p(x, z_i) / q(z_i | x), z_i ~ q(z | x): on average too low, and the less so the
    larger k is. Weights are added up chunk by chunk, so that memory does not grow with k.

    Args:
        model: the model.
        batches: images, (batch, height, width, channels) each.
        samples: k.
        chunk: samples at a time.

    Returns:
        (images,), float64.

    Raises:
        InputError: `samples` or `chunk` is below 1.
    """
    if samples < 1 or chunk < 1:
        raise InputError(
            f"samples and chunk must be at least 1; received samples={samples}, chunk={chunk}"
        )
    counts = [min(chunk, samples - done) for done in range(0, samples, chunk)]

    @tf.function(reduce_retracing=True)
    def log_sum_of_weights(x):
        total = tf.fill(tf.shape(x)[:1], tf.constant(-math.inf, tf.float64))  # (batch,)
        for count in tf.constant(counts):  # several at a time, where cores are free
            log_weights = tf.cast(model.log_weights(x, count), tf.float64)  # (count, batch)
            total = _log_add(total, tf.reduce_logsumexp(log_weights, axis=0))
        return total

    return np.concatenate([log_sum_of_weights(x).numpy() - math.log(samples) for x in batches])


def _log_add(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """log(exp(a) + exp(b))."""
    return tf.reduce_logsumexp(tf.stack([a, b]), axis=0)


def active_units(means: np.ndarray) -> np.ndarray:
    """Which latents say something about the image: Var_x(E[z | x]) > 0.01.

    Args:
        means: of q(z | x) for many images, (images, latents).

    Returns:
        (latents,) bool.
    """
    return np.var(means, axis=0) > ACTIVE_VARIANCE
