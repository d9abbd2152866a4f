import numpy as np
import pytest
import tensorflow as tf
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from tf_models.errors import InputError
from tf_models.plotting.attention import (
    plot_attention_head,
    plot_attention_layers,
    plot_attention_maps,
    plot_story,
)
from tf_models.plotting.query import HEAD_COLORS, plot_attention_lines, plot_query_in_map

QUERIES = ["Anthony", "Hopkins", "admired", "Michael", "Bay", "as", "a", "great", "director"]
KEYS = [
    "Anthony",
    "Hopkins",
    "hat",
    "Michael",
    "Bay",
    "als",
    "einen",
    "großartigen",
    "Regisseur",
    "bewundert",
]


def labels(count):
    return [f"▁token{number}" for number in range(count)]


def maps(figure):
    """The axes with an attention map, without the colour bar."""
    return [axes for axes in figure.axes if axes.images]


def row_texts(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def column_texts(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


def test_every_panel_shows_its_weights_and_tokens(attention):
    weights = attention(3, 9, 10)
    for axes, head in zip(maps(plot_attention_maps(weights, QUERIES, KEYS)), weights, strict=True):
        np.testing.assert_allclose(axes.images[0].get_array(), head)
        assert row_texts(axes) == QUERIES
        assert column_texts(axes) == KEYS


def test_one_head_as_the_tutorial_calls_it(attention):
    (axes,) = maps(plot_attention_head(KEYS, QUERIES, attention(9, 10)))
    np.testing.assert_allclose(axes.images[0].get_array(), attention(9, 10))
    assert (row_texts(axes), column_texts(axes)) == (QUERIES, KEYS)


def test_heads_are_chosen_by_their_number(attention):
    weights = attention(8, 9, 10)
    chosen = maps(plot_attention_maps(weights, QUERIES, KEYS, heads=[2, 7]))
    assert [axes.get_title(loc="left") for axes in chosen] == ["head 2", "head 7"]
    np.testing.assert_allclose(chosen[1].images[0].get_array(), weights[6])


def test_all_heads_share_the_scale_up_to_the_rounded_largest_weight():
    flat, sharp = np.full((10, 10), 0.1), np.eye(10) * 0.5 + 0.05
    figure = plot_attention_maps(np.stack([flat, sharp]), labels(10), labels(10))
    for axes in maps(figure):
        assert axes.images[0].get_clim() == (0.0, pytest.approx(0.6))  # the largest is 0.55


def test_all_layers_on_one_page_with_labels_at_its_edges(attention):
    weights = attention(2, 8, 9, 10)
    panels = maps(plot_attention_layers(list(weights), QUERIES, KEYS, title="all layers"))
    drawn = [axes.images[0].get_array() for axes in panels]
    np.testing.assert_allclose(drawn, weights.reshape(16, 9, 10))
    assert [axes.get_title(loc="left") for axes in panels[:8]] == [f"head {n}" for n in range(1, 9)]
    assert [axes.get_ylabel() for axes in panels[::8]] == [f"layer {n}" for n in (1, 2)]
    for i, axes in enumerate(panels):
        assert axes.yaxis.get_tick_params()["labelleft"] == (i % 8 == 0)
        assert axes.xaxis.get_tick_params()["labeltop"] == (i < 8)


@pytest.mark.parametrize(("tokens", "step"), [(24, 1), (25, 2), (50, 3)])
def test_of_many_tokens_every_second_or_third_is_named(attention, tokens, step):
    words = labels(tokens)
    figure = plot_attention_layers(attention(4, 8, tokens, tokens), words, words)
    drawn = [text for text in row_texts(maps(figure)[0]) if text]
    assert drawn == [word.replace("▁", "_") for word in words[::step]]


def test_a_long_word_does_not_stretch_a_figure(attention):
    long = ["a", "Donaudampfschifffahrtsgesellschaft"]
    for figure in (
        plot_attention_maps(attention(1, 2, 2), long, long),
        plot_attention_layers(attention(1, 1, 2, 2), long, long),
        plot_query_in_map(attention(2, 2), long, long, 0),
    ):
        assert row_texts(figure.axes[0]) == ["a", "Donaudampf…ellschaft"]
        assert column_texts(figure.axes[0]) == ["a", "Donaudampf…ellschaft"]


@pytest.mark.parametrize("framed", [0, 7])
def test_the_row_of_a_query_is_framed_in_every_map(attention, framed):
    weights = attention(2, 2, 9, 10)
    for figure in (
        plot_attention_maps(weights[0], QUERIES, KEYS, framed=framed),
        plot_attention_layers(weights, QUERIES, KEYS, framed=framed),
    ):
        for axes in maps(figure):
            (frame,) = (one for one in axes.patches if isinstance(one, Rectangle))
            assert (frame.get_y(), frame.get_height(), frame.get_width()) == (framed - 0.5, 1, 10)


FACTS = ["Anna went to the garden.", "Anna took the apple.", "Ben ran to school."]


def test_facts_of_a_story_are_rows_and_looks_are_columns(attention):
    weights, looks = attention(5, 3), ["hop 1", "hop 2", "in", "the", "garden"]
    (axes,) = maps(plot_story(weights, looks, FACTS, marked=(0, 1), title="Where is the apple?"))
    np.testing.assert_allclose(axes.images[0].get_array(), weights.T)
    assert row_texts(axes) == [f"→ {FACTS[0]}", f"→ {FACTS[1]}", FACTS[2]]
    assert column_texts(axes) == looks


WORDS = ["<start>", "The", "animal", "it", "Schifffahrtsgesellschaft"]


def test_a_line_for_each_key_as_thick_as_its_weight(attention):
    weights = attention(4, 5, 5)
    (axes,) = plot_attention_lines(weights, WORDS, WORDS, 3, panels=[(2,)]).axes
    assert [line.get_linewidth() / 4 for line in axes.lines] == pytest.approx(weights[1, 3])
    assert {to_hex(line.get_color()) for line in axes.lines} == {HEAD_COLORS[1]}
    heights = [line.get_ydata() for line in axes.lines]
    assert len({start for start, _ in heights}) == 1  # all begin at the query
    assert len({end for _, end in heights}) == 5
    shades = [square.get_facecolor()[3] for square in axes.patches]
    assert shades == pytest.approx(np.sqrt(weights[1, 3]))  # 0.04 is seen


def test_a_panel_for_each_choice_of_heads(attention):
    panels = [(1,), (1, 3), (1, 2, 3, 4)]
    figure = plot_attention_lines(attention(4, 5, 5), WORDS, WORDS, 3, panels=panels)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.lines]
    assert titles == ["head 1", "heads 1, 3", "heads 1, 2, 3, 4"]
    assert [len(axes.lines) for axes in figure.axes if axes.lines] == [5, 10, 20]


def test_weights_as_they_come_of_a_batch_and_in_16_bits(attention):
    weights = attention(1, 8, 9, 10)
    for given in (weights, weights.astype(tf.bfloat16.as_numpy_dtype), tf.constant(weights)):
        figure = plot_attention_maps(given, QUERIES, KEYS)
        drawn = [axes.images[0].get_array() for axes in maps(figure)]
        np.testing.assert_allclose(drawn, weights[0], atol=4e-3)
    plot_attention_layers([weights, weights], QUERIES, KEYS)


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        (np.full((2, 9, 10), np.nan), "received NaN"),
        (
            np.ones((2, 10, 9)),
            r"shape \(heads, 9, 10\), as there are labels; received \(2, 10, 9\)",
        ),
        (np.ones((3, 2, 9, 10)), r"received \(3, 2, 9, 10\)"),
    ],
)
def test_weights_that_cannot_be_drawn(weights, complaint):
    with pytest.raises(InputError, match=complaint):
        plot_attention_maps(weights, QUERIES, KEYS)
    with pytest.raises(InputError, match=complaint):
        plot_attention_layers([weights], QUERIES, KEYS)
    with pytest.raises(InputError, match=complaint):
        plot_attention_lines(weights, QUERIES, KEYS, 0)
