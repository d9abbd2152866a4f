"""Distributions of VAEs: normal densities, divergences, samples, p(x | z).

Densities and divergences are in nats, one number for each unit; `sum_units` adds them up over the
latents.
"""

import math
from typing import Any

import keras
import tensorflow as tf

LOG_2_PI = math.log(2 * math.pi)


def sum_units(values: tf.Tensor) -> tf.Tensor:
    """The sum over all axes but the first: (batch, …) -> (batch,)."""
    return tf.reduce_sum(values, axis=range(1, values.shape.rank))


def log_density(z: tf.Tensor, mean: tf.Tensor, log_variance: tf.Tensor) -> tf.Tensor:
    """Elementwise log N(z; mean, exp(log_variance)) in nats; shapes broadcast."""
    return -0.5 * (LOG_2_PI + log_variance + (z - mean) ** 2 * tf.exp(-log_variance))


def kl_to_standard(mean: tf.Tensor, log_variance: tf.Tensor) -> tf.Tensor:
    """KL(N(mean, exp(log_variance)) || N(0, 1)) of each latent, in nats.

    Kingma & Welling 2014, appendix B. Both arguments have one shape, and so has the result.

    Example:
        >>> print(kl_to_standard(tf.constant([1.0, 0.0]), tf.zeros(2)).numpy())
        [0.5 0. ]
    """
    return 0.5 * (mean**2 + tf.exp(log_variance) - 1 - log_variance)


def kl_of_residual(
    mean_difference: tf.Tensor, log_variance_difference: tf.Tensor, prior_log_variance: tf.Tensor
) -> tf.Tensor:
    """KL(q || p) of a posterior that is stated relative to its prior.

    p = N(m, s^2) and q = N(m + dm, s^2 exp(dv)) give (dm^2 / s^2 + exp(dv) - 1 - dv) / 2
    (Vahdat & Kautz 2020, equation 2, where log delta-sigma = dv / 2). The arguments are dm, dv and
    log s^2, all three of one shape, and so is the result, in nats.
    """
    relative = mean_difference**2 * tf.exp(-prior_log_variance)
    return 0.5 * (relative + tf.exp(log_variance_difference) - 1 - log_variance_difference)


@keras.saving.register_keras_serializable(package="tf_models")
class Sampling(keras.layers.Layer):
    """z = mean + exp(log_variance / 2) epsilon, epsilon ~ N(0, 1).

    Call it with a mean and a log_variance that broadcasts to it; it returns the mean's shape, a new
    sample each time, decided by the seed. The gradient passes through mean and log_variance.

    Example:
        >>> mean, log_variance = tf.fill((2, 3), 5.0), tf.fill((2, 3), -100.0)
        >>> print(Sampling(seed=0)(mean, log_variance).numpy())
        [[5. 5. 5.]
         [5. 5. 5.]]
    """

    def __init__(self, seed: int | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.seed = seed
        self.seed_generator = keras.random.SeedGenerator(seed)
        self.built = True

    def call(self, mean: tf.Tensor, log_variance: tf.Tensor, temperature: float = 1.0) -> tf.Tensor:
        epsilon = tf.random.stateless_normal(
            tf.shape(mean), self.seed_generator.next(), dtype=mean.dtype
        )
        return mean + temperature * tf.exp(0.5 * log_variance) * epsilon

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "seed": self.seed}


class Likelihood(keras.layers.Layer):
    """A distribution of images whose parameters a decoder computes.

    `x` is (batch, height, width, channels), or of any other shape; so is `parameters`, or it has
    one more axis: (samples, batch, …).

    non_binarised_name: name of log p(x) where pixels are not binarised.
    """

    non_binarised_name: str

    def log_probability(self, x: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
        """log p(x | z) in nats, summed over pixels: (batch,), or (samples, batch)."""
        raise NotImplementedError

    def mean(self, parameters: tf.Tensor) -> tf.Tensor:
        """The expected image, of the shape of `parameters`."""
        raise NotImplementedError

    def takes(self, x: tf.Tensor) -> tf.Tensor | bool:
        """True if this likelihood accepts the values of all pixels."""
        return True


class BernoulliLikelihood(Likelihood):
    """Each pixel is 1 with probability sigmoid(parameter), else 0.

    For pixels between 0 and 1 the same formula is the cross-entropy, which is no log-likelihood.
    """

    non_binarised_name = "negative cross-entropy of non-binarised pixels"

    def log_probability(self, x: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
        # log sigmoid(a) = a - softplus(a), log(1 - sigmoid(a)) = -softplus(a)
        return _sum_pixels(x * parameters - tf.nn.softplus(parameters), x)

    def mean(self, parameters: tf.Tensor) -> tf.Tensor:
        return tf.sigmoid(parameters)

    def takes(self, x: tf.Tensor) -> tf.Tensor:
        return tf.reduce_all((x >= 0) & (x <= 1))


class GaussianLikelihood(Likelihood):
    """Each pixel is normal around its parameter; all share a learnt variance.

    With a fixed variance this would be the squared error, whose weight against the KL term is
    unknown; the learnt one converges to the mean squared error (Rybkin et al. 2021).

    log_variance: logarithm of the variance, a scalar variable.
    """

    non_binarised_name = "log-density of non-binarised pixels"

    def build(self, parameters_shape: tuple | None) -> None:
        self.log_variance = self.add_weight(name="log_variance", shape=(), initializer="zeros")

    def log_probability(self, x: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
        return _sum_pixels(log_density(x, parameters, self.log_variance.value), x)

    def mean(self, parameters: tf.Tensor) -> tf.Tensor:
        return parameters


def _sum_pixels(values: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """Sums over pixels: (…, batch, image shape) -> (…, batch)."""
    return tf.reduce_sum(values, axis=range(1 - x.shape.rank, 0))


LIKELIHOODS = {"bernoulli": BernoulliLikelihood, "gaussian": GaussianLikelihood}


def make_likelihood(name: str) -> Likelihood:
    """A built likelihood by its name: "bernoulli" or "gaussian"."""
    likelihood = LIKELIHOODS[name](name="likelihood", dtype="float32")  # whatever the policy
    likelihood.build(None)
    return likelihood
