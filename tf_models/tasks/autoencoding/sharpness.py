"""How sharp images are, in one number."""

import numpy as np
from scipy.ndimage import laplace


def sharpness(images: np.ndarray) -> float:
    """Mean variance of the Laplacian of each image's channels (Pech-Pacheco et al. 2000).

    The Laplacian is large where shades change abruptly, so blur lowers its variance. It needs no
    reference image and no trained network, but says nothing about whether an image looks real.
    Compare it with that of real images: noise makes an image "sharp", too.

    Args:
        images: (n, height, width, channels).
    """
    second_differences = laplace(images, mode="nearest", axes=(1, 2))
    return float(second_differences.var(axis=(1, 2)).mean())
