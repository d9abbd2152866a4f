"""MADE (Germain et al. 2015): p(x) as a product of conditionals that one network computes."""

import math
from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.layers.summed_loss import SummedLossModel


@keras.saving.register_keras_serializable(package="tf_models")
class MaskedDense(keras.layers.Layer):
    """s(x (W * M) + b), where M cuts what would let a pixel see itself or later ones.

    A unit of degree d sees pixels 1 to d alone. M is 1 where the degree of the unit is at least
    that of the input (equation 8 there), at the output where it is greater (equation 9).

    Args:
        input_degrees: of the inputs.
        degrees: of the units.
        is_output: whether the units are the pixels' conditionals.
        activation: s.
    """

    def __init__(
        self,
        input_degrees: Sequence[int],
        degrees: Sequence[int],
        *,
        is_output: bool = False,
        activation: str = "linear",
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.input_degrees, self.degrees = tuple(input_degrees), tuple(degrees)
        self.is_output, self.activation = is_output, keras.activations.get(activation)
        sees = np.greater if is_output else np.greater_equal
        mask = sees.outer(self.degrees, self.input_degrees).T  # (inputs, units)
        self.mask = mask.astype(np.float32)

    def build(self, x_shape=None):
        self.kernel = self.add_weight(name="kernel", shape=self.mask.shape)
        self.bias = self.add_weight(name="bias", shape=self.mask.shape[1:], initializer="zeros")

    def call(self, x):
        return self.activation(tf.matmul(x, self.kernel.value * self.mask) + self.bias.value)

    def get_config(self):
        return {
            **super().get_config(),
            "input_degrees": self.input_degrees,
            "degrees": self.degrees,
            "is_output": self.is_output,
            "activation": keras.activations.serialize(self.activation),
        }


@keras.saving.register_keras_serializable(package="tf_models")
class MADE(SummedLossModel):
    """p(x) = prod_i p(x_i | x_1 … x_(i-1)) for binary pixels, row by row; nothing is latent.

    Each conditional is a Bernoulli distribution. All of them come from one pass through a network
    whose connections are masked. So log p(x) is exact, and training maximises it; but a sample
    takes a pass for every pixel. Without hidden layers each pixel is a logistic regression on those
    before it: the fully visible sigmoid belief network (Neal 1992).

    Compile it with an optimizer alone and fit it on images (batch, height, width, channels) of 0
    and 1. Called with images, it returns p(x_i = 1 | x_1 … x_(i-1)) for every pixel.

    Args:
        shape: of an image: height, width, channels.
        units: widths of the hidden layers.
        activation: of the hidden layers.
        seed: of the samples.

    Raises:
        InputError: an image has a single pixel, or a hidden layer has no unit.
    """

    def __init__(
        self,
        shape: Sequence[int],
        units: Sequence[int] = (),
        *,
        activation: str = "relu",
        seed: int | None = None,
        **kwargs,
    ):
        super().__init__(("loss",), **kwargs)
        self.shape, self.units = tuple(shape), tuple(units)
        self.pixels = math.prod(self.shape)
        if self.pixels < 2 or min(self.units, default=1) < 1:
            raise InputError(
                "an image needs 2 pixels or more, a hidden layer 1 unit or more; "
                f"received shape={self.shape}, units={self.units}"
            )
        self._activation, self._seed = activation, seed
        self.seed_generator = keras.random.SeedGenerator(seed)
        pixels = range(1, self.pixels + 1)
        degrees = [pixels, *[_hidden_degrees(width, self.pixels) for width in self.units]]
        self.hidden = [
            MaskedDense(below, above, activation=activation, name=f"hidden{i + 1}")
            for i, (below, above) in enumerate(zip(degrees, degrees[1:], strict=False))
        ]
        self.output_layer = MaskedDense(degrees[-1], pixels, is_output=True, name="logits")
        self.build((None, *self.shape))

    def build(self, x_shape):
        for layer in (*self.hidden, self.output_layer):
            layer.build()
        self.built = True

    def call(self, x, training=False):
        return tf.reshape(tf.sigmoid(self._logits(self._flat(x))), (-1, *self.shape))

    def log_probability(self, x: tf.Tensor) -> tf.Tensor:
        """log p(x) of each image in nats, exactly: (batch,)."""
        x = self._flat(x)
        of_pixels = -tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=self._logits(x))
        return tf.reduce_sum(of_pixels, axis=1)

    def generate(self, count: int) -> tf.Tensor:
        """New images of 0 and 1, pixel after pixel: (count, height, width, channels)."""
        noise = tf.random.stateless_uniform((count, self.pixels), self.seed_generator.next())
        return tf.reshape(self._sampled(noise), (count, *self.shape))

    @tf.function(reduce_retracing=True)
    def _sampled(self, noise):
        """Pixel i is 1 where its noise lies below p(x_i = 1 | x_1 … x_(i-1)): (count, pixels)."""
        x = tf.zeros_like(noise)
        for i in tf.range(self.pixels):
            is_on = tf.cast(noise < tf.sigmoid(self._logits(x)), x.dtype)
            x = tf.where(tf.range(self.pixels) == i, is_on, x)
        return x

    def _logits(self, x):
        """Of the conditionals, (batch, pixels), of flat images (batch, pixels)."""
        for layer in self.hidden:
            x = layer(x)
        return self.output_layer(x)

    def _flat(self, x):
        return tf.reshape(tf.cast(x, tf.float32), (-1, self.pixels))

    def sums(self, x, *, training):
        """The negative log-likelihood, summed over a batch."""
        return {"loss": -tf.reduce_sum(self.log_probability(x))}

    def get_config(self):
        return {
            **super().get_config(),
            "shape": self.shape,
            "units": self.units,
            "activation": self._activation,
            "seed": self._seed,
        }


def _hidden_degrees(width: int, pixels: int) -> list[int]:
    """1 to pixels - 1, spread evenly: a unit of a higher degree could tell no pixel anything."""
    return [1 + i * (pixels - 1) // width for i in range(width)]
