import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tf_models.plotting.images import SIDE, laid_over, plot_image_attention, plot_image_grid
from tf_models.plotting.style import FRAME_COLOR


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


WEIGHTS = np.array([[[[0, 0.1, 0.2], [0, 0, 0.4]]]])  # one image, one map, 2 x 3 patches


@pytest.mark.parametrize("channels", [1, 3])
def test_the_colour_of_a_patch_is_as_strong_as_its_weight(channels):
    paper = np.full((1, 4, 6, channels), 0.0 if channels == 1 else 1.0)
    shown = laid_over(paper, WEIGHTS)

    assert shown.shape == (1, 1, 4, 6, 3)
    patches = shown[0, 0].reshape(2, 2, 3, 2, 3)  # (rows, 2, columns, 2, colours)
    assert np.ptp(patches, axis=(1, 3)).max() == 0
    strength = (1 - patches[:, 0, :, 0]) / (1 - np.array(to_rgb(FRAME_COLOR)))
    strength /= strength.max()
    np.testing.assert_allclose(strength, np.tile(WEIGHTS[0, 0, ..., None] / 0.4, 3), atol=1e-9)


def test_ink_is_seen_below_the_colour():
    images = np.zeros((1, 4, 6, 1))
    images[0, 3, 5] = 1
    last = laid_over(images, WEIGHTS)[0, 0, 2:, 4:]
    assert np.all(last[1, 1] < last[0, 0] - 0.1)


def test_each_image_stands_before_its_maps(drawn_texts):
    images, weights = np.zeros((2, 4, 6, 1)), np.repeat(WEIGHTS, 2, axis=0)
    figure = plot_image_attention(images, weights, ["a", "b"], ["head 1"], title="maps")

    shown = np.stack([one.get_array() for one in figure.axes[0].images])  # row by row
    np.testing.assert_allclose(shown[::2], 1)
    assert shown[1::2].min() < 0.7
    assert {"a", "b", "image", "head 1", "maps"} <= {text for text, _ in drawn_texts(figure)}
