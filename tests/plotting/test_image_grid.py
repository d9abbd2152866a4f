import numpy as np
import pytest

from tf_models.plotting.image_grid import SIDE, plot_image_grid


def test_every_image_in_its_place(drawn_texts):
    images = np.arange(6, dtype=float).reshape(2, 3, 1, 1, 1) / 5 * np.ones((2, 3, 4, 5, 1))
    names = {"row_names": ("clean", "restored"), "column_names": ("a", "b", "c")}
    figure = plot_image_grid(images, **names, title="two rows")
    shown = figure.axes[0].images

    np.testing.assert_allclose([one.get_array()[0, 0] for one in shown], 1 - np.arange(6) / 5)
    left, right, bottom, top = np.reshape([one.get_extent() for one in shown], (2, 3, 4)).T
    assert np.all(left[1:] > right[:-1])  # apart, from left to right
    assert np.all(top[:, 1] > bottom[:, 0])  # and from top to bottom
    np.testing.assert_allclose((bottom - top) / (right - left), 4 / 5)
    assert {"clean", "restored", "a", "b", "c", "two rows"} <= {t for t, _ in drawn_texts(figure)}


def test_colour_and_values_out_of_range():
    images = np.array([-1.0, 2.0]).reshape(1, 2, 1, 1, 1) * np.ones((1, 2, 3, 3, 3))
    shown = plot_image_grid(images).axes[0].images
    assert [one.get_array().max() for one in shown] == [0, 1]


def test_an_empty_place_has_neither_image_nor_frame():
    images = np.zeros((1, 2, 3, 3, 1))
    images[0, 1] = np.nan
    (axes,) = plot_image_grid(images).axes
    ((frame,), (image,)) = axes.collections[0].get_paths(), axes.images
    assert list(image.get_extent()[:2]) == [0, SIDE]
    assert frame.get_extents().bounds == pytest.approx((0, 0, SIDE, SIDE))
