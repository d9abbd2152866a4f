"""The bottom-up and the top-down network (Vahdat & Kautz 2020, figure 2)."""

from collections.abc import Callable, Sequence

import keras
import tensorflow as tf

from tf_models.autoencoders.hierarchical.cells import DecoderCell, EncoderCell, convolution
from tf_models.autoencoders.hierarchical.groups import Draw, LatentGroup


@keras.saving.register_keras_serializable(package="tf_models")
class BottomUp(keras.layers.Layer):
    """Features of an image for every group of latents.

    Call it with images (batch, height, width, channels); it returns a list of features in the order
    in which the top-down network needs them, smallest scale first. A scale has half the height and
    width, and twice the channels, of the one below; the largest has half of the image's.

    Args:
        groups: number of groups at each scale, smallest scale first.
        channels: at the largest scale.
    """

    def __init__(self, groups: Sequence[int], channels: int, **kwargs):
        super().__init__(**kwargs)
        self.groups, self.channels = tuple(groups), channels
        self.halve, self.cells = [], []
        for i, count in enumerate(reversed(self.groups)):
            self.halve.append(convolution(channels * 2**i, 3, f"halve{i + 1}", strides=2))
            self.cells.append([EncoderCell(name=f"scale{i + 1}_cell{j + 1}") for j in range(count)])

    def build(self, x_shape):
        shape = tuple(x_shape)
        for halve, cells in zip(self.halve, self.cells, strict=True):
            halve.build(shape)
            shape = halve.compute_output_shape(shape)
            for cell in cells:
                cell.build(shape)

    def call(self, x, training=False):
        features, h = [], 2 * x - 1
        for halve, cells in zip(self.halve, self.cells, strict=True):
            h = halve(h)
            for cell in cells:
                h = cell(h, training=training)
                features.append(h)
        return features[::-1]

    def get_config(self):
        return {**super().get_config(), "groups": self.groups, "channels": self.channels}


@keras.saving.register_keras_serializable(package="tf_models")
class TopDown(keras.layers.Layer):
    """From a learnt constant through all groups of latents to the parameters of p(x | z).

    Call it with the features of `BottomUp`; it returns the parameters, (batch, height, width,
    image channels), and a `Draw` for each group, first to last.

    Args:
        groups: number of groups at each scale, smallest scale first.
        channels: at the largest scale.
        latent_channels: latents at each position of a group.
        image_channels: of the images.
        expansion: see `DecoderCell`.
        seed: of the samples.
    """

    def __init__(
        self,
        groups: Sequence[int],
        channels: int,
        latent_channels: int,
        image_channels: int,
        expansion: int = 3,
        seed: int | None = None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.groups, self.channels, self.latent_channels = tuple(groups), channels, latent_channels
        self.image_channels, self.expansion, self.seed = image_channels, expansion, seed
        self.latents = [
            LatentGroup(
                latent_channels, i == 0, None if seed is None else seed + i, name=f"group{i + 1}"
            )
            for i in range(sum(self.groups))
        ]
        self.cells = [DecoderCell(expansion, name=f"cell{i + 1}") for i in range(sum(self.groups))]
        self.narrow = [
            convolution(self._channels(scale + 1), 1, f"narrow{scale + 1}")
            for scale in range(len(self.groups))
        ]
        self.last_cell = DecoderCell(expansion, name="last_cell")
        self.image = convolution(image_channels, 3, "image")

    def _channels(self, scale: int) -> int:
        """Channels at a scale, 0 being the smallest; after the last one comes the image's."""
        return max(1, self.channels * 2 ** (len(self.groups) - 1) // 2**scale)

    def build(self, features_shapes):
        _, height, width, channels = features_shapes[0]
        self.start = self.add_weight(
            name="start", shape=(1, height, width, channels), initializer="random_normal"
        )
        group = iter(zip(self.latents, self.cells, strict=True))
        for scale, count in enumerate(self.groups):
            shape = (None, height, width, self._channels(scale))
            for _ in range(count):
                latents, cell = next(group)
                latents.build(shape)
                cell.build(shape)
            height, width = 2 * height, 2 * width
            self.narrow[scale].build((None, height, width, shape[-1]))
        shape = (None, height, width, self._channels(len(self.groups)))
        self.last_cell.build(shape)
        self.image.build(shape)

    def call(self, features, training=False):
        draws: list[Draw] = []

        def sample_posterior(h, group):
            draws.append(group(h, features[len(draws)]))
            return draws[-1].h

        batch = tf.shape(features[0])[0]
        return self._descend(batch, sample_posterior, training), draws

    def generate(self, count: int, temperature: float) -> tf.Tensor:
        """Parameters of p(x | z) for z from the prior, its deviations times the temperature."""
        return self._descend(count, lambda h, group: group.generate(h, temperature), training=False)

    def _descend(self, batch, take: Callable[[tf.Tensor, LatentGroup], tf.Tensor], training: bool):
        h = tf.repeat(self.start.value, batch, axis=0)
        group = iter(zip(self.latents, self.cells, strict=True))
        for scale, count in enumerate(self.groups):
            for _ in range(count):
                latents, cell = next(group)
                h = cell(take(h, latents), training=training)
            h = tf.repeat(tf.repeat(h, 2, axis=1), 2, axis=2)  # (batch, 2 height, 2 width, …)
            h = self.narrow[scale](h)
        return self.image(tf.nn.silu(self.last_cell(h, training=training)))

    def get_config(self):
        return {
            **super().get_config(),
            "groups": self.groups,
            "channels": self.channels,
            "latent_channels": self.latent_channels,
            "image_channels": self.image_channels,
            "expansion": self.expansion,
            "seed": self.seed,
        }
