"""Groups of latents, and the bottom-up and the top-down network (Vahdat & Kautz 2020, figure 2)."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.autoencoders.distributions import Sampling, kl_of_residual, log_density, sum_units
from tf_models.autoencoders.hierarchical.cells import DecoderCell, EncoderCell, convolution
from tf_models.layers.models import Shape

LARGEST = 5.0  # of means and log-variances, softly


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
    """z_l with p(z_l | z_<l) and q(z_l | z_<l, x), normal and relative to each other.

    The prior is N(m, s^2) with m and s from the top-down state h; the posterior is
    N(m + dm, (s ds)^2) with dm and ds from h and the bottom-up features
    (Vahdat & Kautz 2020, section 3.2). The first group's prior is N(0, 1).

    Args:
        latent_channels: latents at each position.
        is_first: whether nothing stands above.
        seed: of the samples.
    """

    def __init__(
        self, latent_channels: int, is_first: bool, seed: int | None = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.latent_channels, self.is_first = latent_channels, is_first
        self.sampling = Sampling(seed, name="sampling", dtype="float32")

    def build(self, h_shape: Shape) -> None:
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

    def call(self, h: tf.Tensor, features: tf.Tensor) -> LatentSample:
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
        """h with a sample of the prior at a temperature, (batch, height, width, channels) as h."""
        z = self.sampling(*self._prior(h), temperature=temperature)
        return h + self.latent_projection(z)

    def _prior(self, h: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Mean and log-variance, (batch, height, width, latents) each."""
        if self.is_first:
            zeros = tf.zeros((*tf.unstack(tf.shape(h))[:-1], self.latent_channels))
            return zeros, zeros
        return _halves(self.prior(tf.nn.silu(h)))


def _halves(parameters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and log-variance in float32, kept within +-5 so that no variance runs away."""
    parameters = tf.cast(parameters, tf.float32)
    mean, log_variance = tf.split(LARGEST * tf.tanh(parameters / LARGEST), 2, axis=-1)
    return mean, log_variance


def sizes(image_size: Sequence[int], scales: int, patch: int) -> list[tuple[int, int]]:
    """Height and width at each scale, smallest first: of the patches, then halves, rounded up."""
    of_position = [patch * 2**scale for scale in range(scales)]  # pixels in a row, largest first
    height, width = image_size
    return [(-(-height // pixels), -(-width // pixels)) for pixels in reversed(of_position)]


def _cells(kind: type[keras.layers.Layer], scale: int, groups: int) -> list[keras.layers.Layer]:
    """Cells of a scale: one for each group of latents; one where there are none, too."""
    return [kind(name=f"scale{scale}_cell{j + 1}") for j in range(max(1, groups))]


class BottomUp(keras.layers.Layer):
    """Features of an image for every group of latents.

    Call it with images (batch, height, width, channels); it returns a list of features, smallest
    scale first. The largest scale has a position for each patch of the image (they overlap by a
    pixel); every further one has half the height and width, and twice the channels, of the one
    below.

    Args:
        groups, channels, patch: see `HierarchicalVAE`.
    """

    def __init__(self, groups: Sequence[int], channels: int, patch: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.groups, self.channels, self.patch = tuple(groups), channels, patch
        self.shrink, self.cells = [], []
        for i, count in enumerate(reversed(self.groups)):
            by = 2 if i else patch
            self.shrink.append(convolution(channels * 2**i, by + 1, f"shrink{i + 1}", strides=by))
            self.cells.append(_cells(EncoderCell, i + 1, count))

    def build(self, x_shape: Shape) -> None:
        shape = tuple(x_shape)
        for shrink, cells in zip(self.shrink, self.cells, strict=True):
            shrink.build(shape)
            shape = shrink.compute_output_shape(shape)
            for cell in cells:
                cell.build(shape)

    def call(self, x: tf.Tensor, training: bool = False) -> list[tf.Tensor]:
        features, h = [], 2 * x - 1
        for count, shrink, cells in zip(self.groups[::-1], self.shrink, self.cells, strict=True):
            h = shrink(h)
            of_scale = []
            for cell in cells:
                h = cell(h, training=training)
                of_scale.append(h)
            features += of_scale[:count]
        return features[::-1]


class TopDown(keras.layers.Layer):
    """From a learnt constant through all groups of latents to the parameters of p(x | z).

    Call it with the features of `BottomUp`; it returns the parameters, (batch, height, width,
    image channels), and a `LatentSample` for each group, first to last. The last convolution
    computes all pixels of a patch at its position (sub-pixel convolution, Shi et al. 2016,
    section 3.2).

    Args:
        shape, groups, channels, latent_channels, patch, seed: see `HierarchicalVAE`.
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
        self.shape, self.groups, self.channels = tuple(shape), tuple(groups), channels
        self.latent_channels, self.patch, self.seed = latent_channels, patch, seed
        self.sizes = sizes(self.shape[:2], len(self.groups), patch)
        number = iter(range(sum(self.groups)))
        self.latents = [[self._group(next(number)) for _ in range(count)] for count in self.groups]
        self.cells = [_cells(DecoderCell, i + 1, count) for i, count in enumerate(self.groups)]
        scales = len(self.groups)
        self.narrow = [convolution(self._channels(i), 1, f"narrow{i}") for i in range(1, scales)]
        self.image = convolution(self.shape[-1] * patch**2, 3, "image")

    def _group(self, number: int) -> LatentGroup:
        seed = None if self.seed is None else (self.seed + number) % 2**32
        return LatentGroup(self.latent_channels, number == 0, seed, name=f"group{number + 1}")

    def positions(self) -> list[float]:
        """Height times width of each group, first to last."""
        return [
            float(height * width)
            for count, (height, width) in zip(self.groups, self.sizes, strict=True)
            for _ in range(count)
        ]

    def _channels(self, scale: int) -> int:
        """Channels at a scale, 0 being the smallest."""
        return self.channels * 2 ** (len(self.groups) - 1 - scale)

    def build(self, features_shapes: Sequence[Shape] = ()) -> None:
        self.start = self.add_weight(
            name="start", shape=(1, *self.sizes[0], self._channels(0)), initializer="random_normal"
        )
        for scale, size in enumerate(self.sizes):
            shape = (None, *size, self._channels(scale))
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
        """Parameters of p(x | z), (count, height, width, channels), for z from the prior, its
        deviations times the temperature."""
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
                # Each position twice in both directions, down to the size where that is odd.
                height, width = self.sizes[scale]
                h = tf.repeat(tf.repeat(self.narrow[scale - 1](h), 2, axis=1), 2, axis=2)
                h = h[:, :height, :width]  # (batch, height, width, channels)
            for group, cell in zip_longest(groups, self.cells[scale]):
                h = cell(take(h, group) if group else h, training=training)
        height, width, _ = self.shape
        patches = self.image(tf.nn.silu(h))  # (batch, positions down, across, patch^2 * channels)
        patches = tf.cast(patches, tf.float32)
        return tf.nn.depth_to_space(patches, self.patch)[:, :height, :width]
