"""Residual cells and their layers (Vahdat & Kautz 2020, section 3.1, figure 3).

Every cell takes and returns (batch, height, width, channels) and adds a tenth of what it computes
to its input, as the authors' own code has it: a stack of many cells begins near the identity.
"""

from typing import Any

import keras
import tensorflow as tf

from tf_models.layers.models import Shape

RESIDUAL = 0.1
SQUEEZE, MIN_SQUEEZED = 16, 4  # squeezed channels: the channels divided by 16, 4 or more
EXPANSION, KERNEL = 3, 5  # depthwise convolution: channels by the cell's; height and width


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


class _ResidualCell(keras.layers.Layer):
    """x + 0.1 F(x), where F is `layers`, and ends with squeeze and excitation."""

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


class EncoderCell(_ResidualCell):
    """Twice batch normalisation, Swish and a 3 x 3 convolution, then squeeze and excitation."""

    def layers(self, channels: int) -> list[keras.layers.Layer]:
        return [
            *_normalised_swish("first"),
            convolution(channels, 3, "first_conv"),
            *_normalised_swish("second"),
            convolution(channels, 3, "second_conv"),
        ]


class DecoderCell(_ResidualCell):
    """A depthwise-separable convolution of a large receptive field between two of 1 x 1."""

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
