"""Encoders and decoders: dense, convolutional, and of distributions.

A convolutional encoder halves an image with max-pooling, its decoder doubles it again.
"""

import math
from collections.abc import Sequence
from typing import Any, Self

import keras

KERNEL = 3
PARTS = ("encoder", "decoder")
Shape = tuple[int, ...]  # (height, width, channels) of an image, or the shape of another input


def dense_encoder(
    shape: Shape,
    code_size: int,
    units: Sequence[int] = (),
    *,
    activation: str = "relu",
    code_activation: str = "linear",
    code_noise: float = 0.0,
) -> keras.Sequential:
    """h = s(W x + B), with hidden layers of `units` before the code.

    Args:
        shape: shape of one input.
        code_size: numbers in a code; with fewer than the input has, the autoencoder is
            undercomplete, with more overcomplete.
        units: widths of the hidden layers.
        activation: activation s of the hidden layers.
        code_activation: activation s of the code.
        code_noise: standard deviation of Gaussian noise that is added, in training, before s: it
            drives the codes of a sigmoid to 0 and 1, where it does no harm (Salakhutdinov & Hinton
            2009, section 3.2).

    Returns:
        a model (batch, *shape) -> (batch, code_size).
    """
    return keras.Sequential(
        [
            keras.Input(shape),
            keras.layers.Flatten(),
            *[keras.layers.Dense(width, activation=activation) for width in units],
            keras.layers.Dense(code_size),
            keras.layers.GaussianNoise(code_noise),
            keras.layers.Activation(code_activation, name="code"),
        ],
        name="encoder",
    )


def dense_decoder(
    shape: Shape,
    code_size: int,
    units: Sequence[int] = (),
    *,
    activation: str = "relu",
    output_activation: str = "sigmoid",
) -> keras.Sequential:
    """r = s'(W' h + B'), the reverse of `dense_encoder`, with its arguments.

    Returns:
        a model (batch, code_size) -> (batch, *shape).
    """
    return keras.Sequential(
        [
            keras.Input((code_size,)),
            *[keras.layers.Dense(width, activation=activation) for width in reversed(units)],
            keras.layers.Dense(math.prod(shape)),
            keras.layers.Reshape(shape),
            # Last, so that Keras finds the logits behind a sigmoid and computes with them.
            keras.layers.Activation(output_activation),
        ],
        name="decoder",
    )


def convolutional_encoder(
    shape: Shape,
    code_size: int,
    filters: Sequence[int] = (16, 32),
    *,
    activation: str = "relu",
    code_activation: str = "linear",
) -> keras.Sequential:
    """Convolution and max-pooling for each of `filters`, then a dense layer.

    `filters` are the channels of the convolutions, which `activation` follows. Each pooling halves
    height and width; the dense layer computes the code. Other arguments: see `dense_encoder`.

    Returns:
        a model (batch, *shape) -> (batch, code_size).
    """
    layers = [keras.Input(shape)]
    for channels in filters:
        layers += [_convolution(channels, activation), keras.layers.MaxPooling2D(2, padding="same")]
    layers += [
        keras.layers.Flatten(),
        keras.layers.Dense(code_size, activation=code_activation, name="code"),
    ]
    return keras.Sequential(layers, name="encoder")


def convolutional_decoder(
    shape: Shape,
    code_size: int,
    filters: Sequence[int] = (16, 32),
    *,
    activation: str = "relu",
    output_activation: str = "sigmoid",
) -> keras.Sequential:
    """A dense layer, then convolution and up-sampling for each of `filters`.

    `filters` are taken last to first; the arguments are those of `convolutional_encoder`.

    Returns:
        a model (batch, code_size) -> (batch, *shape).
    """
    *size, channels = shape
    scale = 2 ** len(filters)
    small = [math.ceil(side / scale) for side in size]  # the size after max-pooling
    deepest = filters[-1] if filters else channels
    layers = [
        keras.Input((code_size,)),
        keras.layers.Dense(math.prod(small) * deepest, activation=activation),
        keras.layers.Reshape((*small, deepest)),
    ]
    for number in reversed(filters):
        layers += [_convolution(number, activation), keras.layers.UpSampling2D(2)]
    surplus = [(0, -side % scale) for side in size]  # up-sampling gives multiples of the scale
    layers += [
        _convolution(channels, "linear"),
        keras.layers.Cropping2D(surplus),
        keras.layers.Activation(output_activation),
    ]
    return keras.Sequential(layers, name="decoder")


def _convolution(filters: int, activation: str) -> keras.layers.Conv2D:
    return keras.layers.Conv2D(filters, KERNEL, padding="same", activation=activation)


def normal_encoder(encoder: keras.Model, latents: int) -> keras.Model:
    """An encoder of distributions: mean and log-variance of each latent.

    Both are linear in the features of a common body, an encoder images -> (batch, size). The result
    is a model images -> [mean, log_variance], each (batch, latents).
    """
    heads = [
        keras.layers.Dense(latents, name=name)(encoder.outputs[0])
        for name in ("mean", "log_variance")
    ]
    return keras.Model(encoder.inputs, heads, name="encoder")


def with_classes(encoder: keras.Model, classes: int) -> keras.Model:
    """An encoder of images and classes, from one with an additional channel.

    A linear layer spreads the class over that channel, which is appended to the image's own. For a
    dense network this is the one-hot class beside the pixels; a convolutional one can see it, too.

    Returns:
        a model [images (batch, height, width, channels), one-hot classes (batch, classes)] -> what
        the encoder returns.
    """
    height, width, channels = encoder.input_shape[1:]
    image = keras.Input((height, width, channels - 1))
    label = keras.Input((classes,))
    spread = keras.layers.Dense(height * width, name="class_channel")(label)
    channel = keras.layers.Reshape((height, width, 1))(spread)
    inputs = keras.layers.Concatenate()([image, channel])  # (batch, height, width, channels)
    return keras.Model([image, label], encoder(inputs))


class EncoderDecoder(keras.Model):
    """Mixin of Keras models with the arguments `encoder` and `decoder`."""

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        """Inputs of `call` for `export`: those of the encoder."""
        return [keras.Input(self.encoder.input_shape[1:], name="x")]

    def get_config(self) -> dict[str, Any]:
        parts = {name: keras.saving.serialize_keras_object(getattr(self, name)) for name in PARTS}
        return {**super().get_config(), **parts}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        parts = {name: keras.saving.deserialize_keras_object(config[name]) for name in PARTS}
        return cls(**{**config, **parts})
