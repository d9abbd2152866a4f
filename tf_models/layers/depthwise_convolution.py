"""Depthwise convolution whose kernel, on small images, has its gradient by matrix products."""

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

MOST_POSITIONS = 128  # of an image; the cost of the products grows with their square


@keras.saving.register_keras_serializable(package="tf_models")
class DepthwiseConvolution(keras.layers.DepthwiseConv2D):
    """Keras' depthwise convolution of (batch, height, width, channels) that keeps height and width.

    On a CPU TensorFlow takes ten times as long for the gradient by the kernel as for the
    convolution. On images of up to `MOST_POSITIONS` positions it is taken here from the products
    of all inputs with the gradients of all outputs: one matrix product for each channel.

    Args:
        kernel_size: height and width of the kernel.
    """

    def __init__(self, kernel_size: int | Sequence[int], *, name=None, trainable=True, dtype=None):
        options = {"name": name, "trainable": trainable, "dtype": dtype}
        super().__init__(kernel_size, padding="same", use_bias=False, **options)

    def build(self, x_shape):
        super().build(x_shape)
        size = x_shape[1:3]
        self._met = places(size, self.kernel_size) if np.prod(size) <= MOST_POSITIONS else None

    def call(self, x):
        if self._met is None:
            return super().call(x)
        return _convolve(x, tf.convert_to_tensor(self.kernel), self._met)

    def get_config(self):
        config = super().get_config()
        return {name: config[name] for name in ("name", "trainable", "dtype", "kernel_size")}


def places(size: Sequence[int], kernel_size: Sequence[int]) -> np.ndarray:
    """At which place of the kernel an input meets an output, as 1 among 0.

    Args:
        size: height and width of the image.
        kernel_size: those of the kernel.

    Returns:
        (positions of the input, of the output, places in the kernel), float32.
    """
    down, across = (
        np.subtract.outer(range(length), range(length))[..., np.newaxis]
        == np.arange(width) - (width - 1) // 2
        for length, width in zip(size, kernel_size, strict=True)
    )  # (input, output, place) each
    met = np.einsum("yvi,xwj->yxvwij", down, across)
    positions = np.prod(size)
    return met.reshape(positions, positions, -1).astype(np.float32)


def _convolve(x: tf.Tensor, kernel: tf.Tensor, met: np.ndarray) -> tf.Tensor:
    options = {"strides": [1] * 4, "padding": "SAME"}

    @tf.custom_gradient
    def convolve(x, kernel):
        def gradients(dy):
            dx = tf.nn.depthwise_conv2d_backprop_input(tf.shape(x), kernel, dy, **options)
            flat = (-1, len(met), x.shape[-1])  # (batch, positions, channels)
            products = tf.einsum("bpc,bqc->cpq", tf.reshape(x, flat), tf.reshape(dy, flat))
            of_kernel = tf.einsum("cpq,pqk->kc", products, tf.cast(met, products.dtype))
            return dx, tf.reshape(of_kernel, kernel.shape)

        return tf.nn.depthwise_conv2d(x, kernel, **options), gradients

    return convolve(x, kernel)
