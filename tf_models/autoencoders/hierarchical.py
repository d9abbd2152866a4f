"""The hierarchical VAE after NVAE (Vahdat & Kautz 2020).

A bottom-up pass computes features of an image, a top-down pass samples the groups of latents. Every
cell takes and returns (batch, height, width, channels) and adds a tenth of its output to its input,
as in the authors' own code: a stack of many cells begins near the identity.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.autoencoders.distributions import (
    Sampling,
    kl_of_residual,
    log_density,
    make_likelihood,
    sum_units,
)
from tf_models.autoencoders.variational import LatentVariableModel, Terms

Shape = tuple[Any, ...]  # Keras gives it to `build`, with None for a number that is not known
RESIDUAL = 0.1  # weight of a cell's output, which is added to its input
SQUEEZE = 16  # channels for each squeezed one
MIN_SQUEEZED = 4  # squeezed channels of a narrow cell
EXPANSION = 3  # channels of a depthwise convolution for each one of its cell
KERNEL = 5  # height and width of a depthwise convolution
LARGEST = 5.0  # soft limit of means and log-variances


def convolution(channels: int, kernel: int, name: str, **options: Any) -> keras.layers.Conv2D:
    """A convolution that keeps height and width."""
    return keras.layers.Conv2D(channels, kernel, padding="same", name=name, **options)


class SqueezeExcitation(keras.layers.Layer):
    """Each channel times a gate that sees all of the image (Hu et al. 2018)."""

    def build(self, x_shape: Shape) -> None:
        channels = x_shape[-1]
        squeezed = max(MIN_SQUEEZED, channels // SQUEEZE)
        self.squeeze = keras.layers.Dense(squeezed, activation="relu", name="squeeze")
        self.excite = keras.layers.Dense(channels, activation="sigmoid", name="excite")
        self.squeeze.build((None, channels))
        self.excite.build((None, squeezed))

    def call(self, x: tf.Tensor) -> tf.Tensor:
        gates = self.excite(self.squeeze(tf.reduce_mean(x, axis=(1, 2))))  # (batch, channels)
        return x * gates[:, tf.newaxis, tf.newaxis]


class ResidualCell(keras.layers.Layer):
    """x + 0.1 F(x); F is `layers`, then squeeze and excitation (figure 3)."""

    def layers(self, channels: int) -> list[keras.layers.Layer]:
        raise NotImplementedError

    def build(self, x_shape: Shape) -> None:
        gate = SqueezeExcitation(name="gate")
        self.branch = keras.Sequential([*self.layers(x_shape[-1]), gate], name="branch")
        self.branch.build(tuple(x_shape))

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        return x + RESIDUAL * self.branch(x, training=training)


def _norm(name: str) -> keras.layers.BatchNormalization:
    return keras.layers.BatchNormalization(momentum=0.95, epsilon=1e-5, name=f"{name}_norm")


def _normalised_swish(name: str) -> list[keras.layers.Layer]:
    return [_norm(name), keras.layers.Activation("silu", name=f"{name}_swish")]


class EncoderCell(ResidualCell):
    """Batch normalisation, Swish, 3 x 3 convolution, twice; a `ResidualCell`."""

    def layers(self, channels: int) -> list[keras.layers.Layer]:
        return [
            *_normalised_swish("first"),
            convolution(channels, 3, "first_conv"),
            *_normalised_swish("second"),
            convolution(channels, 3, "second_conv"),
        ]


class DecoderCell(ResidualCell):
    """Convolutions: 1 x 1, depthwise 5 x 5 (large receptive field), 1 x 1."""

    def layers(self, channels: int) -> list[keras.layers.Layer]:
        return [
            _norm("first"),
            convolution(EXPANSION * channels, 1, "expand", use_bias=False),
            *_normalised_swish("expanded"),
            keras.layers.DepthwiseConv2D(KERNEL, padding="same", use_bias=False, name="depthwise"),
            *_normalised_swish("mixed"),
            convolution(channels, 1, "project", use_bias=False),
            _norm("last"),
        ]


class LatentSample(NamedTuple):
    """A sample of a group, and its terms of the bound.

    h: the state with the projected latents added, (batch, height, width, channels).
    kl: KL(q || p) in nats, summed over the group, (batch,).
    log_ratio: log q(z) - log p(z) of the sample, likewise.
    """

    h: tf.Tensor
    kl: tf.Tensor
    log_ratio: tf.Tensor


class LatentGroup(keras.layers.Layer):
    """A group z_l: prior p(z_l | z_<l) and, relative to it, q(z_l | z_<l, x).

    The prior is N(m, s^2) with m and s from the top-down state h; the posterior is
    N(m + dm, (s ds)^2) with dm and ds from h and the bottom-up features
    (Vahdat & Kautz 2020, section 3.2). Each position has `latent_channels` latents; the prior of
    the first group is N(0, 1).
    """

    def __init__(
        self, latent_channels: int, is_first: bool, seed: int | None = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.latent_channels = latent_channels
        self.is_first = is_first
        self.sampling = Sampling(seed, name="sampling", dtype="float32")

    def build(self, h_shape: Shape) -> None:
        channels = h_shape[-1]
        latents = self.latent_channels
        self.top_down_projection = convolution(channels, 1, "top_down_projection")
        self.posterior = convolution(2 * latents, 3, "posterior", kernel_initializer="zeros")
        self.latent_projection = convolution(channels, 1, "latent_projection")
        for layer in (self.top_down_projection, self.posterior):
            layer.build(h_shape)
        self.latent_projection.build((*h_shape[:-1], latents))
        if not self.is_first:
            self.prior = convolution(2 * latents, 1, "prior", kernel_initializer="zeros")
            self.prior.build(h_shape)

    def call(self, h: tf.Tensor, features: tf.Tensor) -> LatentSample:
        """Sample from q; h and features are (batch, height, width, channels)."""
        mean, log_variance = self._prior(h)
        state = tf.nn.silu(features + self.top_down_projection(h))
        difference, log_variance_difference = _halves(self.posterior(state))
        posterior = mean + difference, log_variance + log_variance_difference
        z = self.sampling(*posterior)  # (batch, height, width, latents)
        kl = kl_of_residual(difference, log_variance_difference, log_variance)
        log_ratio = log_density(z, *posterior) - log_density(z, mean, log_variance)
        return LatentSample(h + self.latent_projection(z), sum_units(kl), sum_units(log_ratio))

    def generate(self, h: tf.Tensor, temperature: float) -> tf.Tensor:
        """h plus a projected prior sample, (batch, height, width, channels) as h."""
        z = self.sampling(*self._prior(h), temperature=temperature)
        return h + self.latent_projection(z)

    def _prior(self, h: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Mean and log-variance, (batch, height, width, latents) each."""
        if self.is_first:
            zeros = tf.zeros((*tf.unstack(tf.shape(h))[:-1], self.latent_channels))
            return zeros, zeros
        return _halves(self.prior(tf.nn.silu(h)))


