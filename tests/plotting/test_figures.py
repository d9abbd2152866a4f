"""Every kind of figure, at its extremes: all labels are drawn, and none covers another.

The figures of the registries are drawn in tests/cli/test_plot_figures.py.
"""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.support.readable import drawn_texts, unreadable
from tf_models.plotting.attention import plot_attention_layers, plot_attention_maps, plot_story
from tf_models.plotting.attention_steps import (
    MultiHeadStages,
    plot_multi_head_attention,
    plot_six_steps,
)
from tf_models.plotting.images import plot_image_attention, plot_image_grid
from tf_models.plotting.lines import plot_lengths, plot_lines, plot_training_curves
from tf_models.plotting.masks import (
    LabeledMask,
    plot_masked_softmax,
    plot_masks,
    plot_positional_encoding,
)
from tf_models.plotting.number_grid import (
    plot_confusion,
    plot_head_statistics,
    plot_normalization,
    plot_probabilities,
)
from tf_models.plotting.points import plot_latent_space, plot_strips
from tf_models.plotting.query import plot_attention_lines, plot_query_histogram, plot_query_in_map

LONG = ["<start>", "Donaudampfschifffahrtsgesellschaft", "$5", "x_1", "▁ist", "<end>"]
CHINESE = ["<start>", "▁我", "▁喜欢", "▁机器", "▁翻译", "。", "<end>"]
TITLE = "a title that is longer than some of these figures are wide, so that it needs two lines"


def names(count):
    return [f"▁token{number}" for number in range(count)]


def masks(source_length, target_length):
    source, target = ([*names(n - 2), "<pad>", "<pad>"] for n in (source_length, target_length))
    padding = np.array([[token == "<pad>" for token in source]])
    combined = np.triu(np.ones((target_length, target_length)), k=1)
    return [
        LabeledMask("encoder padding mask", padding, source, source),
        LabeledMask("look-ahead and padding mask", combined, target, target),
        LabeledMask("decoder padding mask", padding, target, source),
    ]


def stages(attention, heads, length, depth):
    width = heads * depth
    each, whole = np.ones((heads, length, depth)), np.ones((length, width))
    weights = attention(heads, length, length)
    kernel = np.ones((width, width))
    return MultiHeadStages(whole, each, each, each, weights, each, whole, kernel, whole)


