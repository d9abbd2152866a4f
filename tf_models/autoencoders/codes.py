"""What all encoders have in common: the code at their end."""

import math

import keras
import tensorflow as tf

from tf_models.autoencoders.choices import DEVIATIONS
from tf_models.errors import InputError

LEAST_DEVIATION = 1e-6  # float32 would round the softplus of a number far below 0 to none


def check_code_size(code_size: int) -> None:
    """Refuse a code of no numbers.

    Raises:
        InputError: the size is below 1.
    """
    if code_size < 1:
        raise InputError(f"the code must have at least 1 number; received {code_size}")


@keras.saving.register_keras_serializable(package="tf_models")
def softplus_log_variance(x: tf.Tensor) -> tf.Tensor:
    """log s^2 of the standard deviation s = log(1 + (e - 1) exp(x)), which is 1 at x = 0.

    For a large x, s grows as x does, not as exp(x).
    """
    deviation = tf.nn.softplus(x + math.log(math.e - 1))
    return 2 * tf.math.log(deviation + LEAST_DEVIATION)


def normal_encoder(encoder: keras.Model, latents: int, deviation: str = "exp") -> keras.Model:
    """An encoder of distributions: mean and log-variance of each latent, from a common body.

    Args:
        encoder: images -> features (batch, size).
        latents: number of latents.
        deviation: what makes the standard deviation positive: "exp" (the head is the log-variance)
            or "softplus" (see `softplus_log_variance`).

    Returns:
        a model of the same images -> [mean, log_variance], each (batch, latents).

    Raises:
        InputError: there are no latents, or there is no such way.
    """
    check_code_size(latents)
    if deviation not in DEVIATIONS:
        raise InputError(
            f"the deviation must be one of {', '.join(DEVIATIONS)}; received {deviation!r}"
        )
    log_variance = softplus_log_variance if deviation == "softplus" else None
    heads = [
        keras.layers.Dense(latents, activation, name=name)(encoder.outputs[0])
        for name, activation in (("mean", None), ("log_variance", log_variance))
    ]
    return keras.Model(encoder.inputs, heads, name="encoder")