def _halves(parameters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and log-variance in float32, softly limited to +-5 for stability."""
    parameters = tf.cast(parameters, tf.float32)
    return tuple(tf.split(LARGEST * tf.tanh(parameters / LARGEST), 2, axis=-1))


class BottomUp(keras.layers.Layer):
    """Features of an image for every group of latents.

    Call it with images (batch, height, width, channels); it returns a list of features, smallest
    scale first. The largest scale has a position for each patch of the image (they overlap by a
    pixel); every further one has half the height and width, and twice the channels, of the one
    below. The arguments are those of `HierarchicalVAE`.
    """

    def __init__(self, groups: Sequence[int], channels: int, patch: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.shrink = []
        self.cells = []
        for i, count in enumerate(reversed(groups)):
            stride = patch if i == 0 else 2
            self.shrink.append(
                convolution(channels * 2**i, stride + 1, f"shrink{i + 1}", strides=stride)
            )
            self.cells.append([EncoderCell(name=f"scale{i + 1}_cell{j + 1}") for j in range(count)])

    def build(self, x_shape: Shape) -> None:
        shape = tuple(x_shape)
        for shrink, cells in zip(self.shrink, self.cells, strict=True):
            shrink.build(shape)
            shape = shrink.compute_output_shape(shape)
            for cell in cells:
                cell.build(shape)

    def call(self, x: tf.Tensor, training: bool = False) -> list[tf.Tensor]:
        features: list[tf.Tensor] = []
        h = 2 * tf.cast(x, self.compute_dtype) - 1
        for shrink, cells in zip(self.shrink, self.cells, strict=True):
            h = shrink(h)
            for cell in cells:
                h = cell(h, training=training)
                features.append(h)
        return features[::-1]


class TopDown(keras.layers.Layer):
    """Top-down pass: groups of latents, from a learnt constant to p(x | z).

    Call it with the features of `BottomUp`; it returns the parameters, (batch, height, width,
    image channels), and a `LatentSample` for each group, first to last. The last convolution
    computes all pixels of a patch at its position (sub-pixel convolution, Shi et al. 2016,
    section 3.2). The arguments are those of `HierarchicalVAE`.
    """

    def __init__(
        self,
        shape: Sequence[int],
        groups: Sequence[int],
        channels: int,
        latent_channels: int,
        patch: int,
        seed: int | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.shape = tuple(shape)
        self.patch = patch
        *sides, image_channels = self.shape
        scales = [2**i for i in reversed(range(len(groups)))]  # smallest scale first
        self.widths = [channels * scale for scale in scales]  # channels of each scale
        self.sizes = [  # positions of each scale, down and across
            tuple(math.ceil(side / (patch * scale)) for side in sides) for scale in scales
        ]
        self.positions = [  # of each group
            float(math.prod(size))
            for size, count in zip(self.sizes, groups, strict=True)
            for _ in range(count)
        ]
        latents = [
            LatentGroup(
                latent_channels,
                is_first=number == 0,
                seed=None if seed is None else (seed + number) % 2**32,
                name=f"group{number + 1}",
            )
            for number in range(sum(groups))
        ]
        ends = list(accumulate(groups))
        self.latents = [latents[end - count : end] for end, count in zip(ends, groups, strict=True)]
        self.cells = [
            [DecoderCell(name=f"scale{i + 1}_cell{j + 1}") for j in range(count)]
            for i, count in enumerate(groups)
        ]
        self.narrow = [
            convolution(width, 1, f"narrow{i}") for i, width in enumerate(self.widths[1:], start=1)
        ]
        self.image = convolution(image_channels * patch**2, 3, "image")

    def build(self, features_shapes: Sequence[Shape] = ()) -> None:
        self.start = self.add_weight(
            name="start", shape=(1, *self.sizes[0], self.widths[0]), initializer="random_normal"
        )
        for scale, size in enumerate(self.sizes):
            shape = (None, *size, self.widths[scale])
            onward = self.narrow[scale] if scale < len(self.narrow) else self.image
            for layer in (*self.latents[scale], *self.cells[scale], onward):
                layer.build(shape)

    def call(
        self, features: Sequence[tf.Tensor], training: bool = False
    ) -> tuple[tf.Tensor, list[LatentSample]]:
        samples: list[LatentSample] = []

        def sample_posterior(h: tf.Tensor, group: LatentGroup) -> tf.Tensor:
            samples.append(group(h, features[len(samples)]))
            return samples[-1].h

        batch = tf.shape(features[0])[0]
        return self._descend(batch, sample_posterior, training), samples

    def generate(self, count: int, temperature: float) -> tf.Tensor:
        """Parameters of p(x | z), z ~ p(z): (count, height, width, channels)."""
        return self._descend(count, lambda h, group: group.generate(h, temperature), training=False)

    def _descend(
        self,
        batch: tf.Tensor | int,
        take: Callable[[tf.Tensor, LatentGroup], tf.Tensor],
        training: bool,
    ) -> tf.Tensor:
        h = tf.cast(tf.repeat(self.start.value, batch, axis=0), self.compute_dtype)
        for scale, groups in enumerate(self.latents):
            if scale:
                # Each position becomes four; an odd height or width drops the last row or column.
                height, width = self.sizes[scale]
                h = tf.repeat(tf.repeat(self.narrow[scale - 1](h), 2, axis=1), 2, axis=2)
                h = h[:, :height, :width]  # (batch, height, width, channels)
            for group, cell in zip(groups, self.cells[scale], strict=True):
                h = cell(take(h, group), training=training)
        height, width, _ = self.shape
        patches = self.image(tf.nn.silu(h))  # (batch, positions down, across, patch^2 * channels)
        patches = tf.cast(patches, tf.float32)
        return tf.nn.depth_to_space(patches, self.patch)[:, :height, :width]


@keras.saving.register_keras_serializable(package="tf_models")
class HierarchicalVAE(LatentVariableModel):
    """Groups of latents at several scales: p(z) = prod_l p(z_l | z_<l).

    Besides the terms of `LatentVariableModel` it logs kl_1, kl_2, …, the KL term of each group.
    The loss is reconstruction + sum_l gamma_l kl_l; during warm-up, groups with a large KL term pay
    more (appendix A there).

    Batch normalisation and these weights are those of a whole batch: `num_shards` stays 1. Each of
    several GPUs has those of its part.

    Args:
        shape: height, width and channels of an image.
        groups: number of groups at each scale, smallest scale first; each has half the height and
            width of the next.
        channels: channels of the largest scale; each smaller scale has twice as many.
        latent_channels: latents at each position of a group.
        patch: height and width, in pixels, of the patch at a position of the largest scale.
        likelihood: "bernoulli" or "gaussian".
        seed: decides the samples.
        beta, kl_warmup_steps: see `LatentVariableModel`.

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
        kl_names = tuple(f"kl_{i + 1}" for i in range(sum(groups)))
        super().__init__(further_terms=kl_names, **kwargs)
        self._arguments = {
            "shape": tuple(shape),
            "groups": tuple(groups),
            "channels": channels,
            "latent_channels": latent_channels,
            "patch": patch,
            "likelihood": likelihood,
            "seed": seed,
        }
        self.bottom_up = BottomUp(groups, channels, patch, name="bottom_up")
        self.top_down = TopDown(
            shape, groups, channels, latent_channels, patch, seed, name="top_down"
        )
        self.likelihood = make_likelihood(likelihood)
        self.bottom_up.build((None, *shape))
        self.top_down.build()
        self.built = True

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        parameters, _ = self.top_down(self.bottom_up(x, training=training), training=training)
        return self.likelihood.mean(parameters)

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        return [keras.Input(self._arguments["shape"], name="x")]

    def terms(self, x: tf.Tensor, target: tf.Tensor, kl_weight: tf.Tensor, training: bool) -> Terms:
        features = self.bottom_up(x, training=training)
        parameters, latent_samples = self.top_down(features, training=training)
        reconstruction = -self.likelihood.log_probability(target, parameters)
        kls = tf.stack([sample.kl for sample in latent_samples])  # (groups, batch)
        kl = tf.reduce_sum(kls, axis=0)
        weights = self._group_weights(kls, kl_weight)
        loss = reconstruction + kl_weight * tf.linalg.matvec(kls, weights, transpose_a=True)
        kl_terms = {f"kl_{i + 1}": sample.kl for i, sample in enumerate(latent_samples)}
        elbo = -reconstruction - kl
        return {"loss": loss, "reconstruction": reconstruction, "kl": kl, "elbo": elbo, **kl_terms}

    def _group_weights(self, kls: tf.Tensor, kl_weight: tf.Tensor) -> tf.Tensor:
        """gamma_l, 1 on average; in warm-up proportional to the KL per position.

        Appendix A says "proportional to the size", a misprint according to its authors.
        """
        ones = tf.ones(tf.shape(kls)[0])
        if not self.kl_warmup_steps:
            return ones
        means = tf.stop_gradient(tf.reduce_mean(kls, axis=1)) + 0.01  # (groups,)
        kl_per_position = means / self.top_down.positions
        balanced = kl_per_position / tf.reduce_mean(kl_per_position)
        return tf.where(kl_weight < self.beta, balanced, ones)

    def log_weights(self, x: tf.Tensor, samples: int) -> tf.Tensor:
        features = self.bottom_up(x, training=False)
        # (samples * batch, height, width, channels) each
        repeated = [tf.tile(feature, (samples, 1, 1, 1)) for feature in features]
        parameters, latent_samples = self.top_down(repeated, training=False)
        parameters = tf.reshape(parameters, (samples, -1, *x.shape[1:]))
        log_ratio = tf.add_n([sample.log_ratio for sample in latent_samples])  # (samples * batch,)
        return self.likelihood.log_probability(x, parameters) - tf.reshape(log_ratio, (samples, -1))

    def generate(self, count: int, temperature: float = 1.0) -> tf.Tensor:
        return self.likelihood.mean(self.top_down.generate(count, temperature))
