import numpy as np
import pytest

from tf_models.plotting.masks import plot_mask, plot_masked_softmax

TOKENS = ["<start>", "▁wir", "▁gehen", "<pad>"]
LOOK_AHEAD = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]])


def shown(axes):
    return np.ma.filled(axes.images[0].get_array(), np.nan)


def test_the_mask_is_drawn_as_given():
    axes = plot_mask(LOOK_AHEAD, TOKENS, TOKENS, "look-ahead mask").axes[0]
    np.testing.assert_array_equal(shown(axes), LOOK_AHEAD)


def test_a_padding_mask_is_the_same_for_every_query():
    padding = np.array([[0, 0, 0, 1, 1]], np.float32)
    axes = plot_mask(padding, TOKENS, list("abcde"), "decoder padding mask").axes[0]
    np.testing.assert_array_equal(shown(axes), np.tile(padding, (4, 1)))


def test_masked_softmax_shows_four_stages():
    scores = np.arange(16.0).reshape(4, 4) / 4
    figure = plot_masked_softmax(scores, LOOK_AHEAD, TOKENS, TOKENS, "combined mask")
    before, masked, without, after = (shown(axes) for axes in figure.axes)
    np.testing.assert_array_equal(before, scores)
    np.testing.assert_array_equal(masked, np.where(LOOK_AHEAD, np.nan, scores))
    np.testing.assert_allclose(without.sum(axis=-1), 1)
    np.testing.assert_allclose(np.nansum(after, axis=-1), 1)
    np.testing.assert_array_equal(np.isnan(after), LOOK_AHEAD == 1)
    assert "-1e9" in [text.get_text() for text in figure.axes[1].texts]


def test_where_all_keys_are_blocked_the_weights_are_not_said_to_be_zero():
    figure = plot_masked_softmax(np.zeros((1, 2)), np.ones((1, 2)), ["q"], ["a", "b"])
    np.testing.assert_allclose(shown(figure.axes[3]), [[0.5, 0.5]])


def test_large_maps_have_no_numbers():
    names = [str(number) for number in range(20)]
    figure = plot_masked_softmax(np.zeros((20, 20)), np.zeros((1, 20)), names, names)
    assert not any(axes.texts for axes in figure.axes)


def test_what_is_no_mask_is_refused():
    with pytest.raises(ValueError, match=r"0 and 1 only; received \[0.0, 2.0\]"):
        plot_mask(LOOK_AHEAD * 2, TOKENS, TOKENS)
    with pytest.raises(ValueError, match=r"3 key labels; received shape \(4, 4\)"):
        plot_mask(LOOK_AHEAD, TOKENS, TOKENS[:3])
    with pytest.raises(ValueError, match=r"shape \(4, 4\); received shape \(4,\)"):
        plot_masked_softmax(np.zeros(4), LOOK_AHEAD, TOKENS, TOKENS)
