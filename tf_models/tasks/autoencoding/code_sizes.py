"""What the bottleneck costs: the error of an autoencoder at several code sizes, beside PCA."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.data.images.dataset import ImageSet
from tf_models.plotting.lines import plot_lines
from tf_models.tasks.autoencoding.pca import fitted_pca


def pca_errors(images: ImageSet, sizes: Sequence[int]) -> dict[int, float]:
    """|x - x^|^2 summed over pixels, mean over the test images, of as many principal components as
    each size, where there are so many."""
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
    errors: Mapping[int, float], of_pca: Mapping[int, float], model: str = "dense"
) -> Figure:
    """Both errors against the code size.

    Args:
        errors: of an autoencoder, by size.
        of_pca: of as many principal components, where there are so many.
        model: which autoencoder it is, by its name on the command line.
    """
    lines = {
        name: found for name, found in ((f"{model} autoencoder", errors), ("PCA", of_pca)) if found
    }
    return plot_lines(
        {name: tuple(zip(*found.items(), strict=True)) for name, found in lines.items()},
        axis_names=("numbers in a code", "squared error of a test image"),
        marks=list(errors),
        scales=("log", "log"),
        title="what the bottleneck costs",
    )
