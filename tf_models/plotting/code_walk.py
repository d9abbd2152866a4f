"""Codes of two numbers on their way through the epochs of a training."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.language import ENGLISH, in_language
from tf_models.plotting.lettering import CAPTION_SIZE, QUIET_INK, add_legend, printable, text_style
from tf_models.plotting.lines import COLORS
from tf_models.plotting.training_curves import calm_axes, figure_for_curves, number_axes

MARGIN = 0.06  # of the unit square, so that a point in a corner is seen whole


def plot_code_walk(
    codes: np.ndarray, names: Sequence[str], *, title: str = "", language: str = ENGLISH
) -> Figure:
    """A line for each code in the unit square, hollow where it begins, filled where it ends.

    Args:
        codes: of sigmoid units, (epochs + 1, rows, 2); the first before training.
        names: one for each row.
        title: above all.
        language: of the words and numbers, "en" or "de".

    Raises:
        ValueError: another shape, or another number of names.
    """
    if codes.ndim != 3 or codes.shape[1:] != (len(names), 2):
        raise ValueError(f"codes must be (epochs + 1, {len(names)}, 2); received {codes.shape}")
    figure = figure_for_curves(5.4, 4.2, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    for row, name in enumerate(names):
        _draw_walk(axes, codes[:, row], printable(name), COLORS[row % len(COLORS)])
    limits = -MARGIN, 1 + MARGIN
    axes.set(xlim=limits, ylim=limits, xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), aspect="equal")
    axes.grid(axis="x", color=axes.get_ygridlines()[0].get_color(), linewidth=0.7)
    number_axes(axes, language)
    style = text_style(CAPTION_SIZE, QUIET_INK)
    axes.set_xlabel(in_language("first number of the code", language), **style)
    axes.set_ylabel(in_language("second number of the code", language), **style)
    add_legend(axes, axes.lines[::3], loc="center left", bbox_to_anchor=(1.02, 0.5))
    return figure


def _draw_walk(axes, codes: np.ndarray, name: str, color: str) -> None:
    """A path (epochs + 1, 2), then its first and its last point: three lines of the axes."""
    axes.plot(*codes.T, color=color, linewidth=1.2, marker=".", markersize=4, label=name)
    ends = {"marker": "o", "markersize": 7, "color": color, "clip_on": False}
    axes.plot(*codes[0], markerfacecolor="white", **ends)
    axes.plot(*codes[-1], **ends)
