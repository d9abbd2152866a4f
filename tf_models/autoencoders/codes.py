"""What all encoders have in common: the code at their end."""

import keras

from tf_models.errors import InputError


def check_code_size(code_size: int) -> None:
    """Refuse a code of no numbers.

    Raises:
        InputError: the size is below 1.
    """
    if code_size < 1:
        raise InputError(f"the code must have at least 1 number; received {code_size}")


def normal_encoder(encoder: keras.Model, latents: int) -> keras.Model:
    """An encoder of distributions: mean and log-variance of each latent, from a common body.

    Args:
        encoder: images -> features (batch, size).
        latents: number of latents.

    Returns:
        a model of the same images -> [mean, log_variance], each (batch, latents).

    Raises:
        InputError: there are no latents.
    """
    check_code_size(latents)
    heads = [
        keras.layers.Dense(latents, name=name)(encoder.outputs[0])
        for name in ("mean", "log_variance")
    ]
    return keras.Model(encoder.inputs, heads, name="encoder")
