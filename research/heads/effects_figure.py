"""Attention against what is lost without a head: a point for each head."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    add_legend,
    printable,
    text_style,
)
from tf_models.plotting.style import COLORS, figure_for_curves, name_axes, style_axes

MARKERS = "osD^v"  # a shape for each kind: told apart in grey print, too
NAMED = 0.35  # of the largest number on an axis: points beyond carry their names


class HeadPoint(NamedTuple):
    """One head: its kind, its name, what it gives its attention (x), what is lost (y)."""

    kind: str
    name: str
    attention: float
    lost: float


def plot_head_effects(
    panels: Mapping[str, Sequence[HeadPoint]], *, axis_names: tuple[str, str], title: str = ""
) -> Figure:
    """Panels side by side with the same axes, each with a point for each head.

    The heads that attend much and those that are missed much carry their names.

    Args:
        panels: by title, the points.
        axis_names: what attention is given to, and what is lost.
        title: above all.

    Raises:
        ValueError: there is no point.
    """
    points = [point for of_panel in panels.values() for point in of_panel]
    if not points:
        raise ValueError("there is no head to draw")
    limits = tuple(NAMED * max(map(abs, of)) for of in zip(*(p[2:] for p in points), strict=True))
    kinds = list(dict.fromkeys(point.kind for point in points))
    figure = figure_for_curves(3.6 * len(panels) + 0.4, 3.7, title)
    row = figure.subplots(1, len(panels), squeeze=False, sharex=True, sharey=True)[0]
    for axes, (name, of_panel) in zip(row, panels.items(), strict=True):
        style_axes(axes, vertical_lines=True)
        axes.axhline(0, color=QUIET_INK, linewidth=0.8)
        drawn = [_draw_kind(axes, i, kind, of_panel) for i, kind in enumerate(kinds)]
        _name_the_far(axes, of_panel, limits)
        axes.margins(x=0.12, y=0.12)
        axes.set_title(printable(name), loc="left", **text_style(PANEL_TITLE_SIZE))
        name_axes(axes, axis_names[0], axis_names[1] if axes is row[0] else "")
    add_legend(row[-1], drawn, loc="best")  # where it covers no point
    return figure


def _draw_kind(axes: Axes, place: int, kind: str, points: Sequence[HeadPoint]):
    at = [(point.attention, point.lost) for point in points if point.kind == kind]
    x, y = zip(*at, strict=True) if at else ((), ())
    style = {"marker": MARKERS[place % len(MARKERS)], "color": COLORS[place % len(COLORS)]}
    (line,) = axes.plot(x, y, linestyle="", markersize=5.5, alpha=0.8, label=kind, **style)
    return line


def _name_the_far(axes: Axes, points: Sequence[HeadPoint], limits: tuple[float, float]) -> None:
    for point in points:
        if point.attention > limits[0] or abs(point.lost) > limits[1]:
            axes.annotate(
                printable(point.name),
                (point.attention, point.lost),
                xytext=(5, 4),
                textcoords="offset points",
                **text_style(CAPTION_SIZE),
            )
