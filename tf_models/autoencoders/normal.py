"""Normal distributions with diagonal covariance: densities and divergences.

All results are in nats, one number for each unit; `sum_units` adds them up over the latents.
"""

import math

import tensorflow as tf

LOG_2_PI = math.log(2 * math.pi)


def sum_units(values: tf.Tensor) -> tf.Tensor:
    """(batch, …) -> (batch,)."""
    return tf.reduce_sum(values, axis=range(1, values.shape.rank))


def log_density(z: tf.Tensor, mean: tf.Tensor, log_variance: tf.Tensor) -> tf.Tensor:
    """log N(z; mean, exp(log_variance))."""
    return -0.5 * (LOG_2_PI + log_variance + (z - mean) ** 2 * tf.exp(-log_variance))


def kl_to_standard(mean: tf.Tensor, log_variance: tf.Tensor) -> tf.Tensor:
    """KL(N(mean, exp(log_variance)) || N(0, 1)) (Kingma & Welling 2014, appendix B)."""
    return 0.5 * (mean**2 + tf.exp(log_variance) - 1 - log_variance)


def kl_of_residual(
    mean_difference: tf.Tensor, log_variance_difference: tf.Tensor, prior_log_variance: tf.Tensor
) -> tf.Tensor:
    """KL(q || p) of a posterior that is stated relative to its prior.

    p = N(m, s^2) and q = N(m + dm, s^2 exp(dv)) give
    (dm^2 / s^2 + exp(dv) - 1 - dv) / 2 (Vahdat & Kautz 2020, equation 2, where
    log delta-sigma = dv / 2).

    Args:
        mean_difference: dm.
        log_variance_difference: dv.
        prior_log_variance: log s^2.
    """
    relative = mean_difference**2 * tf.exp(-prior_log_variance)
    return 0.5 * (relative + tf.exp(log_variance_difference) - 1 - log_variance_difference)
