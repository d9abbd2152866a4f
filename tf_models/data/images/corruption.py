"""Binarisation and corruption of images before a model sees them."""

from dataclasses import dataclass

BINARISATIONS = ("none", "static", "dynamic")


@dataclass(frozen=True)
class Corruption:
    """Noise that a denoising autoencoder has to undo (Vincent et al. 2010, section 3.3).

    masking_noise: probability of a pixel to become 0.
    gaussian_noise_std: standard deviation of Gaussian noise that is added to every pixel.
    """

    masking_noise: float = 0.0
    gaussian_noise_std: float = 0.0

    def __bool__(self) -> bool:
        return self.masking_noise > 0 or self.gaussian_noise_std > 0
