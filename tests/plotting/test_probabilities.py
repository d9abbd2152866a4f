import numpy as np
import pytest

from tf_models.plotting.probabilities import plot_probabilities

WORDS = ["a", "am", "i", "thanks", "student", "<eos>"]
POSITIONS = ["1 i", "2 am"]
TARGET = np.eye(6)[[2, 1]]
UNIFORM = np.full((2, 6), 1 / 6)


def test_each_grid_with_its_name_labels_and_numbers(drawn_texts):
    figure = plot_probabilities({"target": TARGET, "trained": UNIFORM}, POSITIONS, WORDS, title="t")
    target, trained = figure.axes
    np.testing.assert_array_equal(target.images[0].get_array(), TARGET)
    np.testing.assert_allclose(trained.images[0].get_array(), UNIFORM)
    assert target.images[0].get_clim() == trained.images[0].get_clim() == (0, 1)
    for axes, name in ((target, "target"), (trained, "trained")):
        assert axes.get_title(loc="left") == name
        assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
        assert [label.get_text() for label in axes.get_yticklabels()] == POSITIONS
    numbers = [text.get_text() for text in target.texts]
    assert numbers == [f"{value:.2f}" for value in TARGET.flatten()]
    assert "t" in {text for text, _ in drawn_texts(figure)}


@pytest.mark.parametrize("words", [WORDS, ["Schifffahrtsgesellschaft", *WORDS[1:]]])
def test_labels_are_whole_and_apart(drawn_texts, words):
    names = ("aimed at", "untrained", "trained")
    figure = plot_probabilities(dict.fromkeys(names, UNIFORM), POSITIONS, words)
    for text, box in drawn_texts(figure):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.width, text
        assert box.y1 <= figure.bbox.height, text
    boxes = [label.get_window_extent() for label in figure.axes[0].get_xticklabels()]
    assert not any(a.overlaps(b) for a, b in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize(
    ("grids", "message"),
    [
        ({}, "received none"),
        ({"short": UNIFORM[:, :5]}, r"2 rows and 6 columns.*received shape \(2, 5\)"),
        ({"large": 2 * UNIFORM}, "sum of one; received sums"),
        ({"negative": TARGET - [[1, -1, 0, 0, 0, 0]]}, "not negative"),
    ],
)
def test_what_is_no_distribution_is_refused(grids, message):
    with pytest.raises(ValueError, match=message):
        plot_probabilities(grids, POSITIONS, WORDS)
