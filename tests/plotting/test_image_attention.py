import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tf_models.plotting.heat_map import FRAME_COLOR
from tf_models.plotting.image_attention import laid_over, plot_image_attention

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
