import numpy as np
import pytest

from tf_models.plotting.query import plot_query_histogram, plot_query_in_map

WEIGHTS = [0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15]
WORDS = ["Anthony", "Hopkins", "admired", "Michael", "Bay", "as", "a", "great", "director"]


def test_a_bar_for_each_key_and_the_sum_below(drawn_texts):
    figure = plot_query_histogram(WEIGHTS, WORDS, "Michael")
    axes = figure.axes[0]
    assert [bar.get_height() for bar in axes.patches] == WEIGHTS
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"what “Michael” attends to", ".25"} <= texts
    assert any(text.startswith("Sum of the weights: 0.99.") for text in texts)


def test_the_weighted_sum_of_the_values_is_written_out():
    _, text = plot_query_histogram(WEIGHTS, WORDS, "Michael").texts
    terms = " ".join(text.get_text().split()).partition("of the values: ")[2].split(" + ")
    assert terms == [f"{weight:.2f}·{word}" for weight, word in zip(WEIGHTS, WORDS, strict=True)]
    many = plot_query_histogram([0.05] * 20, [f"▁t{number}" for number in range(20)], "it")
    assert many.texts[1].get_text() == "Sum of the weights: 1.00."


@pytest.fixture
def query_in_map(attention):
    """query_in_map(queries, keys, query): the map, the histogram below it, all on their figure."""

    def draw(queries, keys, query):
        names = [f"▁Schifffahrt{number}" for number in range(max(queries, keys))]
        weights = attention(queries, keys)
        figure = plot_query_in_map(weights, names[:queries], names[:keys], query)
        shown = next(axes for axes in figure.axes if axes.images)
        histogram = next(axes for axes in figure.axes if len(axes.patches) == keys)
        return figure, weights, shown, histogram

    return draw


def test_the_row_of_the_query_is_framed_and_drawn_as_bars(query_in_map):
    _, weights, shown, histogram = query_in_map(9, 10, 3)
    np.testing.assert_allclose(shown.images[0].get_array(), weights)
    (frame,) = shown.patches
    assert (frame.get_xy(), frame.get_width(), frame.get_height()) == ((-0.5, 2.5), 10, 1)
    np.testing.assert_allclose([bar.get_height() for bar in histogram.patches], weights[3])


def test_each_bar_stands_under_its_key(query_in_map, drawn_texts):
    figure, _, shown, histogram = query_in_map(9, 10, 8)
    drawn_texts(figure)
    for key, bar in enumerate(histogram.patches):
        x, y = shown.transData.transform((key, 8))
        box = bar.get_window_extent()
        assert box.x0 + box.width / 2 == pytest.approx(x, abs=0.5)
        assert box.y1 < y
