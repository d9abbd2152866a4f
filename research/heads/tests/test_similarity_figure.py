import numpy as np
import pytest

from research.heads.similarity_figure import plot_head_similarity

NAMES = ["1.1", "1.2"]
MATRIX = np.array([[1.0, 0.3], [0.3, 1.0]])


def test_a_matrix_for_each_kind_with_its_numbers(drawn_texts):
    figure = plot_head_similarity({"encoder": MATRIX, "cross": 1 - MATRIX}, NAMES, title="alike")
    first, second, _ = figure.axes
    np.testing.assert_array_equal(first.images[0].get_array(), MATRIX)
    np.testing.assert_array_equal(second.images[0].get_array(), 1 - MATRIX)
    assert {axes.images[0].get_clim() for axes in (first, second)} == {(0, 1)}
    texts = [text for text, _ in drawn_texts(figure)]
    assert texts.count("0.30") == 2
    assert {"encoder", "cross", "alike", *NAMES} <= set(texts)


def test_many_heads_stand_one_above_the_other():
    names = [f"{layer}.{head}" for layer in range(1, 5) for head in range(1, 9)]
    figure = plot_head_similarity(dict.fromkeys(("encoder", "cross"), np.eye(32)), names)
    first, second, _ = figure.axes
    assert second.get_position().y1 < first.get_position().y0
    assert figure.get_figwidth() < 6  # inches


def test_shapes_must_fit():
    with pytest.raises(ValueError, match=r"cross must be \(2, 2\); received shape \(1, 2\)"):
        plot_head_similarity({"cross": MATRIX[:1]}, NAMES)
