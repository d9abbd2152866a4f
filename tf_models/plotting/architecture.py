"""Architecture diagrams: boxes for the parts, arrows for the flow of data."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from tf_models.plotting import style

# What a box does: a light colour of its own.
FILLS = {"data": "#f1f3f5", "encoder": "#d9e8f5", "decoder": "#fde3d3", "code": "#d5efe4"}
_PAD = 0.11  # inches between the text of a box and its edge
_ROUNDING = 0.05  # inches
_GAPS = 0.75, 0.34  # inches between columns, and between rows; a short note fits
_LINE = {"color": style.INK, "linewidth": 0.9, "arrowstyle": "-|>", "mutation_scale": 9}
_LINE |= {"shrinkA": 1, "shrinkB": 1}


class Box(NamedTuple):
    """Part of an architecture, drawn as a box.

    `place` is its column and row, counted from 0 and also halves; row 0 is at the bottom.
    """

    text: str
    place: tuple[float, float]
    fill: str = "data"  # a key of `FILLS`


class Arrow(NamedTuple):
    """Flow between two boxes, given by their names, with a note at its middle."""

    start: str
    end: str
    note: str = ""
    dashed: bool = False  # True if the end compares or adds the start, and computes nothing with it
    detour: float = 0.0  # columns to the right, or left of 0, by which it goes around boxes


def plot_architecture(
    boxes: Mapping[str, Box], arrows: Sequence[Arrow], *, title: str = "", caption: str = ""
) -> Figure:
    """Boxes of one size on a grid, and arrows between their sides.

    Args:
        boxes: boxes by the names that arrows use.
        arrows: arrows in any order; between two columns and in a detour they leave at a side, else
            above or below.
    """
    lines = [line for box in boxes.values() for line in box.text.split("\n")]
    tallest = max(style.text_height(box.text, style.PANEL_TITLE_SIZE) for box in boxes.values())
    width = style.widest(lines, style.PANEL_TITLE_SIZE) + 2 * _PAD
    size = np.array([width, tallest + _PAD])  # of every box, in inches
    step = size + _GAPS
    centres = {name: box.place * step for name, box in boxes.items()}
    middles = np.array(list(centres.values()))  # (boxes, 2)
    (left, bottom), (right, top) = middles.min(axis=0) - size / 2, middles.max(axis=0) + size / 2
    detours = [centres[arrow.start][0] + arrow.detour * step[0] for arrow in arrows]
    left, right = min(left, *detours) - _PAD, max(right, *detours) + _PAD
    bottom, top = bottom - _PAD, top + _PAD
    figure = style.new_figure(right - left + 0.2, top - bottom + 0.4, title, caption)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set(xlim=(left, right), ylim=(bottom, top))  # in inches
    for name, box in boxes.items():
        _draw_box(axes, box, centres[name], size)
    for arrow in arrows:
        ends = centres[arrow.start], centres[arrow.end]
        if arrow.detour:
            _draw_detour(axes, *ends, arrow.detour * step[0], size)
        else:
            _draw_arrow(axes, arrow, *ends, size)
    return figure


def _draw_box(axes: Axes, box: Box, centre: np.ndarray, size: np.ndarray) -> None:
    shape = f"round,pad=0,rounding_size={_ROUNDING}"
    paint = {"facecolor": FILLS[box.fill], "edgecolor": style.QUIET_INK, "linewidth": 0.8}
    axes.add_patch(FancyBboxPatch(centre - size / 2, *size, boxstyle=shape, **paint))
    text = style.printable(box.text)
    axes.text(*centre, text, ha="center", va="center", **style.PANEL_TITLE)


def _draw_arrow(
    axes: Axes, arrow: Arrow, start: np.ndarray, end: np.ndarray, size: np.ndarray
) -> None:
    """An arrow from the edge of a box to the edge of another, straight."""
    is_across = abs(end[0] - start[0]) > size[0]
    to_edge = np.copysign(size / 2, end - start) * (is_across, not is_across)
    start, end = start + to_edge, end - to_edge
    axes.add_patch(FancyArrowPatch(start, end, **_LINE, linestyle="--" if arrow.dashed else "-"))
    if arrow.note:
        background = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        note = style.printable(arrow.note)
        middle = (start + end) / 2
        axes.text(*middle, note, ha="center", va="center", bbox=background, **style.QUIET)


def _draw_detour(
    axes: Axes, start: np.ndarray, end: np.ndarray, aside: float, size: np.ndarray
) -> None:
    """An arrow from side to side, `aside` inches beside the start.

    It leaves above the middle, and arrives as far below: two of them touch nowhere.
    """
    above = size * (np.copysign(0.5, aside), 0.25)
    below = size * (np.copysign(0.5, aside), -0.25)
    first, last = start + above, end + below
    around = start[0] + aside
    path = [first, (around, first[1]), (around, last[1]), last]
    axes.add_patch(FancyArrowPatch(path=Path(path), **_LINE))
