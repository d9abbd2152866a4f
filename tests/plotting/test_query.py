import pytest

from tf_models.plotting.query import plot_query_histogram

WEIGHTS = [0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15]
WORDS = ["Anthony", "Hopkins", "admired", "Michael", "Bay", "as", "a", "great", "director"]


def test_a_bar_for_each_key_and_the_sum_below(drawn_texts):
    figure = plot_query_histogram(WEIGHTS, WORDS, "Michael")
    axes = figure.axes[0]
    assert [bar.get_height() for bar in axes.patches] == WEIGHTS
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
    assert axes.get_xlabel() == "sum of the weights: 0.99"
    assert {"where “Michael” looks", ".25"} <= {text for text, _ in drawn_texts(figure)}


@pytest.mark.parametrize("count", [1, 9, 40])
def test_labels_are_whole_and_apart(drawn_texts, count):
    labels = [f"▁Schifffahrt{number}" for number in range(count)]
    figure = plot_query_histogram([1 / count] * count, labels, labels[0])
    for text, box in drawn_texts(figure):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.width, text
    boxes = [label.get_window_extent() for label in figure.axes[0].get_xticklabels()]
    assert not any(a.overlaps(b) for a, b in zip(boxes, boxes[1:], strict=False))


def test_bad_weights_are_refused():
    with pytest.raises(ValueError, match=r"each of the 9 labels; received shape \(1,\)"):
        plot_query_histogram([1.0], WORDS, "Michael")
    with pytest.raises(ValueError, match=r"received \[1.5, -0.5\]"):
        plot_query_histogram([1.5, -0.5], ["a", "b"], "a")
