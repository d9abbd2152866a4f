import numpy as np
import pytest
from scipy.interpolate import CubicSpline

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
    spline = CubicSpline([0, 1], [0, 1], bc_type="clamped")(x)
    bilinear = np.clip(2 * (np.arange(5) + 0.5) / 5 - 0.5, 0, 1)  # at the centres of the rows
    for method, expected in {"linear": x, "cubic": spline, "bilinear": bilinear}.items():
        way = interpolate(ZEROS, ONES, 5, method)[:, 0, 0, 0]
        np.testing.assert_allclose(way, expected, atol=1e-6)
