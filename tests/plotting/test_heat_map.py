import numpy as np
import pytest
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import as_matrix, draw_heat_map, write_numbers
from tf_models.plotting.lettering import INK


@pytest.mark.parametrize(
    ("color_map", "values", "colors"),
    [
        ("Blues", [[0.0, 0.5, 1.0]], [INK, INK, "white"]),
        ("PuOr", [[0.0, -0.9, 0.9]], [INK, "white", "white"]),
    ],
)
def test_numbers_stand_out_from_their_cells(color_map, values, colors):
    options = {"limits": (np.min(values), 1), "label_size": 8, "color_map": color_map}
    image = draw_heat_map(Figure().subplots(), np.array(values), ["a"], list("bcd"), **options)
    write_numbers(image, np.array([["x", "y", "z"]]))
    assert [text.get_text() for text in image.axes.texts] == ["x", "y", "z"]
    assert [text.get_color() for text in image.axes.texts] == colors


def test_leading_axes_of_length_one_are_dropped():
    assert as_matrix(np.ones((1, 1, 1, 5))).shape == (1, 5)
    assert as_matrix(np.ones((1, 2, 1, 5))).shape == (2, 1, 5)
    assert as_matrix([1, 2]).shape == (2,)
