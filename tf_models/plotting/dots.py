"""A row of dots for each label: repeated measurements beside those of a first row."""

from collections.abc import Mapping, Sequence
from statistics import mean

from matplotlib.figure import Figure

from tf_models.plotting.lettering import CAPTION_SIZE, QUIET_INK, printable, text_style
from tf_models.plotting.lines import COLORS
from tf_models.plotting.training_curves import GRID_COLOR, calm_axes, figure_for_curves

ROW_HEIGHT = 0.3  # inches


def plot_dots(rows: Mapping[str, Sequence[float]], *, axis_name: str, title: str = "") -> Figure:
    """A dot for each value and a bar at their mean, the first row on top.

    A line goes down from the first row's mean: what lies left of it is less.
    """
    figure = figure_for_curves(6.5, ROW_HEIGHT * len(rows) + 0.9, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    axes.grid(axis="x", color=GRID_COLOR, linewidth=0.7)
    axes.axvline(mean(next(iter(rows.values()))), color=QUIET_INK, linewidth=0.8)
    for place, values in enumerate(rows.values()):
        color = COLORS[0] if place == 0 else COLORS[1]
        axes.plot(values, [place] * len(values), "o", color=color, markersize=5, alpha=0.7)
        axes.plot(mean(values), place, "|", color=color, markersize=14, markeredgewidth=2)
    names = [printable(label) for label in rows]
    axes.set_yticks(range(len(rows)), names, **text_style(CAPTION_SIZE))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(printable(axis_name), **text_style(CAPTION_SIZE, QUIET_INK))
    return figure
