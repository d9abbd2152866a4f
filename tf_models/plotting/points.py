"""Scatter plots of latent codes, and strip plots of repeated runs."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from statistics import mean

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting import style

CLASS_COLORS = "tab10"
CLASS_SHAPES = "os^DvP<X>*"  # not all readers tell the colours apart
_WRITTEN = re.compile("[0-9A-Za-z]{1,2}")  # a class name that is written in place of a point
_ROW_HEIGHT = 0.3  # inches of a strip


def plot_latent_space(
    codes: Mapping[str, np.ndarray],
    labels: np.ndarray | None = None,
    *,
    class_name: Callable[[int], str] = str,
    axis_names: tuple[str, str] = ("z 1", "z 2"),
    title: str = "",
) -> Figure:
    """Scatter plot of codes, marked by class name if short, else by shape.

    Codes are (images, 2) by their names, of the same images, side by side; the labels are class
    numbers, (images,), and `class_name` gives a number's name.
    """
    figure = style.new_figure(4.4 * len(codes), 4.4, title)
    panels = figure.subplots(1, len(codes), squeeze=False)[0]
    for axes, (name, points) in zip(panels, codes.items(), strict=True):
        style.style_axes(axes, vertical_lines=True)
        style.title_panel(axes, name)
        _draw_points(axes, points, labels, class_name)
        style.name_axes(axes, *axis_names)
    return figure


def _draw_points(
    axes: Axes, codes: np.ndarray, labels: np.ndarray | None, class_name: Callable[[int], str]
) -> None:
    look = {"alpha": 0.7, "linewidths": 0}
    if labels is None:
        axes.scatter(*codes.T, color=style.COLORS[0], s=7, **look)
        return
    names = {number: class_name(number) for number in np.unique(labels)}
    written = all(map(_WRITTEN.fullmatch, names.values()))
    colors = matplotlib.colormaps[CLASS_COLORS].colors
    for color, shape, (number, name) in zip(
        cycle(colors), cycle(CLASS_SHAPES), names.items(), strict=False
    ):
        marker = f"$\\mathrm{{{name}}}$" if written else shape
        size = 26 if written else 9  # square points
        x, y = codes[labels == number].T
        axes.scatter(x, y, color=color, marker=marker, s=size, label=name, **look)
    if not written:
        style.add_legend(axes, axes.collections, markerscale=2, handletextpad=0.1)


def plot_strips(rows: Mapping[str, Sequence[float]], *, axis_name: str, title: str = "") -> Figure:
    """Strip plot: a dot for each value and a bar at the mean of each row.

    The first row is on top. A line goes down from its mean: what lies left of it is less.
    """
    figure = style.new_figure(6.5, _ROW_HEIGHT * len(rows) + 0.9, title)
    axes = figure.add_subplot()
    style.style_axes(axes, vertical_lines=True)
    axes.axvline(mean(next(iter(rows.values()))), color=style.QUIET_INK, linewidth=0.8)
    for row, values in enumerate(rows.values()):
        color = style.COLORS[0] if row == 0 else style.COLORS[1]
        axes.plot(values, [row] * len(values), "o", color=color, markersize=5, alpha=0.7)
        axes.plot(mean(values), row, "|", color=color, markersize=14, markeredgewidth=2)
    axes.set_yticks(range(len(rows)), list(map(style.printable, rows)), **style.SMALL)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    style.name_axes(axes, axis_name)
    return figure
