"""One matrix as a heat map with a label at each row and column, and how large it has to be."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.image import AxesImage

from tf_models.plotting.lettering import (
    LINE_HEIGHT,
    PANEL_TITLE_SIZE,
    printable,
    text_style,
    widest,
)

COLOR_MAP = "Blues"  # light to dark: it stays in order in grey print and for colour-blind readers
LINE_COLOR = "#dde3ea"
LABEL_PAD = 0.05  # inches between a label and its cells
MOST_CELLS_WITH_LINES = 26
MOST_CELLS_WITH_NUMBERS = 10


@dataclass(frozen=True)
class MapSize:
    """Sizes of one heat map in inches; the labels at its left and top come on top of its cells."""

    width: float
    height: float
    left: float
    top: float
    label_size: float

    @classmethod
    def for_labels(
        cls, row_labels: Sequence[str], column_labels: Sequence[str], cell: float | None = None
    ) -> "MapSize":
        """Square cells of `cell` inches (by default the smaller the more there are).

        No cell is smaller than the height of its label.
        """
        longest = max(len(row_labels), len(column_labels))
        label_size = float(np.interp(longest, [10, 36], [8.5, 6.5]))
        if cell is None:
            cell = float(np.interp(longest, [3, 10, 36], [0.36, 0.24, 0.125]))
        cell = max(cell, label_size * LINE_HEIGHT / 72)
        return cls(
            width=cell * len(column_labels),
            height=cell * len(row_labels),
            left=widest(row_labels, label_size) + LABEL_PAD,
            top=widest(column_labels, label_size) + LABEL_PAD,
            label_size=label_size,
        )


def draw_heat_map(
    axes: Axes,
    values: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    limits: tuple[float, float],
    label_size: float,
    title: str = "",
    color_map: str | Colormap = COLOR_MAP,
    rotation: float = 90,
) -> AxesImage:
    """Draw `values` (rows, columns), the first row on top, the column labels above it.

    `limits` are the values drawn lightest and darkest; `rotation` turns the column labels.
    """
    image = axes.imshow(
        values, cmap=color_map, vmin=limits[0], vmax=limits[1], interpolation="nearest"
    )
    _label_cells(axes, row_labels, column_labels, label_size, rotation)
    _rule_cells(axes, *values.shape)
    axes.set_title(printable(title), loc="left", pad=6, **text_style(PANEL_TITLE_SIZE))
    return image


def write_numbers(axes: Axes, texts: np.ndarray, dark: np.ndarray, size: float = 6.5) -> None:
    """Write `texts` (rows, columns) into the cells, white where `dark` (rows, columns) is true."""
    for (row, column), text in np.ndenumerate(texts):
        style = text_style(size, "white") if dark[row, column] else text_style(size)
        axes.text(column, row, text, ha="center", va="center", **style)


def hide_labels(axes: Axes, *, rows: bool, columns: bool) -> None:
    """Take the row labels or the column labels away, where a neighbouring map shows the same."""
    if rows:
        axes.set_yticks([])
    if columns:
        axes.set_xticks([])


def _label_cells(
    axes: Axes,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    label_size: float,
    rotation: float,
) -> None:
    style = text_style(label_size)
    columns = [printable(label) for label in column_labels]
    axes.set_xticks(range(len(columns)), columns, rotation=rotation, **style)
    axes.set_yticks(
        range(len(row_labels)), [printable(label) for label in row_labels], va="center", **style
    )
    axes.tick_params(
        which="both", length=0, pad=72 * LABEL_PAD, bottom=False, labelbottom=False, labeltop=True
    )


def _rule_cells(axes: Axes, rows: int, columns: int) -> None:
    """Thin lines between the cells of a small map; around a large one only the frame."""
    for spine in axes.spines.values():
        spine.set(color=LINE_COLOR, linewidth=0.6)
    if max(rows, columns) <= MOST_CELLS_WITH_LINES:
        axes.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, LINE_COLOR, linewidth=0.5)
        axes.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, LINE_COLOR, linewidth=0.5)
