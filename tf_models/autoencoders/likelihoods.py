"""p(x | z): what the numbers that a decoder returns say about the pixels."""

import keras
import tensorflow as tf

from tf_models.autoencoders.choices import LIKELIHOODS
from tf_models.autoencoders.normal import log_density
from tf_models.errors import InputError


class Likelihood(keras.layers.Layer):
    """A distribution of images whose parameters a decoder computes.

    `x` is (batch, height, width, channels), or of any other shape; so is `parameters`, or it has
    an axis more: (samples, batch, …).

    `non_binarised_name` says what log p(x) is called where pixels are not binarised.
    """

    non_binarised_name: str

    def build(self, parameters_shape=None):
        """Most likelihoods have nothing to learn."""

    def log_probability(self, x: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
        """log p(x | z) in nats, summed over pixels: (batch,), or (samples, batch)."""
        raise NotImplementedError

    def mean(self, parameters: tf.Tensor) -> tf.Tensor:
        """The expected image, of the shape of `parameters`."""
        raise NotImplementedError


@keras.saving.register_keras_serializable(package="tf_models")
class BernoulliLikelihood(Likelihood):
    """Each pixel is 1 with probability sigmoid(parameter), else 0.

    For pixels between 0 and 1 the same formula is the cross-entropy, which is no log-likelihood.
    """

    non_binarised_name = "negative cross-entropy of non-binarised pixels"

    def log_probability(self, x, parameters):
        # log sigmoid(a) = a - softplus(a), log(1 - sigmoid(a)) = -softplus(a)
        return _sum_pixels(x * parameters - tf.nn.softplus(parameters), x)

    def mean(self, parameters):
        return tf.sigmoid(parameters)


@keras.saving.register_keras_serializable(package="tf_models")
class GaussianLikelihood(Likelihood):
    """Each pixel is normal around its parameter, with one variance for all, which is learnt.

    With the variance fixed this would be the squared error, whose weight against the KL term
    nobody knows; learnt, it is the mean squared error in the end (Rybkin et al. 2021).

    `log_variance` is that variable.
    """

    non_binarised_name = "log-density of non-binarised pixels"

    def build(self, parameters_shape=None):
        self.log_variance = self.add_weight(name="log_variance", shape=(), initializer="zeros")

    def log_probability(self, x, parameters):
        return _sum_pixels(log_density(x, parameters, self.log_variance.value), x)

    def mean(self, parameters):
        return parameters


def _sum_pixels(values: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """(…, batch, the shape of an image) -> (…, batch)."""
    return tf.reduce_sum(values, axis=range(1 - x.shape.rank, 0))


CLASSES = dict(zip(LIKELIHOODS, (BernoulliLikelihood, GaussianLikelihood), strict=True))


def make_likelihood(name: str) -> Likelihood:
    """A likelihood by its name, built.

    Raises:
        InputError: there is none of that name.
    """
    if name not in LIKELIHOODS:
        raise InputError(
            f"the likelihood must be one of {', '.join(LIKELIHOODS)}; received {name!r}"
        )
    likelihood = CLASSES[name](name="likelihood")
    likelihood.build()
    return likelihood
