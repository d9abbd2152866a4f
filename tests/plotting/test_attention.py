import numpy as np
import pytest
from matplotlib.figure import Figure

from tf_models.plotting.attention import (
    check_attention,
    plot_attention_head,
    plot_attention_layers,
    plot_attention_weights,
)

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
LONG = ["<start>", "Donaudampfschifffahrtsgesellschaft", "$5", "x_1", "▁ist", "<end>"]


def labels(count):
    return [f"▁token{number}" for number in range(count)]


def maps(figure):
    """The axes with an attention map, without the colour bar."""
    return [axes for axes in figure.axes if axes.images]


def row_texts(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def column_texts(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


def assert_no_overlap(boxes):
    for before, after in zip(boxes, boxes[1:], strict=False):
        assert not before.overlaps(after), (before, after)


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 7, 8, 12, 16])
def test_a_panel_for_each_head(attention, heads):
    figure = plot_attention_weights(attention(heads, 9, 10), QUERIES, KEYS, title="cross-attention")
    assert [axes.get_title(loc="left") for axes in maps(figure)] == [
        f"head {number}" for number in range(1, heads + 1)
    ]


def test_every_panel_shows_its_weights_and_tokens(attention):
    weights = attention(3, 9, 10)
    for axes, head in zip(
        maps(plot_attention_weights(weights, QUERIES, KEYS)), weights, strict=True
    ):
        np.testing.assert_allclose(axes.images[0].get_array(), head)
        assert row_texts(axes) == QUERIES
        assert column_texts(axes) == KEYS


def test_the_first_query_is_on_top_and_keys_are_above(attention):
    axes = maps(plot_attention_weights(attention(1, 9, 10), QUERIES, KEYS))[0]
    assert axes.yaxis_inverted()
    assert axes.xaxis.get_tick_params()["labeltop"]
    assert not axes.xaxis.get_tick_params()["labelbottom"]


def test_heads_are_chosen_by_their_number(attention):
    weights = attention(8, 9, 10)
    chosen = maps(plot_attention_weights(weights, QUERIES, KEYS, heads=[2, 7]))
    assert [axes.get_title(loc="left") for axes in chosen] == ["head 2", "head 7"]
    np.testing.assert_allclose(chosen[1].images[0].get_array(), weights[6])


@pytest.mark.parametrize("heads", [[], [0], [9], [1, 9]])
def test_heads_that_are_not_there_are_refused(attention, heads):
    with pytest.raises(ValueError, match=r"from 1 to 8; received \["):
        plot_attention_weights(attention(8, 9, 10), QUERIES, KEYS, heads=heads)


def test_all_heads_share_the_scale_up_to_the_rounded_largest_weight():
    flat, sharp = np.full((10, 10), 0.1), np.eye(10) * 0.5 + 0.05
    figure = plot_attention_weights(np.stack([flat, sharp]), labels(10), labels(10))
    for axes in maps(figure):
        assert axes.images[0].get_clim() == (0.0, pytest.approx(0.6))  # the largest is 0.55


def test_attention_that_looks_everywhere_alike_is_pale():
    figure = plot_attention_weights(np.full((1, 10, 10), 0.1), labels(10), labels(10))
    assert maps(figure)[0].images[0].get_clim() == (0.0, pytest.approx(0.4))


def test_the_scale_ends_at_one_although_rounding_errors_go_beyond():
    figure = plot_attention_weights(np.full((1, 1, 1), 1.0005), ["a"], ["b"])
    assert maps(figure)[0].images[0].get_clim() == (0.0, 1.0)


def test_a_given_scale_makes_figures_comparable(attention):
    figure = plot_attention_weights(attention(2, 9, 10), QUERIES, KEYS, max_weight=1.0)
    assert {axes.images[0].get_clim() for axes in maps(figure)} == {(0.0, 1.0)}


@pytest.mark.parametrize(
    ("heads", "rows", "columns"), [(8, 8, 8), (3, 24, 24), (2, 40, 40), (4, 12, 40), (5, 1, 1)]
)
def test_labels_are_readable(attention, drawn_texts, heads, rows, columns):
    figure = plot_attention_weights(
        attention(heads, rows, columns), labels(rows), labels(columns), title="self-attention"
    )
    drawn_texts(figure)
    for axes in maps(figure):
        for ticks in (axes.get_yticklabels(), axes.get_xticklabels()):
            assert min(label.get_fontsize() for label in ticks) >= 6
            assert_no_overlap([label.get_window_extent() for label in ticks])


def test_neighbouring_panels_do_not_touch(attention, drawn_texts):
    figure = plot_attention_weights(attention(6, 6, 6), LONG, LONG)
    drawn_texts(figure)
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


@pytest.mark.parametrize("size", [1, 2, 6])
@pytest.mark.parametrize("heads", [1, 3])
def test_nothing_is_cut_off(attention, drawn_texts, heads, size):
    title = "decoder self-attention of a layer with a title that is longer than the map is wide"
    names = LONG[-size:] if size < 6 else LONG
    figures = [
        plot_attention_weights(attention(heads, size, size), names, names, title=title),
        plot_attention_layers(attention(2, heads, size, size), names, names, title=title),
    ]
    for figure in figures:
        for text, box in drawn_texts(figure):
            assert box.x0 >= 0, text
            assert box.y0 >= 0, text
            assert box.x1 <= figure.bbox.width, text
            assert box.y1 <= figure.bbox.height, text


