"""Names that Matplotlib would take for something else are written as they stand."""

import numpy as np
import pytest

from tf_models.plotting.attention import plot_attention_layers, plot_attention_weights
from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.lines import plot_lengths, plot_lines, plot_training_curves
from tf_models.plotting.masks import LabeledMask, plot_masked_softmax, plot_masks
from tf_models.plotting.number_grid import plot_codes
from tf_models.plotting.points import plot_latent_space, plot_strips
from tf_models.plotting.query import plot_query_histogram

NAMES = ["a$\\frac$", "_hidden"]  # TeX's fraction without its two numbers is an error
AXES = ("$x_1$", "_y")
TITLE = "$\\sqrt$"
POINTS = ([1, 2], [3, 4])
ZEROS, EYE = np.zeros((2, 2)), np.eye(2)

FIGURES = {
    "lines": lambda: plot_lines(dict.fromkeys(NAMES, POINTS), axis_names=AXES, title=TITLE),
    "strips": lambda: plot_strips(dict.fromkeys(NAMES, POINTS[0]), axis_name=AXES[0], title=TITLE),
    "latent space": lambda: plot_latent_space(
        EYE, np.arange(2), class_name=NAMES.__getitem__, axis_names=AXES, title=TITLE
    ),
    "codes": lambda: plot_codes(ZEROS, NAMES, title=TITLE),
    "image grid": lambda: plot_image_grid(
        np.zeros((2, 2, 3, 3, 1)), row_names=NAMES, column_names=AXES, title=TITLE
    ),
    "attention": lambda: plot_attention_weights([EYE], NAMES, AXES, title=TITLE),
    "attention of layers": lambda: plot_attention_layers([[EYE]], NAMES, AXES, title=TITLE),
    "mask": lambda: plot_masks([LabeledMask("", ZEROS, NAMES, AXES)], title=TITLE),
    "masked softmax": lambda: plot_masked_softmax(ZEROS, ZEROS, NAMES, AXES, title=TITLE),
    "one query": lambda: plot_query_histogram([0.5, 0.5], NAMES, AXES[0], title=TITLE),
    "training curves": lambda: plot_training_curves({"loss": [2, 1]}, title=TITLE),
    "lengths": lambda: plot_lengths([1], [2], title=TITLE),
}
FIXED_NAMES = {"training curves": {"training"}, "lengths": {"source", "target"}}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", FIGURES)
def test_names_are_neither_mathematics_nor_left_out(name, drawn_texts):
    texts = {text for text, _ in drawn_texts(FIGURES[name]())}

    assert TITLE in texts
    assert texts.issuperset(FIXED_NAMES.get(name, NAMES))


def test_a_legend_has_the_artists_in_their_order():
    figure = plot_lines({"_b": POINTS, "▁a": POINTS}, axis_names=AXES)
    (axes,) = figure.axes
    legend = axes.get_legend()

    assert [text.get_text() for text in legend.get_texts()] == ["_b", "_a"]
    colors = [line.get_color() for line in axes.lines]
    assert [line.get_color() for line in legend.get_lines()] == colors
