import pytest
from matplotlib.colors import to_hex

from tf_models.plotting.attention_lines import head_color, plot_attention_lines

WORDS = ["<start>", "The", "animal", "it", "Schifffahrtsgesellschaft"]


def test_a_line_for_each_key_as_thick_as_its_weight(attention):
    weights = attention(4, 5, 5)
    (axes,) = plot_attention_lines(weights, WORDS, WORDS, 3, panels=[(2,)]).axes
    assert [line.get_linewidth() / 4 for line in axes.lines] == pytest.approx(weights[1, 3])
    assert {to_hex(line.get_color()) for line in axes.lines} == {head_color(2)}
    heights = [line.get_ydata() for line in axes.lines]
    assert len({start for start, _ in heights}) == 1  # all begin at the query
    assert len({end for _, end in heights}) == 5
    assert [square.get_alpha() for square in axes.patches] == pytest.approx(weights[1, 3])


def test_a_panel_for_each_choice_of_heads(attention, drawn_texts):
    weights = attention(4, 5, 5)
    panels = [(1,), (1, 3), (1, 2, 3, 4)]
    figure = plot_attention_lines(weights, WORDS, WORDS, 3, panels=panels, title="where it looks")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["head 1", "heads 1, 3", "heads 1, 2, 3, 4"]
    assert [len(axes.lines) for axes in figure.axes] == [5, 10, 20]
    for text, box in drawn_texts(figure):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.width, text
        assert box.y1 <= figure.bbox.height, text
    assert "where it looks" in {text for text, _ in drawn_texts(figure)}


def test_all_heads_if_none_are_chosen(attention):
    (axes,) = plot_attention_lines(attention(9, 2, 3), WORDS[:2], WORDS[:3], 0).axes
    assert len(axes.lines) == 27


@pytest.mark.parametrize(
    ("query", "panels", "message"),
    [
        (5, (), "query must be from 0 to 4; received 5"),
        (0, [(5,)], r"heads must be numbers from 1 to 4; received \[5\]"),
        (0, [()], r"received \[\]"),
    ],
)
def test_what_is_not_there_is_refused(attention, query, panels, message):
    with pytest.raises(ValueError, match=message):
        plot_attention_lines(attention(4, 5, 5), WORDS, WORDS, query, panels=panels)


def test_weights_of_one_layer_are_needed(attention):
    with pytest.raises(ValueError, match=r"heads, queries, keys.*received shape \(2, 4, 5, 5\)"):
        plot_attention_lines(attention(2, 4, 5, 5), WORDS, WORDS, 0)
