import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from tf_models.autoencoding.figures import sharpness
from tf_models.autoencoding.model import reconstruction_errors


def test_blur_lowers_it():
    images = (np.random.default_rng(0).random((5, 12, 12, 1)) < 0.3).astype(np.float32)
    values = [
        sharpness(gaussian_filter(images, (0, sigma, sigma, 0))) for sigma in (0, 0.5, 1.0, 2.0)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.1 * values[0]


def test_variance_of_second_differences():
    """One dot on 3 x 3: Laplacian -4 there, 1 at its four neighbours, 0 in the corners."""
    image = np.zeros((1, 3, 3, 1))
    image[0, 1, 1, 0] = 1
    expected = np.var([-4, 1, 1, 1, 1, 0, 0, 0, 0])
    assert sharpness(image) == pytest.approx(expected)
    assert sharpness(np.ones((2, 4, 4, 1))) == 0
    colours = np.concatenate([image, np.zeros_like(image)], axis=-1)
    assert sharpness(colours) == pytest.approx(expected / 2)


def test_errors_are_sums_over_pixels():
    images = np.zeros((2, 2, 2, 1))
    other = np.stack([np.full((2, 2, 1), 0.5), np.ones((2, 2, 1))])
    np.testing.assert_allclose(reconstruction_errors(images, other), [1.0, 4.0])
