"""A trained linear autoencoder beside principal component analysis."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA

from tf_models.autoencoding.model import ImageModel, reconstruction_errors
from tf_models.data.images import ImageSet


class PcaComparison(NamedTuple):
    """Test images through a linear autoencoder and through PCA.

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
        return (
            f"squared error {self.error:.4g}, PCA's {self.pca_error:.4g} "
            f"({self.error / self.pca_error - 1:+z.2%}); largest angle between the subspaces "
            f"{self.angle:.2f}°"
        )


def compare_with_pca(model: ImageModel, images: ImageSet) -> PcaComparison:
    """Fit PCA to the training images and compare it with a linear model on the test images."""
    train, test = (images.pixels(split) for split in (images.train, images.test))
    kernel = model.model.decoder.get_weights()[0]  # (code_size, pixels)
    pca = PCA(len(kernel), svd_solver="full").fit(train.reshape(len(train), -1))
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


def pca_errors(images: ImageSet, sizes: Sequence[int]) -> dict[int, float]:
    """|x - x^|^2 summed over pixels, mean over the test images, of as many principal components as
    each size, where there are so many."""
    train, test = (
        pixels.reshape(len(pixels), -1)  # (images, pixels)
        for pixels in map(images.pixels, (images.train, images.test))
    )
    pca = PCA(svd_solver="full").fit(train)  # the first components are the same for all sizes
    total = ((test - pca.mean_) ** 2).sum(axis=1).mean()
    explained = np.cumsum((pca.transform(test) ** 2).mean(axis=0))  # of one component, two …
    possible = [size for size in sizes if size < min(train.shape)]
    return {size: float(total - explained[size - 1]) for size in possible}
