"""The deep hierarchical VAE (Vahdat & Kautz 2020)."""

from collections.abc import Sequence

import keras
import tensorflow as tf

from tf_models.autoencoders.codes import check_code_size
from tf_models.autoencoders.hierarchical.spectral import SpectralNorms
from tf_models.autoencoders.hierarchical.towers import BottomUp, TopDown
from tf_models.autoencoders.latent_variable_model import LatentVariableModel, Terms
from tf_models.autoencoders.likelihoods import make_likelihood
from tf_models.errors import InputError


@keras.saving.register_keras_serializable(package="tf_models")
class HierarchicalVae(LatentVariableModel):
    """Groups of latents at several scales, each given those above: p(z) = prod_l p(z_l | z_<l).

    Besides the terms of `LatentVariableModel` it logs kl_1, kl_2, …, the KL term of each group.
    The loss is reconstruction + sum_l gamma_l kl_l + spectral_weight * spectral norms.

    Args:
        shape: of an image: height, width, channels.
        groups: number of groups at each scale, smallest scale first; the largest scale has half
            the image's height and width, each further one half of that.
        channels: at the largest scale; twice as many at each smaller one.
        latent_channels: latents at each position of a group.
        expansion: width of the decoder's cells.
        likelihood: "bernoulli" or "gaussian".
        spectral_weight: lambda of the spectral regularisation.
        balanced: whether, during warm-up, groups with a large KL term pay more (appendix A there).
        seed: of the samples.
        beta, kl_warmup_steps: see `LatentVariableModel`.

    Raises:
        InputError: an argument makes no sense.
    """

    def __init__(
        self,
        shape: Sequence[int],
        groups: Sequence[int] = (3, 3),
        channels: int = 32,
        latent_channels: int = 4,
        *,
        expansion: int = 3,
        likelihood: str = "bernoulli",
        spectral_weight: float = 0.0,
        balanced: bool = True,
        seed: int | None = None,
        **kwargs,
    ):
        groups, shape = tuple(groups), tuple(shape)
        _check(shape, groups, channels, spectral_weight)
        check_code_size(latent_channels)
        self._arguments = {
            "shape": shape,
            "groups": groups,
            "channels": channels,
            "latent_channels": latent_channels,
            "expansion": expansion,
            "likelihood": likelihood,
            "spectral_weight": spectral_weight,
            "balanced": balanced,
            "seed": seed,
        }
        further = tuple(f"kl_{i + 1}" for i in range(sum(groups)))
        super().__init__(further_terms=further, **kwargs)
        self.spectral_weight, self.balanced = spectral_weight, balanced
        self.bottom_up = BottomUp(groups, channels, name="bottom_up")
        self.top_down = TopDown(
            groups, channels, latent_channels, shape[-1], expansion, seed, name="top_down"
        )
        self.likelihood = make_likelihood(likelihood)
        self._image_shape = shape
        self._surplus = [-size % 2 ** len(groups) for size in shape[:2]]
        self.build((None, *shape))

    def build(self, x_shape):
        height, width, channels = self._image_shape
        padded = height + self._surplus[0], width + self._surplus[1]
        self.bottom_up.build((None, *padded, channels))
        scales = len(self.top_down.groups)
        smallest = [size // 2**scales for size in padded]
        channels = self.top_down.channels * 2 ** (scales - 1)
        self.top_down.build([(None, *smallest, channels)])
        self.spectral_norms = SpectralNorms(name="spectral_norms")
        self.spectral_norms.build_for(self._kernels())
        self.built = True

    def _kernels(self) -> list[keras.Variable]:
        """Of all convolutions."""
        return [v for v in self.trainable_variables if v.name == "kernel" and len(v.shape) == 4]

    def call(self, x, training=False):
        parameters, _ = self._explain(x, training)
        return self.likelihood.mean(parameters)

    def _explain(self, x, training: bool):
        """Parameters of p(x | z) for z ~ q(z | x), and a `Draw` for each group."""
        parameters, draws = self.top_down(self._features(x, training), training=training)
        return self._crop(parameters), draws

    def _features(self, x, training: bool) -> list[tf.Tensor]:
        rows, columns = self._surplus
        x = tf.pad(x, [(0, 0), (0, rows), (0, columns), (0, 0)])
        return self.bottom_up(x, training=training)

    def _crop(self, parameters: tf.Tensor) -> tf.Tensor:
        height, width, _ = self._image_shape
        return parameters[:, :height, :width]

    def terms(self, x, target, kl_weight, training) -> Terms:
        parameters, draws = self._explain(x, training)
        reconstruction = -self.likelihood.log_probability(target, parameters)
        kls = tf.stack([draw.kl for draw in draws])  # (groups, batch)
        kl = tf.reduce_sum(kls, axis=0)
        weights = self._group_weights(kls, kl_weight) if training else tf.ones(len(draws))
        loss = reconstruction + kl_weight * tf.linalg.matvec(kls, weights, transpose_a=True)
        if self.spectral_weight and training:
            kernels = [kernel.value for kernel in self._kernels()]
            loss += self.spectral_weight * self.spectral_norms(kernels, training=True)
        named = {f"kl_{i + 1}": draw.kl for i, draw in enumerate(draws)}
        elbo = -reconstruction - kl
        return {"loss": loss, "reconstruction": reconstruction, "kl": kl, "elbo": elbo, **named}

    def _group_weights(self, kls: tf.Tensor, kl_weight) -> tf.Tensor:
        """gamma_l, 1 on average; proportional to the group's KL term while that warms up."""
        ones = tf.ones(tf.shape(kls)[0])
        if not self.balanced or not self.kl_warmup_steps:
            return ones
        means = tf.stop_gradient(tf.reduce_mean(kls, axis=1)) + 0.01
        balanced = means / tf.reduce_mean(means)
        return tf.where(kl_weight < self.beta, balanced, ones)

    def log_weights(self, x, samples):
        features = self._features(x, training=False)
        repeated = [tf.tile(f, (samples, 1, 1, 1)) for f in features]  # (samples * batch, …)
        parameters, draws = self.top_down(repeated, training=False)
        log_p_x = self.likelihood.log_probability(
            tf.tile(x, (samples, 1, 1, 1)), self._crop(parameters)
        )
        log_ratio = tf.add_n([draw.log_ratio for draw in draws])
        return tf.reshape(log_p_x - log_ratio, (samples, tf.shape(x)[0]))

    def generate(self, count, temperature=1.0):
        parameters = self.top_down.generate(count, temperature)
        return self.likelihood.mean(self._crop(parameters))

    def get_config(self):
        return {**super().get_config(), **self._arguments}


def _check(shape, groups, channels, spectral_weight) -> None:
    if not groups or min(groups) < 1:
        raise InputError(f"each scale needs at least 1 group; received {groups}")
    if min(shape[:2]) < 2 ** len(groups):
        raise InputError(
            f"an image of {shape[0]} x {shape[1]} cannot be halved {len(groups)} times; "
            "give fewer scales"
        )
    if channels < 1:
        raise InputError(f"channels must be at least 1; received {channels}")
    if not spectral_weight >= 0:
        raise InputError(f"spectral_weight must be at least 0; received {spectral_weight}")
