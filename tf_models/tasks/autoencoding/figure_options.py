"""Options of the figures; apart, so that --help need not wait for TensorFlow."""

from dataclasses import dataclass

from tf_models.errors import InputError
from tf_models.plotting.language import ENGLISH, check_language

COLUMNS = 10
# The figures of `tf_models.tasks.autoencoding.figures`, and what each draws.
FIGURE_NAMES = {
    "reconstructions": "test images, and what comes back",
    "samples": "new images, of a VAE",
    "traversal": "one number of the code moves",
    "codes": "codes as shades",
    "latent-space": "codes as points",
    "interpolation": "from one class to another, in code space and in pixel space",
    "denoising": "clean, noisy, restored",
    "pca": "a linear autoencoder beside as many principal components",
    "roc": "the class left out in training, found by its error",
}


@dataclass(frozen=True)
class FigureOptions:
    """Options of a figure.

    count: images in a row.
    classes: to interpolate between; None leaves them to the images.
    temperature: of samples.
    seed: of samples and noise.
    language: of the figure's words and numbers, "en" or "de".

    Raises:
        InputError: one of them makes no sense.
    """

    count: int = COLUMNS
    classes: tuple[str, str] | None = None
    temperature: float = 1.0
    seed: int = 0
    language: str = ENGLISH

    def __post_init__(self):
        if self.count < 2:
            raise InputError(f"--count must be at least 2; received {self.count}")
        if not 0 <= self.temperature <= 10:
            raise InputError(f"--temperature must be 0 to 10; received {self.temperature}")
        check_language(self.language)
