"""Encoders and decoders of fully connected layers."""

import math
from collections.abc import Sequence

import keras

from tf_models.autoencoders.codes import check_code_size

Shape = tuple[int, ...]  # of an image, or of whatever is encoded


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
        shape: of one input.
        code_size: numbers in a code, 1 or more; below the input's an undercomplete, above it an
            overcomplete autoencoder.
        units: widths of the hidden layers.
        activation: s of the hidden layers.
        code_activation: s of the code.
        code_noise: standard deviation of what is added, in training, before s: it drives the codes
            of a sigmoid to 0 and 1, where it does no harm (Salakhutdinov & Hinton 2009, section
            3.2).

    Returns:
        a model (batch, *shape) -> (batch, code_size).

    Raises:
        InputError: the code has no size.
    """
    check_code_size(code_size)
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
    """r = s'(W' h + B'), the other way round; the arguments are those of `dense_encoder`.

    Returns:
        a model (batch, code_size) -> (batch, *shape).
    """
    check_code_size(code_size)
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
