import numpy as np
import pytest
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import COLOR_MAP, as_matrix, draw_heat_map, luminance
from tf_models.plotting.masks import plot_masked_softmax
from tf_models.plotting.multi_head import MultiHeadStages, plot_multi_head_attention, plot_six_steps
from tf_models.plotting.number_grid import plot_codes, plot_normalization
from tf_models.plotting.positional_encoding import plot_positional_encoding
from tf_models.plotting.style import INK


@pytest.mark.parametrize(
    ("color_map", "values", "colors"),
    [
        ("Blues", [[0.0, 0.5, 1.0]], [INK, INK, "white"]),
        ("PuOr", [[0.0, -0.9, 0.9]], [INK, "white", "white"]),
    ],
)
def test_numbers_stand_out_from_their_cells(color_map, values, colors):
    axes, texts = Figure().subplots(), np.array([["x", "y", "z"]])
    style = {"color_map": color_map, "texts": texts}
    draw_heat_map(axes, np.array(values), ["a"], list("bcd"), (np.min(values), 1), **style)
    assert [text.get_text() for text in axes.texts] == ["x", "y", "z"]
    assert [text.get_color() for text in axes.texts] == colors


def test_leading_axes_of_length_one_are_dropped():
    assert as_matrix(np.ones((1, 1, 1, 5))).shape == (1, 5)
    assert as_matrix([1, 2]).shape == (2,)


LARGE = np.linspace(-1, 1, 12 * 12).reshape(12, 12)
NAMES = list("abcdefghijkl")
SIGNED = {
    "positions": lambda: plot_positional_encoding({"": LARGE}),
    "scores": lambda: plot_masked_softmax(LARGE, np.zeros((1, 12)), NAMES, NAMES),
    "few scores": lambda: plot_masked_softmax(
        LARGE[:3, :3], np.zeros((1, 3)), NAMES[:3], NAMES[:3]
    ),
    "six steps": lambda: plot_six_steps(LARGE[0], LARGE[1:3], LARGE[3:5], NAMES[:2]),
    "pipeline": lambda: plot_multi_head_attention(
        MultiHeadStages(
            LARGE,
            *[LARGE[np.newaxis]] * 3,
            np.eye(12)[np.newaxis],
            LARGE[np.newaxis],
            LARGE,
            LARGE,
            LARGE,
        )
    ),
    "normalisation": lambda: plot_normalization(LARGE[:3, :3], NAMES[:3], NAMES[:3]),
    "codes": lambda: plot_codes(LARGE, NAMES),
}


@pytest.mark.parametrize("name", SIGNED)
def test_signed_numbers_have_one_scale(name):
    """White is 0 in all figures, and in grey print the negative end differs from the positive."""
    image = next(one for axes in SIGNED[name]().axes for one in axes.images)
    lowest, highest = image.get_clim()
    assert lowest == -highest
    colors = image.to_rgba(np.array([[lowest, 0, highest]]))[0, :, :3]
    np.testing.assert_allclose(colors[1], 0.97, atol=0.01)
    negative, zero, positive = luminance(colors) + 0.05
    assert zero / negative > 3
    assert negative / positive > 3


def test_weights_are_the_darker_the_larger():
    axes = Figure().subplots()
    draw_heat_map(axes, LARGE, NAMES, NAMES, (-1, 1), color_map=COLOR_MAP)
    (image,) = axes.images
    grey = luminance(image.to_rgba(image.get_array())[..., :3]).ravel()
    assert (np.diff(grey) <= 0).all()
