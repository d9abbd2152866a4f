"""Architecture diagrams: boxes for the parts, arrows for the flow of data."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from tf_models.plotting import style

# What a box does: a light colour of its own.
FILLS = {"data": "#f1f3f5", "encoder": "#d9e8f5", "decoder": "#fde3d3", "code": "#d5efe4"}
_PAD = 0.11  # inches between the text of a box and its edge
_ROUNDING = 0.05  # inches
_COLUMN_GAP, _ROW_GAP = 0.75, 0.34  # inches between the largest boxes; a short note fits
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
    width = style.widest(lines, style.PANEL_TITLE_SIZE) + 2 * _PAD
    tallest = max(style.text_height(box.text, style.PANEL_TITLE_SIZE) for box in boxes.values())
    height = tallest + _PAD
    step_x, step_y = width + _COLUMN_GAP, height + _ROW_GAP
    centres = {name: (box.place[0] * step_x, box.place[1] * step_y) for name, box in boxes.items()}
    across, upwards = zip(*centres.values(), strict=True)
    detours = [centres[arrow.start][0] + arrow.detour * step_x for arrow in arrows]
    left = min(min(across) - width / 2, *detours) - _PAD
    right = max(max(across) + width / 2, *detours) + _PAD
    bottom, top = min(upwards) - height / 2 - _PAD, max(upwards) + height / 2 + _PAD
    figure = style.new_figure(right - left + 0.2, top - bottom + 0.4, title, caption)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set(xlim=(left, right), ylim=(bottom, top))  # in inches
    for name, box in boxes.items():
        _draw_box(axes, box, centres[name], width, height)
    for arrow in arrows:
        ends = centres[arrow.start], centres[arrow.end]
        if arrow.detour:
            _draw_detour(axes, *ends, arrow.detour * step_x, width / 2, height / 4)
        else:
            _draw_arrow(axes, arrow, *ends, width / 2, height / 2)
    return figure


def _draw_box(
    axes: Axes, box: Box, centre: tuple[float, float], width: float, height: float
) -> None:
    x, y = centre
    corner = (x - width / 2, y - height / 2)
    shape = f"round,pad=0,rounding_size={_ROUNDING}"
    paint = {"facecolor": FILLS[box.fill], "edgecolor": style.QUIET_INK, "linewidth": 0.8}
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=shape, **paint))
    text = style.printable(box.text)
    axes.text(x, y, text, ha="center", va="center", **style.PANEL_TITLE)


def _draw_arrow(
    axes: Axes,
    arrow: Arrow,
    start: tuple[float, float],
    end: tuple[float, float],
    half_width: float,
    half_height: float,
) -> None:
    to_right, to_top = end[0] - start[0], end[1] - start[1]
    if abs(to_right) > 2 * half_width:
        sign = 1 if to_right > 0 else -1
        start = start[0] + sign * half_width, start[1]
        end = end[0] - sign * half_width, end[1]
    else:
        sign = 1 if to_top > 0 else -1
        start = start[0], start[1] + sign * half_height
        end = end[0], end[1] - sign * half_height
    axes.add_patch(FancyArrowPatch(start, end, **_LINE, linestyle="--" if arrow.dashed else "-"))
    if arrow.note:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        background = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        note = style.printable(arrow.note)
        axes.text(*middle, note, ha="center", va="center", bbox=background, **style.QUIET)


def _draw_detour(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    aside: float,
    half_width: float,
    above: float,
) -> None:
    """An arrow from side to side, `aside` inches beside the start.

    It leaves `above` the middle, and arrives as far below: two of them touch nowhere.
    """
    side = math.copysign(half_width, aside)
    bottom, top, around = start[1] + above, end[1] - above, start[0] + aside
    path = [(start[0] + side, bottom), (around, bottom), (around, top), (end[0] + side, top)]
    axes.add_patch(FancyArrowPatch(path=Path(path), **_LINE))
