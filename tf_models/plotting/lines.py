"""Lines and bars: what more minutes, numbers or labels bring, and how long sentences are."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

from tf_models.plotting.lettering import QUIET_INK, add_legend, add_legend_above
from tf_models.plotting.style import (
    COLORS,
    TRAINING_COLOR,
    VALIDATION_COLOR,
    figure_for_curves,
    name_axes,
    number_log_axis,
    style_axes,
)

STYLES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))  # told apart in grey print
MAX_POINTS_WITH_MARKERS = 12
NONE = MappingProxyType({})


def plot_lines(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    axis_names: tuple[str, str],
    ranges: Mapping[str, tuple[Sequence[float], Sequence[float]]] = NONE,
    marks: Sequence[float] = (),
    scales: tuple[str, str] = ("linear", "linear"),
    title: str = "",
    diagonal: bool = False,
) -> Figure:
    """A line for each label.

    Args:
        lines: by label, x and y of the points; above 0 where the scale is logarithmic.
        axis_names: what x and y are.
        ranges: by label, lowest and highest y of a band behind the line, at each x.
        marks: x with a number on the axis; Matplotlib's choice if left out.
        scales: of x and of y, "linear" or "log".
        diagonal: whether to draw y = x, dashed.
    """
    figure = figure_for_curves(6.5, 3.6, title)
    axes = figure.add_subplot()
    style_axes(axes, vertical_lines=True)
    drawn = []
    for i, (label, (x, y)) in enumerate(lines.items()):
        marker = "o" if len(x) <= MAX_POINTS_WITH_MARKERS else None  # one point would be no line
        color = COLORS[i % len(COLORS)]
        style = {"color": color, "linestyle": STYLES[i % len(STYLES)], "linewidth": 1.8}
        drawn += axes.plot(x, y, marker=marker, markersize=4, label=label, **style)
        if label in ranges:
            axes.fill_between(x, *ranges[label], color=color, alpha=0.15, linewidth=0)
    if diagonal:
        axes.axline((0, 0), slope=1, color=QUIET_INK, linewidth=0.8, linestyle=(0, (4, 4)))
    _scale(axes, scales, marks)
    name_axes(axes, *axis_names)
    add_legend_above(axes, drawn)
    return figure


def plot_lengths(
    source: Sequence[int],
    target: Sequence[int],
    *,
    limits: tuple[int, int] | None = None,
    title: str = "sentence lengths",
) -> Figure:
    """Histogram of the numbers of tokens, source and target side by side.

    Args:
        source, target: tokens of each sentence.
        limits: most tokens of a source and a target that are kept; drawn as lines.
    """
    figure = figure_for_curves(6.5, 3.1, title)
    axes = figure.add_subplot()
    style_axes(axes)
    edges = np.arange(0.5, max(*source, *target) + 1)
    colors, names = (TRAINING_COLOR, VALIDATION_COLOR), ("source", "target")
    _, _, bars = axes.hist([source, target], bins=edges, color=colors, label=names)
    for limit, color in zip(limits or (), colors, strict=False):
        axes.axvline(limit + 0.5, color=color, linestyle=":", linewidth=1.2)
    name_axes(axes, "tokens, start and end included", "sentences")
    add_legend(axes, [first for first, *_ in bars])  # a histogram labels its first bar
    return figure


def _scale(axes: Axes, scales: tuple[str, str], marks: Sequence[float]) -> None:
    for scale, set_scale, axis in zip(
        scales, (axes.set_xscale, axes.set_yscale), (axes.xaxis, axes.yaxis), strict=True
    ):
        if scale == "log":
            set_scale("log")
            number_log_axis(axis)
    if marks:
        axes.xaxis.set_major_locator(FixedLocator(list(marks)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
