"""Encoders that halve an image with max-pooling, decoders that double it again."""

from collections.abc import Sequence

import keras

from tf_models.autoencoders.codes import check_code_size
from tf_models.errors import InputError

KERNEL = 3
Shape = tuple[int, int, int]  # height, width, channels


def convolutional_encoder(
    shape: Shape,
    code_size: int,
    filters: Sequence[int] = (16, 32),
    *,
    activation: str = "relu",
    code_activation: str = "linear",
) -> keras.Sequential:
    """Convolution and max-pooling for each of `filters`, then a dense layer for the code.

    Args:
        shape: of an image.
        code_size: numbers in a code.
        filters: channels of each convolution; after each, height and width are halved.
        activation: of the convolutions.
        code_activation: of the code.

    Returns:
        a model (batch, *shape) -> (batch, code_size).

    Raises:
        InputError: the code has no size, or the image is too small to be halved so often.
    """
    check_code_size(code_size)
    if min(shape[:2]) < 2 ** len(filters):
        raise InputError(
            f"an image of {shape[0]} x {shape[1]} cannot be halved {len(filters)} times; "
            "give fewer filters"
        )
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
    """A dense layer, then up-sampling and convolution for each of `filters`, last to first.

    The arguments are those of `convolutional_encoder`.

    Returns:
        a model (batch, code_size) -> (batch, *shape).
    """
    check_code_size(code_size)
    height, width, channels = shape
    halvings = len(filters)
    small = [-(-size // 2**halvings) for size in (height, width)]  # as max-pooling leaves it
    deepest = filters[-1] if filters else channels
    layers = [
        keras.Input((code_size,)),
        keras.layers.Dense(small[0] * small[1] * deepest, activation=activation),
        keras.layers.Reshape((*small, deepest)),
    ]
    for number in reversed(filters):
        layers += [_convolution(number, activation), keras.layers.UpSampling2D(2)]
    surplus = [side * 2**halvings - size for side, size in zip(small, (height, width), strict=True)]
    layers += [
        _convolution(channels, "linear"),
        keras.layers.Cropping2D([(0, rows) for rows in surplus]),
        # Last, so that Keras finds the logits behind a sigmoid and computes with them.
        keras.layers.Activation(output_activation),
    ]
    return keras.Sequential(layers, name="decoder")


def _convolution(filters: int, activation: str) -> keras.layers.Conv2D:
    return keras.layers.Conv2D(filters, KERNEL, padding="same", activation=activation)
