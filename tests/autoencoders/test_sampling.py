import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.distributions import Sampling


def test_mean_and_deviation():
    z = Sampling(seed=1)(tf.fill((100_000, 2), 3.0), tf.fill((100_000, 2), 2 * np.log(0.5)))

    np.testing.assert_allclose(np.mean(z, axis=0), [3, 3], atol=0.01)
    np.testing.assert_allclose(np.std(z, axis=0), [0.5, 0.5], atol=0.01)
    assert abs(np.corrcoef(np.transpose(z))[0, 1]) < 0.02


def test_new_noise_each_time_the_same_for_the_same_seed():
    one, other, zeros = Sampling(seed=1), Sampling(seed=1), tf.zeros((4, 3))
    first = one(zeros, zeros)

    np.testing.assert_array_equal(first, other(zeros, zeros))
    assert not np.array_equal(first, one(zeros, zeros))


def test_temperature_scales_the_deviation():
    mean, log_variance = tf.fill((4, 3), 2.0), tf.ones((4, 3))
    full = Sampling(seed=1)(mean, log_variance) - mean
    half = Sampling(seed=1)(mean, log_variance, temperature=0.5) - mean

    np.testing.assert_allclose(half, full / 2, rtol=1e-5)


@pytest.mark.parametrize("parameter", ["mean", "log_variance"])
def test_gradient_against_finite_differences(parameter):
    """The same noise, so that the sample is a smooth function of the parameters."""
    parameters = {
        name: tf.random.stateless_normal((4, 3), (seed, 0))
        for seed, name in enumerate(("mean", "log_variance"))
    }

    def loss(change):
        changed = {**parameters, parameter: parameters[parameter] + change}
        return tf.reduce_sum(tf.sin(Sampling(seed=5)(**changed)))

    change = tf.zeros((4, 3))
    with tf.GradientTape() as tape:
        tape.watch(change)
        value = loss(change)
    step = 1e-2
    numerical = np.zeros((4, 3))
    for index in np.ndindex(4, 3):
        unit = np.zeros((4, 3), np.float32)
        unit[index] = step
        numerical[index] = (loss(unit) - loss(-unit)) / (2 * step)
    np.testing.assert_allclose(tape.gradient(value, change), numerical, atol=2e-3)
