"""A trained linear autoencoder beside principal component analysis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import subspace_angles

from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors
from tf_models.tasks.autoencoding.models import ImageModel

if TYPE_CHECKING:
    from sklearn.decomposition import PCA

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
        more = "" if exact else f" ({self.error / self.pca_error - 1:+.2%})"
        return (
            f"squared error {self.error:.4g}, PCA's {self.pca_error:.4g}{more}; largest angle "
            f"between the subspaces {self.angle:.2f}°"
        )


def has_pca(model: ImageModel, images: ImageSet) -> bool:
    """Whether it is linear, and PCA has more components than it has numbers."""
    return model.is_linear and model.code_size < min(len(images.train), math.prod(images.shape))


def compare_with_pca(model: ImageModel, images: ImageSet) -> PcaComparison:
    """Fit PCA to the training images and compare both on the test images.

    Raises:
        InputError: the model is not linear, or has more numbers than PCA has components.
    """
    if not model.is_linear:
        raise InputError(f"{model.path} holds no linear autoencoder; train one with --model linear")
    train, test = (images.pixels(split) for split in (images.train, images.test))
    flat_train, flat_test = (x.reshape(len(x), -1) for x in (train, test))
    kernel = model.model.decoder.get_weights()[0]  # (code_size, pixels)
    pca = fitted_pca(flat_train, len(kernel))
    by_pca = pca.inverse_transform(pca.transform(flat_test)).reshape(test.shape)
    by_model = model.reconstruct(test)
    return PcaComparison(
        by_model,
        by_pca,
        error=float(reconstruction_errors(test, by_model).mean()),
        pca_error=float(reconstruction_errors(test, by_pca).mean()),
        angle=float(_angles(kernel, pca.components_).max()),
    )


def pca_reconstructions(train: np.ndarray, x: np.ndarray, code_size: int) -> np.ndarray:
    """Reconstruct x from the first principal components of the training vectors.

    Args:
        train: (vectors, features).
        x: (vectors, features).
        code_size: number of components.

    Raises:
        InputError: there are fewer components than that.
    """
    pca = fitted_pca(train, code_size)
    return pca.inverse_transform(pca.transform(x))


def principal_angles(train: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Angles, in degrees, between what a decoder spans and PCA's subspace; largest first.

    Args:
        train: training vectors, (vectors, features).
        kernel: of a linear decoder, (code_size, features).

    Returns:
        (code_size,); all 0 where both span the same.
    """
    return _angles(kernel, fitted_pca(train, len(kernel)).components_)


def _angles(kernel: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Between the rows' spans, (code_size, features) each; in degrees, largest first."""
    return np.degrees(subspace_angles(kernel.T, components.T))


def fitted_pca(train: np.ndarray, code_size: int) -> PCA:
    """scikit-learn's PCA of training vectors (vectors, features).

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
    pca = fitted_pca(train, max(possible))  # the first components are the same for all sizes
    total = ((test - pca.mean_) ** 2).sum(axis=1).mean()
    explained = np.cumsum((pca.transform(test) ** 2).mean(axis=0))  # of one component, two …
    return {size: float(total - explained[size - 1]) for size in possible}
