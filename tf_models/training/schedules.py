"""Learning rates: constant, or a cosine down to zero."""

import keras


def learning_rate(
    initial: float, schedule: str, steps: int
) -> float | keras.optimizers.schedules.LearningRateSchedule:
    """A learning rate by the name of its schedule.

    Args:
        initial: the first one.
        schedule: "constant" or "cosine".
        steps: optimizer steps of the whole training, at whose end a cosine is at zero.
    """
    if schedule == "constant":
        return initial
    return keras.optimizers.schedules.CosineDecay(initial, steps)
