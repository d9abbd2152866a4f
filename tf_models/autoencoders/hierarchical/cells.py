"""Residual cells and their layers (Vahdat & Kautz 2020, section 3.1, figure 3).

Every cell takes and returns (batch, height, width, channels) and adds a tenth of what it computes
to its input, as the authors' own code has it: a stack of many cells begins near the identity.
"""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.layers.models import Shape

RESIDUAL = 0.1
SQUEEZE, MIN_SQUEEZED = 16, 4  # squeezed channels: the channels divided by 16, 4 or more
EXPANSION, KERNEL = 3, 5  # depthwise convolution: channels by the cell's; height and width
MAX_POSITIONS = 128  # of an image; the cost of the products grows with their square


class DepthwiseConvolution(keras.layers.DepthwiseConv2D):
    """Keras' depthwise convolution of (batch, height, width, channels) that keeps height and width.

    On a CPU TensorFlow takes ten times as long for the gradient by the kernel as for the
    convolution. On images of up to `MAX_POSITIONS` positions it is taken here from the products
    of all inputs with the gradients of all outputs: one matrix product for each channel.

    Args:
        kernel_size: height and width of the kernel.
    """

    def __init__(self, kernel_size: int | Sequence[int], name: str | None = None):
        super().__init__(kernel_size, padding="same", use_bias=False, name=name)

    def build(self, x_shape: Shape) -> None:
        super().build(x_shape)
        size = x_shape[1:3]
        self._taps = tap_index(size, self.kernel_size) if np.prod(size) <= MAX_POSITIONS else None

    def call(self, x: tf.Tensor) -> tf.Tensor:
        if self._taps is None:
            return super().call(x)
        return _convolve(x, tf.convert_to_tensor(self.kernel), self._taps)


def tap_index(size: Sequence[int], kernel_size: Sequence[int]) -> np.ndarray:
    """The tap of the kernel by which an input position reaches an output position, one-hot.

    Of height and width of image and kernel: (positions of the input, of the output, taps), float32.
    """
    down, across = (
        np.subtract.outer(range(length), range(length))[..., np.newaxis]
        == np.arange(width) - (width - 1) // 2
        for length, width in zip(size, kernel_size, strict=True)
    )  # (input, output, tap) each
    taps = np.einsum("yvi,xwj->yxvwij", down, across)
    positions = np.prod(size)
    return taps.reshape(positions, positions, -1).astype(np.float32)


def _convolve(x: tf.Tensor, kernel: tf.Tensor, taps: np.ndarray) -> tf.Tensor:
    options = {"strides": [1] * 4, "padding": "SAME"}

    @tf.custom_gradient
    def convolve(x: tf.Tensor, kernel: tf.Tensor) -> tuple[tf.Tensor, Callable]:
        def gradients(dy: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            dx = tf.nn.depthwise_conv2d_backprop_input(tf.shape(x), kernel, dy, **options)
            flat = (-1, len(taps), x.shape[-1])  # (batch, positions, channels)
            products = tf.einsum("bpc,bqc->cpq", tf.reshape(x, flat), tf.reshape(dy, flat))
            of_kernel = tf.einsum("cpq,pqk->kc", products, tf.cast(taps, products.dtype))
            return dx, tf.reshape(of_kernel, kernel.shape)

        return tf.nn.depthwise_conv2d(x, kernel, **options), gradients

    return convolve(x, kernel)


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
    """x + 0.1 F(x), where F is a list of layers and ends with squeeze and excitation."""

    def _build_branch(self, x_shape: Shape, layers: list[keras.layers.Layer]) -> None:
        self.branch = layers
        shape = tuple(x_shape)
        for layer in layers:
            layer.build(shape)
            shape = layer.compute_output_shape(shape)
        self.gate = SqueezeExcitation(name="gate")
        self.gate.build(shape)

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        y = x
        for layer in self.branch:
            normalises = isinstance(layer, keras.layers.BatchNormalization)
            y = layer(y, training=training) if normalises else layer(y)
        return x + RESIDUAL * self.gate(y)


def _norm(name: str) -> keras.layers.BatchNormalization:
    return keras.layers.BatchNormalization(momentum=0.95, epsilon=1e-5, name=f"{name}_norm")


def _normalised_swish(name: str) -> list[keras.layers.Layer]:
    return [_norm(name), keras.layers.Activation("silu", name=f"{name}_swish")]


class EncoderCell(_ResidualCell):
    """Twice batch normalisation, Swish and a 3 x 3 convolution, then squeeze and excitation."""

    def build(self, x_shape: Shape) -> None:
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

    def build(self, x_shape: Shape) -> None:
        channels = x_shape[-1]
        self._build_branch(
            x_shape,
            [
                _norm("first"),
                convolution(EXPANSION * channels, 1, "expand", use_bias=False),
                *_normalised_swish("expanded"),
                DepthwiseConvolution(KERNEL, name="depthwise"),
                *_normalised_swish("mixed"),
                convolution(channels, 1, "project", use_bias=False),
                _norm("last"),
            ],
        )
