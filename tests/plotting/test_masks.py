import numpy as np
import pytest

from tf_models.plotting.masks import (
    LabeledMask,
    plot_masked_softmax,
    plot_masks,
    plot_positional_encoding,
)

TOKENS = ["<start>", "▁wir", "▁gehen", "<pad>"]
LOOK_AHEAD = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]])


def maps(figure):
    """The axes with a map, without the colour bars."""
    return [axes for axes in figure.axes if axes.images]


def shown(axes):
    return np.ma.filled(axes.images[0].get_array(), np.nan)


def test_the_mask_is_drawn_as_given():
    axes = plot_masks([LabeledMask("", LOOK_AHEAD, TOKENS, TOKENS)]).axes[0]
    np.testing.assert_array_equal(shown(axes), LOOK_AHEAD)


def test_a_padding_mask_is_the_same_for_every_query():
    padding = np.array([[0, 0, 0, 1, 1]], np.float32)
    axes = plot_masks([LabeledMask("", padding, TOKENS, list("abcde"))]).axes[0]
    np.testing.assert_array_equal(shown(axes), np.tile(padding, (4, 1)))


def sentence_pair(source_length, target_length):
    """The three masks of a pair, two tokens of padding at the end of each sentence."""
    source = [*map(str, range(source_length - 2)), "<pad>", "<pad>"]
    target = [*map(str, range(target_length - 2)), "<pad>", "<pad>"]
    padding = np.array([[[[token == "<pad>" for token in source]]]])
    combined = np.triu(np.ones((target_length, target_length)), k=1)
    combined[:, -2:] = 1
    return [
        LabeledMask("encoder padding mask", padding, source, source),
        LabeledMask("look-ahead and padding mask", combined[None, None], target, target),
        LabeledMask("decoder padding mask", padding, target, source),
    ]


def test_the_masks_of_a_sentence_pair():
    masks = sentence_pair(6, 8)
    figure = plot_masks(masks, title="masks")
    for axes, (name, mask, rows, columns) in zip(maps(figure), masks, strict=True):
        assert axes.get_title(loc="left").replace("\n", " ") == name
        expected = np.broadcast_to(mask, (1, 1, len(rows), len(columns)))[0, 0]
        np.testing.assert_array_equal(shown(axes), expected)
        assert [label.get_text() for label in axes.get_yticklabels()] == rows
        assert [label.get_text() for label in axes.get_xticklabels()] == columns


@pytest.mark.parametrize("lengths", [(6, 8), (41, 42)])
def test_cells_of_different_masks_are_equally_large(drawn_texts, lengths):
    figure = plot_masks(sentence_pair(*lengths))
    drawn_texts(figure)
    cells = []
    for axes in maps(figure):
        rows, columns = shown(axes).shape
        box = axes.get_window_extent()
        cells += [box.width / columns, box.height / rows]
    np.testing.assert_allclose(cells, cells[0], rtol=0.03)


def test_masked_softmax_shows_four_stages():
    scores = np.arange(16.0).reshape(4, 4) / 4
    figure = plot_masked_softmax(scores, LOOK_AHEAD, TOKENS, TOKENS, title="combined mask")
    before, masked, without, after = (shown(axes) for axes in maps(figure))
    np.testing.assert_array_equal(before, scores)
    np.testing.assert_array_equal(masked, np.where(LOOK_AHEAD, np.nan, scores))
    np.testing.assert_allclose(without.sum(axis=-1), 1)
    np.testing.assert_allclose(np.nansum(after, axis=-1), 1)
    np.testing.assert_array_equal(np.isnan(after), LOOK_AHEAD == 1)
    assert "-1e9" in [text.get_text() for text in maps(figure)[1].texts]


def test_blocked_cells_are_hatched_where_no_number_says_it():
    figure = plot_masked_softmax(np.zeros((20, 20)), np.eye(20), ["q"] * 20, ["k"] * 20)
    plain, hatched, _, _ = (axes.collections[0] for axes in maps(figure))
    assert not plain.get_paths()
    assert hatched.get_hatch()
    centers = [path.vertices[:4].mean(axis=0) for path in hatched.get_paths()]
    np.testing.assert_allclose(centers, [(index, index) for index in range(20)])


def test_where_all_keys_are_blocked_the_weights_are_not_said_to_be_zero():
    figure = plot_masked_softmax(np.zeros((1, 2)), np.ones((1, 2)), ["q"], ["a", "b"])
    np.testing.assert_allclose(shown(maps(figure)[3]), [[0.5, 0.5]])


def test_of_large_maps_only_the_masked_stages_are_drawn():
    scores = np.random.default_rng(0).normal(size=(42, 41))
    mask = (np.arange(41) >= 9).astype(float)[np.newaxis]
    figure = plot_masked_softmax(scores, mask, ["q"] * 42, ["k"] * 41)
    before, after = (axes.images[0].get_array() for axes in figure.axes if axes.images)
    np.testing.assert_allclose(before[:, :9], scores[:, :9])
    np.testing.assert_allclose(after[:, :9].sum(axis=1), 1)
    assert before.mask[:, 9:].all()


def sinusoids(positions, dimensions):
    """Both layouts of the same sines and cosines."""
    angles = np.arange(positions)[:, np.newaxis] / 10000 ** np.linspace(0, 1, dimensions // 2)
    waves = np.stack([np.sin(angles), np.cos(angles)])  # (2, positions, dimensions / 2)
    return {
        "interleaved": waves.transpose(1, 2, 0).reshape(positions, dimensions),
        "concatenated": waves.transpose(1, 0, 2).reshape(positions, dimensions),
    }


def test_a_map_for_each_layout_with_the_right_values():
    encodings = sinusoids(20, 512)
    figure = plot_positional_encoding(encodings, title="20 x 512")
    for axes, (name, encoding) in zip(maps(figure), encodings.items(), strict=True):
        assert axes.get_title(loc="left") == name
        np.testing.assert_array_equal(axes.images[0].get_array()[::30, ::3], encoding)
        assert (axes.get_ylabel(), axes.get_xlabel()) == ("position", "dimension")
        assert axes.images[0].get_clim() == (-1, 1)
        assert axes.yaxis_inverted()  # position 0 is on top
        assert 256 in axes.get_xticks()  # where the cosines of the concatenated layout begin


def test_larger_values_widen_the_scale_on_both_sides():
    learned = np.array([[0.5, -3.0], [1.0, 2.0]])
    (axes,) = maps(plot_positional_encoding({"learned": learned}))
    assert axes.images[0].get_clim() == (-3, 3)
