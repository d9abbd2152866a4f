"""The deep hierarchical VAE (Vahdat & Kautz 2020)."""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.autoencoders.distributions import make_likelihood
from tf_models.autoencoders.hierarchical.networks import BottomUp, LatentSample, TopDown
from tf_models.autoencoders.latent_variable_model import LatentVariableModel, Terms
from tf_models.errors import InputError
from tf_models.layers.models import Shape, constructor_arguments


@keras.saving.register_keras_serializable(package="tf_models")
class HierarchicalVAE(LatentVariableModel):
    """Groups of latents at several scales, each given those above: p(z) = prod_l p(z_l | z_<l).

    Besides the terms of `LatentVariableModel` it logs kl_1, kl_2, …, the KL term of each group.
    The loss is reconstruction + sum_l gamma_l kl_l; during warm-up, groups with a large KL term pay
    more (appendix A there).

    Args:
        shape: of an image: height, width, channels.
        groups: number of groups at each scale, smallest scale first; each has half the height and
            width of the next. A scale without groups has cells only: what the authors call pre-
            and postprocessing.
        channels: at the largest scale; twice as many at each smaller one.
        latent_channels: latents at each position of a group.
        patch: height and width, in pixels, of what a position of the largest scale stands for.
        likelihood: "bernoulli" or "gaussian".
        seed: of the samples.
        beta, kl_warmup_steps: see `LatentVariableModel`.

    Raises:
        InputError: the smallest scale has no group.

    Example:
        >>> vae = HierarchicalVAE((8, 8, 1), groups=(1, 1), channels=4, latent_channels=2)
        >>> print(vae.generate(3, temperature=0.7).shape, vae(tf.zeros((2, 8, 8, 1))).shape)
        (3, 8, 8, 1) (2, 8, 8, 1)
    """

    def __init__(
        self,
        shape: Sequence[int],
        groups: Sequence[int] = (3, 3),
        channels: int = 32,
        latent_channels: int = 4,
        *,
        patch: int = 2,
        likelihood: str = "bernoulli",
        seed: int | None = None,
        **kwargs: Any,
    ):
        groups, shape = tuple(groups), tuple(shape)
        self._arguments = constructor_arguments(locals())
        if not groups or groups[0] < 1:
            raise InputError(f"the smallest scale needs at least 1 group; received {groups}")
        further = tuple(f"kl_{i + 1}" for i in range(sum(groups)))
        super().__init__(further_terms=further, **kwargs)
        self.bottom_up = BottomUp(groups, channels, patch, name="bottom_up")
        self.top_down = TopDown(
            shape, groups, channels, latent_channels, patch, seed, name="top_down"
        )
        self.likelihood = make_likelihood(likelihood)
        self.image_shape = shape
        self.build((None, *shape))

    def build(self, x_shape: Shape) -> None:
        self.bottom_up.build(x_shape)
        self.top_down.build()
        self.built = True

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        parameters, _ = self._reconstruct(x, training)
        return self.likelihood.mean(parameters)

    def _reconstruct(self, x: tf.Tensor, training: bool) -> tuple[tf.Tensor, list[LatentSample]]:
        """Parameters of p(x | z) for z ~ q(z | x), and a `LatentSample` for each group."""
        return self.top_down(self.bottom_up(x, training=training), training=training)

    def terms(self, x: tf.Tensor, target: tf.Tensor, kl_weight: tf.Tensor, training: bool) -> Terms:
        parameters, latent_samples = self._reconstruct(x, training)
        reconstruction = -self.likelihood.log_probability(target, parameters)
        kls = tf.stack([sample.kl for sample in latent_samples])  # (groups, batch)
        kl = tf.reduce_sum(kls, axis=0)
        weights = self._group_weights(kls, kl_weight) if training else tf.ones(len(latent_samples))
        loss = reconstruction + kl_weight * tf.linalg.matvec(kls, weights, transpose_a=True)
        named = {f"kl_{i + 1}": sample.kl for i, sample in enumerate(latent_samples)}
        elbo = -reconstruction - kl
        return {"loss": loss, "reconstruction": reconstruction, "kl": kl, "elbo": elbo, **named}

    def _group_weights(self, kls: tf.Tensor, kl_weight: tf.Tensor) -> tf.Tensor:
        """gamma_l, 1 on average; during warm-up proportional to a position's share of the KL term.
        (Appendix A says "proportional to the size"; a misprint, by its authors.)
        """
        ones = tf.ones(tf.shape(kls)[0])
        if not self.kl_warmup_steps:
            return ones
        means = tf.stop_gradient(tf.reduce_mean(kls, axis=1)) + 0.01  # (groups,)
        of_position = means / self.top_down.positions()
        balanced = of_position / tf.reduce_mean(of_position)
        return tf.where(kl_weight < self.beta, balanced, ones)

    def log_weights(self, x: tf.Tensor, samples: int) -> tf.Tensor:
        features = self.bottom_up(x, training=False)
        repeated = [tf.tile(f, (samples, 1, 1, 1)) for f in features]  # (samples * batch, …)
        parameters, latent_samples = self.top_down(repeated, training=False)
        parameters = tf.reshape(parameters, (samples, -1, *x.shape[1:]))
        log_ratio = tf.add_n([sample.log_ratio for sample in latent_samples])  # (samples * batch,)
        return self.likelihood.log_probability(x, parameters) - tf.reshape(log_ratio, (samples, -1))

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        parameters = self.top_down.generate(count, temperature)
        return self.likelihood.mean(parameters)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}
