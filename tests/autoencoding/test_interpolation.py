import numpy as np
import pytest

from tf_models.autoencoding.interpolation import METHODS, interpolate

ZEROS, ONES = np.zeros((2, 3, 1)), np.ones((2, 3, 1))


@pytest.mark.parametrize("method", METHODS)
def test_from_one_end_to_the_other(method):
    way = interpolate(ZEROS, ONES, 10, method)

    assert way.shape == (10, 2, 3, 1)
    assert way.dtype == np.float32
    if method != "bicubic":
        assert np.all(np.diff(way, axis=0) >= 0)
    np.testing.assert_allclose(way[::-1], 1 - way, atol=1e-5)
    np.testing.assert_allclose(way, np.broadcast_to(way[:, :1, :1], way.shape), atol=1e-6)


def test_formulas():
    x = np.linspace(0, 1, 5)
    np.testing.assert_allclose(interpolate(ZEROS, ONES, 5, "linear")[:, 0, 0, 0], x, atol=1e-6)
    np.testing.assert_allclose(
        interpolate(ZEROS, ONES, 5, "cubic")[:, 0, 0, 0], 3 * x**2 - 2 * x**3, atol=1e-6
    )
    bilinear = np.clip(2 * (np.arange(5) + 0.5) / 5 - 0.5, 0, 1)  # at the centres of the rows
    np.testing.assert_allclose(
        interpolate(ZEROS, ONES, 5, "bilinear")[:, 0, 0, 0], bilinear, atol=1e-6
    )
