"""Closed forms against Monte Carlo and against SciPy."""

import numpy as np
import pytest
import scipy.stats
import tensorflow as tf

from tf_models.autoencoders.distributions import (
    kl_of_residual,
    kl_to_standard,
    log_density,
    sum_units,
)

SAMPLES = 400_000


def test_density_is_scipys():
    z = np.linspace(-3, 3, 7, dtype=np.float32)
    expected = scipy.stats.norm(0.5, np.exp(0.5 * -0.7)).logpdf(z)
    np.testing.assert_allclose(
        log_density(z, tf.constant(0.5), tf.constant(-0.7)), expected, rtol=1e-5
    )


@pytest.mark.parametrize(("mean", "log_variance"), [(0.0, 0.0), (1.5, -2.0), (-0.3, 0.8)])
def test_kl_to_standard_against_monte_carlo(mean, log_variance):
    random = np.random.default_rng(0)
    z = tf.constant(mean + np.exp(log_variance / 2) * random.normal(size=SAMPLES), tf.float32)
    ratio = log_density(z, mean, tf.constant(log_variance)) - log_density(z, 0.0, tf.constant(0.0))

    expected = float(kl_to_standard(tf.constant(mean), tf.constant(log_variance)))
    assert np.mean(ratio) == pytest.approx(
        expected, abs=float(4 * np.std(ratio) / SAMPLES**0.5 + 1e-6)
    )


def test_kl_of_residual_against_monte_carlo():
    """q = N(m + dm, s^2 exp(dv)) against p = N(m, s^2)."""
    m, log_s2, dm, dv = 0.7, -1.2, 0.4, 0.5
    random = np.random.default_rng(0)
    z = m + dm + np.exp((log_s2 + dv) / 2) * random.normal(size=SAMPLES)
    z = tf.constant(z, tf.float32)
    ratio = log_density(z, m + dm, tf.constant(log_s2 + dv)) - log_density(
        z, m, tf.constant(log_s2)
    )

    expected = float(kl_of_residual(tf.constant(dm), tf.constant(dv), tf.constant(log_s2)))
    tolerance = 4 * float(np.std(ratio)) / SAMPLES**0.5
    assert np.mean(ratio) == pytest.approx(expected, abs=tolerance)


def test_residual_to_a_standard_prior_is_the_standard_form():
    mean, log_variance = tf.random.stateless_normal((2, 5), (1, 2))
    np.testing.assert_allclose(
        kl_of_residual(mean, log_variance, tf.zeros(5)), kl_to_standard(mean, log_variance)
    )


def test_units_are_summed_never_averaged():
    np.testing.assert_array_equal(sum_units(tf.ones((3, 4, 5))), [20, 20, 20])
    np.testing.assert_array_equal(sum_units(tf.ones((3, 4, 5, 2))), [40, 40, 40])
