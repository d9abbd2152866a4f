"""Residual cells (Vahdat & Kautz 2020, section 3.1, figure 3).

Every cell takes and returns (batch, height, width, channels) and adds a tenth of what it computes
to its input, as the authors' own code has it: a stack of many cells begins near the identity.
"""

import keras
import tensorflow as tf

from tf_models.autoencoders.hierarchical.layers import DepthwiseConvolution, FusedBatchNormalization

RESIDUAL = 0.1
SQUEEZE = 16  # squeezed channels are the channels divided by this, at least MIN_SQUEEZED
MIN_SQUEEZED = 4
# Of the decoder's depthwise convolution: its channels as a multiple of the cell's, and its kernel's
# height and width.
EXPANSION, KERNEL = 3, 5


def convolution(channels: int, kernel: int, name: str, **options) -> keras.layers.Conv2D:
    """A convolution that keeps height and width."""
    return keras.layers.Conv2D(channels, kernel, padding="same", name=name, **options)


class SqueezeExcitation(keras.layers.Layer):
    """Each channel times a gate that sees all of the image (Hu et al. 2018)."""

    def build(self, x_shape):
        channels = x_shape[-1]
        squeezed = max(MIN_SQUEEZED, channels // SQUEEZE)
        self.squeeze = keras.layers.Dense(squeezed, activation="relu", name="squeeze")
        self.excite = keras.layers.Dense(channels, activation="sigmoid", name="excite")
        self.squeeze.build((None, channels))
        self.excite.build((None, squeezed))

    def call(self, x):
        gates = self.excite(self.squeeze(tf.reduce_mean(x, axis=(1, 2))))  # (batch, channels)
        return x * gates[:, tf.newaxis, tf.newaxis]


class _ResidualCell(keras.layers.Layer):
    """x + 0.1 F(x), where F is a list of layers and ends with squeeze and excitation."""

    def _build_branch(self, x_shape, layers: list[keras.layers.Layer]) -> None:
        self.branch = layers
        shape = tuple(x_shape)
        for layer in layers:
            layer.build(shape)
            shape = layer.compute_output_shape(shape)
        self.gate = SqueezeExcitation(name="gate")
        self.gate.build(shape)

    def call(self, x, training=False):
        y = x
        for layer in self.branch:
            normalises = isinstance(layer, FusedBatchNormalization)
            y = layer(y, training=training) if normalises else layer(y)
        return x + RESIDUAL * self.gate(y)


def _norm(name: str) -> FusedBatchNormalization:
    return FusedBatchNormalization(momentum=0.95, epsilon=1e-5, name=f"{name}_norm")


def _normalised_swish(name: str) -> list[keras.layers.Layer]:
    return [_norm(name), keras.layers.Activation("silu", name=f"{name}_swish")]


class EncoderCell(_ResidualCell):
    """Twice batch normalisation, Swish and a 3 x 3 convolution, then squeeze and excitation."""

    def build(self, x_shape):
        channels = x_shape[-1]
        self._build_branch(
            x_shape,
            [
                *_normalised_swish("first"),
                convolution(channels, 3, "first_conv"),
                *_normalised_swish("second"),
                convolution(channels, 3, "second_conv"),
            ],
        )


class DecoderCell(_ResidualCell):
    """A depthwise-separable convolution of a large receptive field between two of 1 x 1."""

    def build(self, x_shape):
        channels = x_shape[-1]
        # Made before the others: the order decides which random weights a seed gives.
        depthwise = DepthwiseConvolution(KERNEL, name="depthwise")
        self._build_branch(
            x_shape,
            [
                _norm("first"),
                convolution(EXPANSION * channels, 1, "expand", use_bias=False),
                *_normalised_swish("expanded"),
                depthwise,
                *_normalised_swish("mixed"),
                convolution(channels, 1, "project", use_bias=False),
                _norm("last"),
            ],
        )
