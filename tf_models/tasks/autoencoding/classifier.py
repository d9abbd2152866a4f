"""A classifier on top of an encoder."""

import keras

from tf_models.errors import InputError


def classifier(encoder: keras.Model, classes: int) -> keras.Sequential:
    """An encoder and a fully connected layer on its codes; both learn.

    Args:
        encoder: images -> codes. It is not copied: training changes it.
        classes: number of classes, 2 or more.

    Returns:
        a model of images -> probabilities (batch, classes).

    Raises:
        InputError: fewer than two classes.
    """
    if classes < 2:
        raise InputError(f"a classifier needs at least 2 classes; received {classes}")
    return keras.Sequential(
        [
            keras.Input(encoder.input_shape[1:]),
            encoder,
            keras.layers.Dense(classes, activation="softmax", name="head"),
        ],
        name="classifier",
    )
