"""Binarisation and corruption of images before a model sees them."""

import math
from dataclasses import dataclass

from tf_models.errors import InputError

BINARISATIONS = ("none", "static", "dynamic")


@dataclass(frozen=True)
class Corruption:
    """Noise that a denoising autoencoder has to undo (Vincent et al. 2010, section 3.3).

    masking_noise: probability of a pixel to become 0.
    gaussian_noise_std: standard deviation of Gaussian noise that is added to every pixel.

    Raises:
        InputError: `masking_noise` is no probability, or `gaussian_noise_std` is negative.
    """

    masking_noise: float = 0.0
    gaussian_noise_std: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.masking_noise <= 1:
            raise InputError(f"masking_noise must be 0 to 1; received {self.masking_noise}")
        if not 0 <= self.gaussian_noise_std < math.inf:
            raise InputError(
                f"gaussian_noise_std must be at least 0; received {self.gaussian_noise_std}"
            )

    def __bool__(self) -> bool:
        return self.masking_noise > 0 or self.gaussian_noise_std > 0