def test_word_start_is_a_thin_line_and_dollars_are_no_mathematics(attention, drawn_texts):
    names = ["▁An", "th", "$x$", "$\\frac$"]
    figure = plot_attention_weights(attention(1, 4, 4), names, names)
    drawn_texts(figure)
    assert row_texts(maps(figure)[0]) == ["_An", "th", "$x$", "$\\frac$"]


@pytest.mark.filterwarnings("error")
def test_any_script_and_broken_text_can_be_drawn(attention, tmp_path):
    from tf_models.plotting.files import save_figure

    names = ["我", "🙂", "a\nb", "\ud800", ""]
    figure = plot_attention_weights(attention(1, 5, 5), names, names, title="注意力 \ud800")
    for suffix in ("png", "pdf", "svg"):
        assert save_figure(figure, tmp_path / f"map.{suffix}").stat().st_size > 0


def test_layers_and_heads_on_one_page(attention):
    weights = attention(4, 8, 9, 10)
    figure = plot_attention_layers(list(weights), QUERIES, KEYS, title="all layers")
    panels = maps(figure)
    assert len(panels) == 32
    np.testing.assert_allclose(panels[11].images[0].get_array(), weights[1, 3])
    written = [text.get_text() for text in figure.texts]
    assert written[-4:] == ["layer 1", "layer 2", "layer 3", "layer 4"]
    assert [axes.get_title(loc="left") for axes in panels[:8]] == [f"head {n}" for n in range(1, 9)]


def test_on_the_page_of_layers_labels_stand_at_the_edges_only(attention):
    panels = maps(plot_attention_layers(attention(2, 3, 9, 10), QUERIES, KEYS))
    assert [bool(row_texts(axes)) for axes in panels] == [True, False, False] * 2
    assert [bool(column_texts(axes)) for axes in panels] == [True] * 3 + [False] * 3


def test_one_head_in_axes_of_the_caller(attention):
    axes = Figure().subplots()
    weights = attention(9, 10)
    image = plot_attention_head(axes, weights, QUERIES, KEYS, "cross-attention")
    np.testing.assert_allclose(image.get_array(), weights)
    assert axes.get_title(loc="left") == "cross-attention"


def test_check_returns_good_attention(attention):
    assert check_attention(attention(2, 8, 9, 10), 9, 10).shape == (2, 8, 9, 10)
    check_attention(attention(8, 9, 9, causal=True), 9, 9, causal=True)
    check_attention(attention(8, 9, 9).astype(np.float16), 9, 9)


def test_check_names_what_it_received(attention):
    good = attention(9, 9)
    with pytest.raises(ValueError, match=r"8 query labels.*9 key labels; received shape \(9, 9\)"):
        check_attention(good, 8, 9)
    with pytest.raises(ValueError, match="sums between 0.9.* and 0.9"):
        check_attention(good * 0.99, 9, 9)
    with pytest.raises(ValueError, match="finite and not negative; received values between nan"):
        check_attention(np.where(np.eye(9) == 1, np.nan, good), 9, 9)
    with pytest.raises(ValueError, match="between -1"):
        check_attention(np.array([[2.0, -1.0]]), 1, 2)
    with pytest.raises(ValueError, match="received a weight of 0.* above the diagonal"):
        check_attention(good, 9, 9, causal=True)
    with pytest.raises(ValueError, match=r"no weights; received shape \(0, 9, 9\)"):
        check_attention(np.ones((0, 9, 9)), 9, 9)


def test_figures_check_what_they_draw(attention):
    with pytest.raises(ValueError, match="sum to one"):
        plot_attention_weights(attention(2, 9, 10) * 2, QUERIES, KEYS)
    with pytest.raises(ValueError, match="look ahead"):
        plot_attention_weights(attention(2, 9, 9), QUERIES, QUERIES, causal=True)
    with pytest.raises(ValueError, match="look ahead"):
        plot_attention_layers(attention(2, 2, 9, 9), QUERIES, QUERIES, causal=True)
    with pytest.raises(ValueError, match="sum to one"):
        plot_attention_head(Figure().subplots(), attention(9, 10) / 2, QUERIES, KEYS)
    with pytest.raises(ValueError, match=r"\(heads, queries, keys\); received shape \(9, 10\)"):
        plot_attention_weights(attention(9, 10), QUERIES, KEYS)


def test_axes_say_what_writes_and_what_is_looked_at(attention, drawn_texts):
    figure = plot_attention_weights(attention(3, 9, 10), QUERIES, KEYS, row_word="writes")
    texts = [text for text, _ in drawn_texts(figure)]
    assert "head 3 looks at" in texts
    assert "writes" in texts


def test_a_page_of_many_maps_numbers_its_tokens(attention, drawn_texts):
    weights = attention(4, 8, 12, 12)
    words = labels(12)
    figure = plot_attention_layers(weights, words, words, title="4 x 8", row_word="reads")
    assert (figure.get_size_inches() * figure.dpi <= 1600).all()
    drawn = [axes.images[0].get_array() for axes in maps(figure)]
    np.testing.assert_allclose(drawn, weights.reshape(32, 12, 12), rtol=1e-6)
    texts = drawn_texts(figure)
    assert not any(
        line.split()[-1:] == ["1"] for text, _ in texts for line in text.split("\n")[:-1]
    )
    assert any("11\xa0_token10 · 12\xa0_token11" in text.replace("\n", " ") for text, _ in texts)
    for i, (text, box) in enumerate(texts):
        assert box.x1 <= figure.bbox.width, text
        assert box.y0 >= 0, text
        assert not any(box.overlaps(other) for _, other in texts[i + 1 :]), text
