"""Drawn architectures: blocks, and arrows between them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Polygon

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    printable,
    text_style,
)
from tf_models.plotting.style import COLORS, figure_for_curves

COLUMN, ROW = 1.15, 0.75  # inches between two places
MARGIN = 0.55  # places around the outermost ones
NETWORK_FILL = "#d9e8f3"  # of blocks that compute; data are white


class Block(NamedTuple):
    """Where a block stands and how it looks; its key in the diagram is what is written in it.

    column, row: its middle; rows go down, and both may be fractions.
    left, right: how high its sides are, in rows: an encoder narrows, a decoder widens.
    width: in columns.
    network: whether it computes; it is shaded then.
    """

    column: float
    row: float = 0
    left: float = 0.6
    right: float = 0.6
    width: float = 0.75
    network: bool = False


Diagram = tuple[Mapping[str, Block], Sequence[tuple[str, str]]]  # blocks, and from which to which


def plot_diagrams(diagrams: Mapping[str, Diagram], *, title: str = "") -> Figure:
    """Draw diagrams one below the other, each with its title at the left.

    Args:
        diagrams: by title ("" for none), blocks by the text in them, and pairs of these texts: an
            arrow leads from the first to the second.

    Raises:
        ValueError: an arrow begins or ends at no block.
    """
    edges = [_edges(blocks) for blocks, _ in diagrams.values()]
    left, right = min(edge[0] for edge in edges), max(edge[1] for edge in edges)
    heights = [bottom - top for *_, top, bottom in edges]
    size = COLUMN * (right - left), ROW * sum(heights) + 0.3 * (len(diagrams) + bool(title))
    figure = figure_for_curves(*size, title)
    panels = figure.subplots(len(diagrams), squeeze=False, height_ratios=heights)[:, 0]
    for axes, (name, diagram), (*_, top, bottom) in zip(
        panels, diagrams.items(), edges, strict=True
    ):
        axes.set(xlim=(left, right), ylim=(bottom, top))  # rows go down
        axes.set_axis_off()
        axes.set_title(printable(name), loc="left", **text_style(PANEL_TITLE_SIZE))
        _draw(axes, *diagram)
    return figure


def _edges(blocks: Mapping[str, Block]) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of the place that blocks need."""
    columns = [block.column for block in blocks.values()]
    rows = [block.row for block in blocks.values()]
    return min(columns) - MARGIN, max(columns) + MARGIN, min(rows) - MARGIN, max(rows) + MARGIN


def _draw(axes: Axes, blocks: Mapping[str, Block], arrows: Sequence[tuple[str, str]]) -> None:
    patches = {}
    for text, block in blocks.items():
        fill = NETWORK_FILL if block.network else "white"
        edge = COLORS[0] if block.network else QUIET_INK
        patches[text] = Polygon(
            _corners(block), facecolor=fill, edgecolor=edge, zorder=2, clip_on=False
        )
        axes.add_patch(patches[text])
        shown = "\n".join(map(printable, text.splitlines()))
        middle = {"ha": "center", "va": "center", "zorder": 3}
        axes.text(block.column, block.row, shown, **middle, **text_style(CAPTION_SIZE))
    for arrow in arrows:
        if unknown := set(arrow) - set(blocks):
            raise ValueError(f"there is no block {unknown.pop()!r}; there are {', '.join(blocks)}")
        ends = [(blocks[name].column, blocks[name].row) for name in arrow]
        clipped = dict(zip(("patchA", "patchB"), map(patches.get, arrow), strict=True))
        style = {"arrowstyle": "-|>", "mutation_scale": 8, "color": QUIET_INK, "linewidth": 0.8}
        axes.add_patch(FancyArrowPatch(*ends, shrinkA=1, shrinkB=1, **clipped, **style))


def _corners(block: Block) -> np.ndarray:
    """(4, 2), clockwise from the upper left."""
    x, y = block.column, block.row
    half, left, right = block.width / 2, block.left / 2, block.right / 2
    return np.array(
        [[x - half, y - left], [x + half, y - right], [x + half, y + right], [x - half, y + left]]
    )
