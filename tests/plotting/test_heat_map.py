import numpy as np
import pytest
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import COLOR_MAP, HeatMap, as_matrix, draw_heat_map, luminance
from tf_models.plotting.lettering import INK
from tf_models.plotting.masks import plot_masked_softmax
from tf_models.plotting.positional_encoding import plot_positional_encoding


@pytest.mark.parametrize(
    ("color_map", "values", "colors"),
    [
        ("Blues", [[0.0, 0.5, 1.0]], [INK, INK, "white"]),
        ("PuOr", [[0.0, -0.9, 0.9]], [INK, "white", "white"]),
    ],
)
def test_numbers_stand_out_from_their_cells(color_map, values, colors):
    axes, texts = Figure().subplots(), np.array([["x", "y", "z"]])
    limits = np.min(values), 1
    one = HeatMap(np.array(values), ["a"], list("bcd"), limits, color_map=color_map, texts=texts)
    draw_heat_map(axes, one, label_size=8)
    assert [text.get_text() for text in axes.texts] == ["x", "y", "z"]
    assert [text.get_color() for text in axes.texts] == colors


def test_leading_axes_of_length_one_are_dropped():
    assert as_matrix(np.ones((1, 1, 1, 5))).shape == (1, 5)
    assert as_matrix(np.ones((1, 2, 1, 5))).shape == (2, 1, 5)
    assert as_matrix([1, 2]).shape == (2,)


LARGE = np.linspace(-1, 1, 12 * 12).reshape(12, 12)
NAMES = list("abcdefghijkl")
WITHOUT_NUMBERS = {
    "positions": lambda: plot_positional_encoding({"": LARGE}),
    "scores": lambda: plot_masked_softmax(LARGE, np.zeros((1, 12)), NAMES, NAMES),
}


@pytest.mark.parametrize("name", WITHOUT_NUMBERS)
def test_in_grey_print_a_larger_number_is_darker(name):
    image = WITHOUT_NUMBERS[name]().axes[0].images[0]
    grey = luminance(image.to_rgba(image.get_array())[..., :3]).ravel()
    assert (np.diff(grey) < 0).all()


def test_weights_are_the_darker_the_larger():
    axes = Figure().subplots()
    draw_heat_map(axes, HeatMap(LARGE, NAMES, NAMES, (-1, 1), color_map=COLOR_MAP), label_size=8)
    (image,) = axes.images
    grey = luminance(image.to_rgba(image.get_array())[..., :3]).ravel()
    assert (np.diff(grey) <= 0).all()
