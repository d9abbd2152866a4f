import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import COLOR_MAP, SIGNED_COLOR_MAP, HeatMap, draw_heat_map
from tf_models.plotting.style import INK, luminance


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
    shown = HeatMap(np.array(values), ["a"], list("bcd"), (np.min(values), 1), **style)
    draw_heat_map(axes, shown)
    assert [text.get_text() for text in axes.texts] == ["x", "y", "z"]
    assert [text.get_color() for text in axes.texts] == colors


def test_signed_numbers_differ_in_grey_print():
    """White is 0, and the negative end is lighter than the positive one."""
    negative, zero, positive = luminance(SIGNED_COLOR_MAP([0.0, 0.5, 1.0])[:, :3]) + 0.05
    assert zero / negative > 3
    assert negative / positive > 3


def test_weights_are_the_darker_the_larger():
    shades = luminance(colormaps[COLOR_MAP](np.linspace(0, 1, 100))[:, :3])
    assert (np.diff(shades) <= 0).all()
