"""A group of latents: its prior from above, its posterior relative to that prior."""

from typing import NamedTuple

import keras
import tensorflow as tf

from tf_models.autoencoders.distributions import Sampling, kl_of_residual, log_density, sum_units
from tf_models.autoencoders.hierarchical.cells import convolution

LARGEST = 5.0  # of means and log-variances, softly


class LatentSample(NamedTuple):
    """What a group contributes to a bound.

    h: the state with the projected latents added, (batch, height, width, channels).
    kl: KL(q || p) in nats, summed over the group, (batch,).
    log_ratio: log q(z) - log p(z) of the sample, likewise.
    """

    h: tf.Tensor
    kl: tf.Tensor
    log_ratio: tf.Tensor


class LatentGroup(keras.layers.Layer):
    """z_l with p(z_l | z_<l) and q(z_l | z_<l, x), normal and relative to each other.

    The prior is N(m, s^2) with m and s from the top-down state h; the posterior is
    N(m + dm, (s ds)^2) with dm and ds from h and the bottom-up features
    (Vahdat & Kautz 2020, section 3.2). The first group's prior is N(0, 1).

    Args:
        latent_channels: latents at each position.
        is_first: whether nothing stands above.
        seed: of the samples.
    """

    def __init__(self, latent_channels: int, is_first: bool, seed: int | None = None, **kwargs):
        super().__init__(**kwargs)
        self.latent_channels, self.is_first = latent_channels, is_first
        self.sampling = Sampling(seed, name="sampling", dtype="float32")

    def build(self, h_shape):
        channels, latents = h_shape[-1], self.latent_channels
        self.top_down_projection = convolution(channels, 1, "top_down_projection")
        self.posterior = convolution(2 * latents, 3, "posterior", kernel_initializer="zeros")
        self.latent_projection = convolution(channels, 1, "latent_projection")
        for layer in (self.top_down_projection, self.posterior):
            layer.build(h_shape)
        self.latent_projection.build((*h_shape[:-1], latents))
        if not self.is_first:
            self.prior = convolution(2 * latents, 1, "prior", kernel_initializer="zeros")
            self.prior.build(h_shape)

    def call(self, h, features):
        """Sample from the posterior; h and features are (batch, height, width, channels)."""
        mean, log_variance = self._prior(h)
        state = tf.nn.silu(features + self.top_down_projection(h))
        difference, log_variance_difference = _halves(self.posterior(state))
        posterior = mean + difference, log_variance + log_variance_difference
        z = self.sampling(*posterior)  # (batch, height, width, latents)
        kl = kl_of_residual(difference, log_variance_difference, log_variance)
        log_ratio = log_density(z, *posterior) - log_density(z, mean, log_variance)
        return LatentSample(h + self.latent_projection(z), sum_units(kl), sum_units(log_ratio))

    def generate(self, h: tf.Tensor, temperature: float) -> tf.Tensor:
        """Sample from the prior at a temperature; return the new h."""
        z = self.sampling(*self._prior(h), temperature=temperature)
        return h + self.latent_projection(z)

    def _prior(self, h):
        """Mean and log-variance, (batch, height, width, latents) each."""
        if self.is_first:
            zeros = tf.zeros((*tf.unstack(tf.shape(h))[:-1], self.latent_channels))
            return zeros, zeros
        return _halves(self.prior(tf.nn.silu(h)))


def _halves(parameters: tf.Tensor) -> list[tf.Tensor]:
    """Mean and log-variance in float32, kept within +-5 so that no variance runs away."""
    parameters = tf.cast(parameters, tf.float32)
    return tf.split(LARGEST * tf.tanh(parameters / LARGEST), 2, axis=-1)
