import numpy as np
import pytest

from tf_models.plotting.story import plot_story

FACTS = ["Anna went to the garden.", "Anna took the apple.", "Ben ran to school."]
LOOKS = ["hop 1", "hop 2", "in", "the", "garden"]


def test_facts_are_rows_and_looks_are_columns(attention, drawn_texts):
    weights = attention(5, 3)
    figure = plot_story(weights, LOOKS, FACTS, marked=(0, 1), title="Where is the apple?")

    image = figure.axes[0].images[0].get_array()
    np.testing.assert_allclose(image, weights.T)
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"→ Anna went to the garden.", "→ Anna took the apple.", FACTS[2], *LOOKS} <= texts
    assert "Where is the apple?" in texts


def test_nothing_is_cut_off(attention, drawn_texts):
    facts = [f"a fact that is rather long, number {i}." for i in range(20)]
    figure = plot_story(attention(4, 20), LOOKS[:4], facts, title="a long question? " * 5)
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in drawn_texts(figure):
        assert 0 <= box.x0 <= box.x1 <= width, text
        assert 0 <= box.y0 <= box.y1 <= height, text


def test_what_is_no_attention(attention):
    with pytest.raises(ValueError, match="one row for each of the 5 query labels"):
        plot_story(attention(3, 5), LOOKS, FACTS)
