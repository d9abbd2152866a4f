"""Spikes: epochs whose loss rises far above those before, as when one batch spoils the weights."""

from collections.abc import Sequence
from statistics import median

WINDOW = 10  # epochs that a loss is compared with
MIN_EPOCHS = 5  # of them; before that nothing is known of their spread
DEVIATIONS = 10  # standard deviations above the median
MIN_RISE = 0.05  # of the median; epochs that are all but equal have next to no spread
NORMAL = 1.4826  # a normal distribution's standard deviation, in median absolute deviations


def ends_in_spike(losses: Sequence[float]) -> bool:
    """Whether the last loss rises far above the recent ones.

    Far is `DEVIATIONS` times their spread above their median. Median and median absolute deviation
    take no notice of a single odd epoch, as mean and standard deviation would. Of epochs that stay
    as high the first alone is a spike.

    Args:
        losses: of training, of all epochs or of the last `WINDOW` + 2.
    """
    return _is_far_above(losses) and not _is_far_above(losses[:-1])


def spike_epochs(losses: Sequence[float]) -> list[int]:
    """The epochs, from 1, that are spikes (see `ends_in_spike`)."""
    return [i for i in range(1, len(losses) + 1) if ends_in_spike(losses[:i])]


def describe_spike(losses: Sequence[float], clip_norm: float | None) -> str:
    """One line for a spike in the last epoch, and what helps.

    Args:
        losses: of all epochs.
        clip_norm: where gradients are clipped; None if they are not.
    """
    *before, last = losses
    recent = median(before[-WINDOW:])
    advice = f"a lower --clip-norm than {clip_norm:g}" if clip_norm else "--clip-norm"
    return (
        f"the loss of epoch {len(losses)} is {last:.4g}, far above the {recent:.4g} of the epochs "
        f"before: perhaps a large gradient spoilt the weights. If it does not come back soon, "
        f"train again in another --run-dir with {advice} or a lower learning rate"
    )


def _is_far_above(losses: Sequence[float]) -> bool:
    recent = losses[-WINDOW - 1 : -1]
    if len(recent) < MIN_EPOCHS:
        return False
    centre = median(recent)
    spread = NORMAL * median(abs(one - centre) for one in recent)
    return losses[-1] - centre > max(DEVIATIONS * spread, MIN_RISE * abs(centre))
