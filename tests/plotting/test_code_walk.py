import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.plotting.code_walk import plot_code_walk

CODES = np.linspace(0.4, [[0, 1], [1, 0.25]], 5)  # (epochs + 1, rows, 2)


def test_each_code_walks_from_its_beginning_to_its_end(drawn_texts):
    figure = plot_code_walk(CODES, ["1 0", "0 1"], title="a walk")
    lines = [np.transpose(line.get_data()) for line in figure.axes[0].lines]

    for row, (way, beginning, end) in enumerate((lines[:3], lines[3:])):
        np.testing.assert_array_equal(way, CODES[:, row])
        np.testing.assert_array_equal([beginning[0], end[0]], CODES[[0, -1], row])
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"1 0", "0 1", "a walk", "first number of the code", "0.5"} <= texts


def test_nothing_is_cut_off(drawn_texts):
    figure = plot_code_walk(CODES, ["1 0 0 0", "a rather long name"], title="a walk")
    for _, box in drawn_texts(figure):
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height


def test_in_german(drawn_texts):
    texts = {text for text, _ in drawn_texts(plot_code_walk(CODES, ["a", "b"], language="de"))}
    assert {"erste Zahl des Codes", "zweite Zahl des Codes", "0,5"} <= texts
    with pytest.raises(InputError, match="received language 'fr'"):
        plot_code_walk(CODES, ["a", "b"], language="fr")


@pytest.mark.parametrize("shape", [(5, 2), (5, 3, 2), (5, 2, 3)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match=r"\(epochs \+ 1, 2, 2\)"):
        plot_code_walk(np.zeros(shape), ["a", "b"])
