"""What may happen to images before a model sees them: binarisation and corruption."""

import math
from dataclasses import dataclass

from tf_models.errors import InputError

BINARISATIONS = ("none", "static", "dynamic")


@dataclass(frozen=True)
class Corruption:
    """What a denoising autoencoder has to undo (Vincent et al. 2010, section 3.3).

    zeroed: probability of a pixel to become 0.
    deviation: standard deviation of Gaussian noise that is added to every pixel.

    Raises:
        InputError: `zeroed` is no probability, or `deviation` is negative.
    """

    zeroed: float = 0.0
    deviation: float = 0.0

    def __post_init__(self):
        if not 0 <= self.zeroed <= 1:
            raise InputError(
                f"the probability of a pixel to be zeroed must be 0 to 1; received {self.zeroed}"
            )
        if not 0 <= self.deviation < math.inf:
            raise InputError(
                f"the noise's standard deviation must be at least 0; received {self.deviation}"
            )

    def __bool__(self) -> bool:
        return self.zeroed > 0 or self.deviation > 0
