"""A trained linear autoencoder beside principal component analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import subspace_angles

from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors
from tf_models.tasks.autoencoding.models import ImageModel

EXACT = 1e-6  # squared error below which PCA loses nothing but digits


@dataclass(frozen=True)
class PcaComparison:
    """What both make of the test images.

    reconstructions, pca_reconstructions: (n, height, width, channels).
    error, pca_error: |x - x^|^2, summed over pixels, mean over the images.
    angle: largest principal angle between what the decoder spans and PCA's subspace, in degrees.
    """

    reconstructions: np.ndarray
    pca_reconstructions: np.ndarray
    error: float
    pca_error: float
    angle: float

    def __str__(self) -> str:
        """Both errors and the angle, on one line."""
        exact = self.pca_error <= EXACT
        more = "" if exact else f" ({self.error / self.pca_error - 1:+z.2%})"
        return (
            f"squared error {self.error:.4g}, PCA's {self.pca_error:.4g}{more}; largest angle "
            f"between the subspaces {self.angle:.2f}°"
        )


def compare_with_pca(model: ImageModel, images: ImageSet) -> PcaComparison:
    """Fit PCA to the training images and compare both on the test images.

    Raises:
        InputError: the model is not linear, or has more numbers than PCA has components.
    """
    if not model.settings.is_linear:
        raise InputError(f"{model.path} holds no linear autoencoder; train one with --model linear")
    train, test = (images.pixels(split) for split in (images.train, images.test))
    kernel = model.model.decoder.get_weights()[0]  # (code_size, pixels)
    pca = fit_pca(train.reshape(len(train), -1), len(kernel))
    codes = pca.transform(test.reshape(len(test), -1))  # (n, code_size)
    by_pca = pca.inverse_transform(codes).reshape(test.shape)
    by_model = model.reconstruct(test)
    return PcaComparison(
        by_model,
        by_pca,
        error=float(reconstruction_errors(test, by_model).mean()),
        pca_error=float(reconstruction_errors(test, by_pca).mean()),
        angle=float(principal_angles(kernel, pca.components_).max()),
    )


def principal_angles(kernel: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Angles, in degrees, between what a linear decoder spans and PCA's subspace: (code_size,),
    largest first; all 0 where both span the same.

    The decoder's kernel and PCA's components are (code_size, features).
    """
    return np.degrees(subspace_angles(kernel.T, components.T))


def fit_pca(train: np.ndarray, code_size: int) -> Any:
    """scikit-learn's `PCA` of training vectors (vectors, features).

    Raises:
        InputError: there are fewer components than `code_size`.
    """
    from sklearn.decomposition import PCA

    most = min(train.shape)
    if not 1 <= code_size <= most:
        raise InputError(f"PCA has 1 to {most} components here; received {code_size}")
    return PCA(code_size, svd_solver="full").fit(train)


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
    pca = fit_pca(train, max(possible))  # the first components are the same for all sizes
    total = ((test - pca.mean_) ** 2).sum(axis=1).mean()
    explained = np.cumsum((pca.transform(test) ** 2).mean(axis=0))  # of one component, two …
    return {size: float(total - explained[size - 1]) for size in possible}
