"""What the bottleneck costs: the error of an autoencoder at several code sizes, beside PCA."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from tf_models.data.images.dataset import ImageSet
from tf_models.plotting.language import ENGLISH, in_language
from tf_models.plotting.lines import plot_lines
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors
from tf_models.tasks.autoencoding.pca import fitted_pca
from tf_models.tasks.autoencoding.settings import AutoencoderSettings
from tf_models.tasks.autoencoding.stacked import train_autoencoder
from tf_models.tasks.autoencoding.trained_model import ImageModel


def errors_by_code_size(
    folder: Path,
    images: ImageSet,
    settings: AutoencoderSettings,
    sizes: Sequence[int],
    seed: int,
    *,
    minutes: float = math.inf,
    report: Callable[[str], None] = print,
) -> Mapping[int, float] | None:
    """Train at each code size and measure on the test images.

    Args:
        folder: gets a run directory for each size.
        images: to train and to test on.
        settings: of all but the code size.
        sizes: numbers in a code.
        seed: of each training.
        minutes: of each training at most.
        report: what to do with a line for the reader.

    Returns:
        |x - x^|^2 summed over pixels, mean over the test images, by size; None if Ctrl-C ended it.
    """
    tests, errors = images.pixels(images.test), {}
    for size in sizes:
        chosen = settings.changed(code_size=size)
        run_dir = folder / str(size)
        if not train_autoencoder(run_dir, images, chosen, seed, minutes=minutes, report=report):
            return None
        reconstructions = ImageModel.load(run_dir).reconstruct(tests)
        errors[size] = float(reconstruction_errors(tests, reconstructions).mean())
    return errors


def pca_errors(images: ImageSet, sizes: Sequence[int]) -> dict[int, float]:
    """The same error of as many principal components, where there are so many."""
    train, test = (
        pixels.reshape(len(pixels), -1)  # (images, pixels)
        for pixels in map(images.pixels, (images.train, images.test))
    )
    possible = [size for size in sizes if size < min(train.shape)]
    if not possible:
        return {}
    pca = fitted_pca(train, max(possible))  # the first components are the same for all sizes
    total = ((test - pca.mean_) ** 2).sum(axis=1).mean()
    explained = np.cumsum((pca.transform(test) ** 2).mean(axis=0))  # of one component, two …
    return {size: float(total - explained[size - 1]) for size in possible}


def plot_code_sizes(
    errors: Mapping[int, float],
    of_pca: Mapping[int, float],
    model: str = "dense",
    *,
    language: str = ENGLISH,
) -> Figure:
    """Both errors against the code size.

    Args:
        errors: of an autoencoder, by size.
        of_pca: of as many principal components, where there are so many.
        model: which autoencoder it is, by its name on the command line.
        language: of the words, "en" or "de".
    """
    names = in_language(f"{model} autoencoder", language), in_language("PCA", language)
    lines = {name: found for name, found in zip(names, (errors, of_pca), strict=True) if found}
    return plot_lines(
        {name: tuple(zip(*found.items(), strict=True)) for name, found in lines.items()},
        axis_names=(
            in_language("numbers in a code", language),
            in_language("squared error of a test image", language),
        ),
        marks=list(errors),
        scales=("log", "log"),
        title=in_language("what the bottleneck costs", language),
        language=language,
    )
