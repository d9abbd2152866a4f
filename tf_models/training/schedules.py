"""The learning rate of autoencoders: constant, or a cosine down to zero."""

import keras

from tf_models.training.settings import CheckedSettings


def learning_rate(
    settings: CheckedSettings, epoch_steps: int
) -> float | keras.optimizers.schedules.LearningRateSchedule:
    """What the settings `learning_rate`, `schedule` and `epochs` stand for.

    Args:
        settings: which have these three.
        epoch_steps: batches in an epoch.
    """
    if settings.schedule == "constant":
        return settings.learning_rate
    steps = settings.epochs * epoch_steps
    return keras.optimizers.schedules.CosineDecay(settings.learning_rate, steps)
