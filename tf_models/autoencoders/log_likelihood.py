"""How likely images are under a model, in nats."""

import math
from collections.abc import Iterable

import numpy as np
import tensorflow as tf

from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.errors import InputError

ACTIVE_VARIANCE = 0.01  # Burda et al. 2016, section 5.2


def log_likelihoods(
    model: LatentVariableModel, batches: Iterable[tf.Tensor], samples: int, chunk: int = 50
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
    sizes = [min(chunk, samples - done) for done in range(0, samples, chunk)]
    log_sum_of_weights = tf.function(
        lambda x, size: tf.reduce_logsumexp(model.log_weights(x, size), axis=0),
        reduce_retracing=True,
    )
    estimates = []
    for x in batches:
        parts = [log_sum_of_weights(x, tf.constant(size)).numpy() for size in sizes]  # (batch,)
        estimates.append(np.logaddexp.reduce(np.float64(parts), axis=0) - math.log(samples))
    return np.concatenate(estimates)


def active_units(means: np.ndarray) -> np.ndarray:
    """Which latents say something about the image: Var_x(E[z | x]) > 0.01.

    Args:
        means: of q(z | x) for many images, (images, latents).

    Returns:
        (latents,) bool.
    """
    return np.var(means, axis=0) > ACTIVE_VARIANCE
