"""Drawn architectures: boxes for what computes, and arrows for what goes from one to the next."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    INK,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    printable,
    text_height,
    text_style,
    widest,
)
from tf_models.plotting.page import fit_page, new_page

# What a box does: a light colour of its own.
FILLS = {"data": "#f1f3f5", "encoder": "#d9e8f5", "decoder": "#fde3d3", "code": "#d5efe4"}
_PAD, _ROUNDING = 0.11, 0.05  # inches
_COLUMN_GAP, _ROW_GAP = 0.75, 0.34  # inches between the largest boxes; a short note fits


class Box(NamedTuple):
    """A part of an architecture.

    text: what is written in it; a new line for each of its own.
    place: its column and row, from 0, also halves; row 0 is at the bottom.
    fill: which of `FILLS` it is.
    """

    text: str
    place: tuple[float, float]
    fill: str = "data"


class Arrow(NamedTuple):
    """What goes from the box of one name to that of another.

    note: a word on its middle.
    dashed: it is compared or added there, and not computed with.
    """

    start: str
    end: str
    note: str = ""
    dashed: bool = False


def plot_architecture(
    boxes: Mapping[str, Box], arrows: Sequence[Arrow], *, title: str = "", caption: str = ""
) -> Figure:
    """Boxes of one size on a grid, and arrows between their sides.

    Args:
        boxes: by a name that arrows use.
        arrows: in any order; between two columns they leave at a side, else above or below.

    Raises:
        ValueError: an arrow to or from a box that is not there, or a fill that is not one.
    """
    for name in {end for arrow in arrows for end in arrow[:2]} - boxes.keys():
        raise ValueError(f"arrows need boxes of {', '.join(boxes)}; received {name}")
    for fill in {box.fill for box in boxes.values()} - FILLS.keys():
        raise ValueError(f"fills are {', '.join(FILLS)}; received {fill}")
    lines = [line for box in boxes.values() for line in box.text.split("\n")]
    width = widest(lines, PANEL_TITLE_SIZE) + 2 * _PAD
    height = max(text_height(box.text, PANEL_TITLE_SIZE) for box in boxes.values()) + _PAD
    step_x, step_y = width + _COLUMN_GAP, height + _ROW_GAP
    centres = {name: (box.place[0] * step_x, box.place[1] * step_y) for name, box in boxes.items()}
    axes = new_page().subplots()
    axes.set_axis_off()
    for name, box in boxes.items():
        _draw_box(axes, box, centres[name], width, height)
    for arrow in arrows:
        _draw_arrow(axes, arrow, centres[arrow.start], centres[arrow.end], width / 2, height / 2)
    across, upwards = zip(*centres.values(), strict=True)
    left, right = min(across) - width / 2 - _PAD, max(across) + width / 2 + _PAD
    bottom, top = min(upwards) - height / 2 - _PAD, max(upwards) + height / 2 + _PAD
    axes.set(xlim=(left, right), ylim=(bottom, top))
    return fit_page(axes, right - left, top - bottom, title=title, caption=caption)


def _draw_box(
    axes: Axes, box: Box, centre: tuple[float, float], width: float, height: float
) -> None:
    x, y = centre
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={_ROUNDING}",
            facecolor=FILLS[box.fill],
            edgecolor=QUIET_INK,
            linewidth=0.8,
        )
    )
    text = "\n".join(map(printable, box.text.split("\n")))
    axes.text(x, y, text, ha="center", va="center", **text_style(PANEL_TITLE_SIZE))


def _draw_arrow(
    axes: Axes,
    arrow: Arrow,
    start: tuple[float, float],
    end: tuple[float, float],
    half_width: float,
    half_height: float,
) -> None:
    """From the side of one box that faces the other: left or right, if they can face so."""
    to_right, to_top = end[0] - start[0], end[1] - start[1]
    if abs(to_right) > 2 * half_width:
        sign = 1 if to_right > 0 else -1
        start, end = (start[0] + sign * half_width, start[1]), (end[0] - sign * half_width, end[1])
    else:
        sign = 1 if to_top > 0 else -1
        start = start[0], start[1] + sign * half_height
        end = end[0], end[1] - sign * half_height
    style = {"linestyle": "--"} if arrow.dashed else {}
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=1,
            shrinkB=1,
            color=INK,
            linewidth=0.9,
            **style,
        )
    )
    if arrow.note:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        style = text_style(CAPTION_SIZE, QUIET_INK)
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        note = printable(arrow.note)
        axes.text(*middle, note, ha="center", va="center", bbox=ground, **style)
