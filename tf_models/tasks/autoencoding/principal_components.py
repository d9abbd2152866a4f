"""The linear autoencoder and principal component analysis, which it comes to."""

import numpy as np
from scipy.linalg import subspace_angles

from tf_models.errors import InputError


def pca_reconstructions(train: np.ndarray, x: np.ndarray, code_size: int) -> np.ndarray:
    """Reconstruct x from the first principal components of the training vectors.

    Args:
        train: (vectors, features).
        x: (vectors, features).
        code_size: number of components.

    Raises:
        InputError: there are fewer components than that.
    """
    pca = _fitted_pca(train, code_size)
    return pca.inverse_transform(pca.transform(x))


def principal_angles(train: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Angles, in degrees, between what a decoder spans and PCA's subspace; largest first.

    Args:
        train: training vectors, (vectors, features).
        kernel: of a linear decoder, (code_size, features).

    Returns:
        (code_size,); all 0 where both span the same.
    """
    components = _fitted_pca(train, len(kernel)).components_  # (code_size, features)
    return np.degrees(subspace_angles(kernel.T, components.T))


def _fitted_pca(train: np.ndarray, code_size: int):
    from sklearn.decomposition import PCA

    most = min(train.shape)
    if not 1 <= code_size <= most:
        raise InputError(f"PCA has 1 to {most} components here; received {code_size}")
    return PCA(code_size, svd_solver="full").fit(train)