FIGURES = {
    "one head": lambda a: plot_attention_maps(a(1, 6, 6), LONG, LONG, title=TITLE),
    "one cell": lambda a: plot_attention_maps(a(1, 1, 1), ["a"], ["b"], title=TITLE),
    "one row": lambda a: plot_attention_maps(a(4, 1, 12), ["mean"], names(12), title=TITLE),
    "eight heads": lambda a: plot_attention_maps(
        a(8, 9, 10), names(9), names(10), row_word="writes"
    ),
    "forty tokens": lambda a: plot_attention_maps(
        a(2, 40, 40), names(40), names(40), title=TITLE, row_word="reads"
    ),
    "Chinese": lambda a: plot_attention_maps(a(2, 7, 7), CHINESE, CHINESE, title="注意力"),
    "16 maps": lambda a: plot_attention_layers(
        a(2, 8, 12, 12), names(12), names(12), title="2 x 8", row_word="reads"
    ),
    "8 maps of forty tokens": lambda a: plot_attention_layers(
        a(1, 8, 40, 40), names(40), names(40), title="1 x 8"
    ),
    "one layer": lambda a: plot_attention_layers(a(1, 1, 6, 6), LONG, LONG, title=TITLE),
    "story": lambda a: plot_story(
        a(4, 20), names(4), [f"a fact that is rather long, number {i}." for i in range(20)],
        marked=(2,), title=TITLE,
    ),
    "lines": lambda a: plot_attention_lines(
        a(8, 6, 6), LONG, LONG, 3, panels=[(1,), (1, 3), range(1, 9)], title=TITLE
    ),
    "query": lambda a: plot_query_in_map(a(9, 10), names(9), names(10), 3),
    "query of forty tokens": lambda a: plot_query_in_map(a(40, 40), names(40), names(40), 3),
    "histogram": lambda a: plot_query_histogram(a(6), LONG, LONG[1]),
    "statistics": lambda a: plot_head_statistics(
        np.ones((12, 16)), np.ones((12, 16)), title=TITLE
    ),
    "masks": lambda a: plot_masks(masks(6, 8), title=TITLE),
    "long masks": lambda a: plot_masks(masks(41, 42), title=TITLE),
    "masked softmax": lambda a: plot_masked_softmax(
        np.ones((6, 6)), np.zeros((1, 6)), LONG, LONG, title=TITLE
    ),
    "pipeline": lambda a: plot_multi_head_attention(
        stages(a, 8, 9, 64), [*LONG, *LONG[:3]], title=TITLE
    ),
    "pipeline of 24 words": lambda a: plot_multi_head_attention(stages(a, 2, 24, 4), names(24)),
    "six steps": lambda a: plot_six_steps(
        np.ones(64), np.ones((2, 64)), np.ones((2, 64)), LONG[1:3], title=TITLE
    ),
    "normalisation": lambda a: plot_normalization(
        np.random.default_rng(0).normal(0, 9, (12, 4)), names(12), list("abcd"), title=TITLE
    ),
    "positions": lambda a: plot_positional_encoding({"a": a(20, 512), "b": a(20, 512)}),
    "probabilities": lambda a: plot_probabilities(
        dict.fromkeys(("target", "untrained", "trained"), a(2, 6)), ["1 i", "2 am"], LONG
    ),
    "confusion": lambda a: plot_confusion(np.eye(2, dtype=int), LONG[:2], title=TITLE),
    "low images": lambda a: plot_image_grid(
        np.zeros((3, 2, 1, 4, 1)), row_names=["one\nlayer", "two\nlayers", "WWWWWWWW"]
    ),
    "attention to patches": lambda a: plot_image_attention(
        np.zeros((2, 4, 8, 1)), a(2, 8, 2, 4), ["a name\nright, 99%", "b\ntaken for a, 50%"],
        [f"head {number}" for number in range(8)], title=TITLE,
    ),
    "latent space": lambda _: plot_latent_space(
        {TITLE[:20]: np.eye(3, 2), "b": np.eye(3, 2)}, np.arange(3), title=TITLE
    ),
    "strips": lambda _: plot_strips({"one": [1.0, 2.0], LONG[1]: [1.0]}, axis_name="BLEU"),
    "lengths": lambda _: plot_lengths([3, 5, 7], [4, 5, 9], limits=(8, 9)),
    "training": lambda _: plot_training_curves({"loss": [90, 2, 1], "val_bleu": [1, 2, 3]}),
    "seven lines": lambda a: plot_lines(
        {f"a name that is longer than most {i}": ([1, 2], [3, i]) for i in range(7)},
        axis_names=("x", "y"),
        title="seven lines",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_everything_can_be_read(name, attention):
    assert unreadable(FIGURES[name](attention)) == []


def test_overlapping_texts_are_found():
    figure = Figure((2, 2), dpi=100)
    for x, text in ((0.1, "one"), (0.15, "two"), (0.9, "three")):
        figure.text(x, 0.5, text)
    assert unreadable(figure) == ["'one' covers 'two'"]


@pytest.mark.parametrize("name", ["$\\frac$", "_hidden"])
def test_names_are_neither_mathematics_nor_left_out(name):
    """A fraction without its two numbers is an error of TeX."""
    names, eye = [name, "b"], np.eye(2)
    axes = {"axis_names": (name, "y"), "title": name}
    for figure in (
        plot_lines({name: ([1, 2], [3, 4])}, **axes),
        plot_latent_space({"": eye}, np.arange(2), class_name=["long", name].__getitem__, **axes),
        plot_attention_maps([eye], names, names, title=name),
        plot_image_grid(np.zeros((2, 2, 3, 3, 1)), row_names=names, column_names=names),
    ):
        assert name in {text for text, _ in drawn_texts(figure)}
