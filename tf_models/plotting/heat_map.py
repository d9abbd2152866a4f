"""Matrices as heat maps with a label at each row and column, and how large they have to be."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_rgb
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from tf_models.plotting.lettering import (
    INK,
    LINE_HEIGHT,
    PANEL_TITLE_SIZE,
    printable,
    text_style,
    widest,
)
from tf_models.plotting.page import GAP, panel_grid

COLOR_MAP = "Blues"  # light to dark: it stays in order in grey print and for colour-blind readers
# Orange is negative, white is 0, purple is positive. Purple is the darker: so in grey print -1 and
# 1 differ without numbers.
SIGNED_COLOR_MAP = LinearSegmentedColormap.from_list(
    "signed", ["#d95f02", "#fdb863", "#f7f7f7", "#998ec3", "#2d004b"]
)
LINE_COLOR = "#dde3ea"
FRAME_COLOR = "#d55e00"  # Okabe and Ito's vermilion
BLOCKED_COLOR = "#c9d0d8"
LABEL_PAD = 0.05  # inches between a label and its cells
MAX_CELLS_WITH_LINES = 26
MAX_CELLS_WITH_NUMBERS = 10
_WITHIN = {"in_layout": False}  # what lies within the cells needs no room, and is not measured


class MapSize(NamedTuple):
    """Inches of a heat map without its labels, and points of its labels."""

    width: float
    height: float
    label_size: float

    @classmethod
    def of(cls, rows: int, columns: int, cell: float | None = None) -> "MapSize":
        """Square cells of `cell` inches (by default the smaller the more there are).

        No cell is smaller than the height of its label.
        """
        count = max(rows, columns)
        label_size = float(np.interp(count, [10, 36], [9.0, 5.8]))
        if cell is None:
            cell = float(np.interp(count, [3, 10, 36], [0.36, 0.22, 0.115]))
        cell = max(cell, label_size * LINE_HEIGHT / 72)
        return cls(cell * columns, cell * rows, label_size)

    def with_labels(
        self, row_labels: Sequence[str], column_labels: Sequence[str]
    ) -> tuple[float, float]:
        """Width and height together with the labels."""
        left, top = (widest(labels, self.label_size) for labels in (row_labels, column_labels))
        return left + LABEL_PAD + self.width, top + LABEL_PAD + self.height


class HeatMap(NamedTuple):
    """A matrix, and how it is drawn.

    values: (rows, columns); the cells of masked ones are grey and hatched: no colour needed.
    row_labels: at the left of the cells, from top to bottom; `column_labels`: above them.
    limits: the values drawn lightest and darkest.
    texts: what is written into the cells, (rows, columns); None writes nothing.
    """

    values: np.ndarray
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    limits: tuple[float, float]
    title: str = ""
    color_map: str | Colormap = COLOR_MAP
    texts: np.ndarray | None = None


def draw_heat_maps(
    maps: Sequence[HeatMap],
    columns: int,
    *,
    gap: float = GAP,
    ratios: dict | None = None,
    **style: Any,
) -> np.ndarray:
    """Draw maps, row by row, in axes (rows, columns) of a page that `fit_page` completes.

    There are `gap` inches between panels. Maps that are not equally large need the `ratios` of
    `panel_grid`; the style is that of `draw_heat_map`.
    """
    panels = panel_grid(len(maps), columns, gap=gap, **(ratios or {}))
    for axes, one in zip(panels.flat, maps, strict=False):
        draw_heat_map(axes, one, **style)
    return panels


def draw_heat_map(
    axes: Axes,
    one: HeatMap,
    *,
    label_size: float,
    number_size: float = 6.5,
    rotation: float = 90,
    cell_aspect: float = 1.0,
) -> None:
    """Draw a map into axes of any figure.

    Sizes are points, of the labels and of the texts in the cells; the rotation is that of the
    column labels. A cell is `cell_aspect` times as high as wide.
    """
    colors = one.color_map
    if isinstance(one.values, np.ma.MaskedArray):
        colors = colormaps.get_cmap(colors).with_extremes(bad=BLOCKED_COLOR)
        _hatch(axes, one.values.mask)
    lightest, darkest = one.limits
    image = axes.imshow(
        one.values, cmap=colors, vmin=lightest, vmax=darkest, interpolation="nearest"
    )
    axes.set_aspect(cell_aspect, anchor="NW")
    style = text_style(label_size)
    rows, columns = (list(map(printable, labels)) for labels in (one.row_labels, one.column_labels))
    axes.set_xticks(range(len(columns)), columns, rotation=rotation, **style)
    axes.set_yticks(range(len(rows)), rows, va="center", **style)
    axes.tick_params(
        which="both", length=0, pad=72 * LABEL_PAD, bottom=False, labelbottom=False, labeltop=True
    )
    _rule_cells(axes, *one.values.shape)
    if one.texts is not None:
        _write_texts(image, one.texts, number_size)
    lines = "\n".join(map(printable, one.title.split("\n")))
    axes.set_title(lines, loc="left", pad=6, **text_style(PANEL_TITLE_SIZE))


def _write_texts(image: AxesImage, texts: np.ndarray, size: float) -> None:
    """Write `texts` (rows, columns) into the cells, in ink or where it is dark in white.

    Of the two, the one that stands out more: by the contrast ratio of WCAG 2.2, section 1.4.3.
    """
    cells = luminance(image.to_rgba(image.get_array())[..., :3])  # (rows, columns)
    on_white, on_ink = 1.05 / (cells + 0.05), (cells + 0.05) / (luminance(to_rgb(INK)) + 0.05)
    for (row, column), text in np.ndenumerate(texts):
        style = text_style(size, "white" if on_white[row, column] > on_ink[row, column] else INK)
        image.axes.text(column, row, text, ha="center", va="center", **_WITHIN, **style)


def with_decimals(values: np.ndarray, decimals: int = 2) -> np.ndarray:
    """Numbers with so many decimals, as texts of the same shape; there is no -0.00."""
    return np.vectorize(f"{{:z.{decimals}f}}".format, otypes=[object])(values)


def _hatch(axes: Axes, blocked: np.ndarray) -> None:
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    cells = np.argwhere(blocked)[:, ::-1]  # (cells, column and row)
    squares = cells[:, np.newaxis] + corners  # (cells, 4, column and row)
    style = {"facecolor": "none", "edgecolor": "#e9edf1", "linewidth": 0, "zorder": 1}
    axes.add_collection(PolyCollection(squares, hatch="////", **_WITHIN, **style))


def as_matrix(values: np.ndarray, ndim: int = 2) -> np.ndarray:
    """`values` as float64 without leading axes of length one, such as those of batch and heads."""
    values = np.asarray(values).astype(np.float64)
    while values.ndim > ndim and len(values) == 1:
        values = values[0]
    return values


def checked(name: str, values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """`values` as float64 if they are finite numbers of this shape, but for leading axes of one.

    Raises:
        ValueError: what was received.
    """
    values = as_matrix(values, len(shape))
    if values.shape != shape:
        raise ValueError(f"{name} must be {shape}; received shape {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite numbers; received some that are not")
    return values


def darkest_weight(weights: np.ndarray) -> float:
    """The number of weights (…, keys) drawn darkest: the largest, or 4 equal shares of a row.

    Otherwise attention that is spread evenly would be all dark. It is rounded up to one digit that
    counts, so that the colour bar ends with a number, but not above what a whole row has.
    """
    row = float(weights.sum(axis=-1).max()) or 1.0
    weight = max(float(weights.max()), row * min(1.0, 4 / weights.shape[-1]))
    unit = 10.0 ** math.floor(math.log10(weight))
    return min(round(row, 2), math.ceil(weight / unit - 1e-6) * unit)


def frame_cells(axes: Axes, rows: int, columns: int, first_row: int = 0) -> None:
    """A frame around cells that stands out from the colours of a map, from the first column on."""
    corner = -0.5, first_row - 0.5
    style = {"fill": False, "edgecolor": FRAME_COLOR, "linewidth": 1.7, "clip_on": False}
    axes.add_patch(Rectangle(corner, columns, rows, zorder=3, **style))


def frame_axes(axes: Axes) -> None:
    """A thin frame."""
    axes.spines[:].set(color=LINE_COLOR, linewidth=0.6)


def _rule_cells(axes: Axes, rows: int, columns: int) -> None:
    """Thin lines between the cells of a small map; around a large one only the frame."""
    frame_axes(axes)
    if max(rows, columns) <= MAX_CELLS_WITH_LINES:
        style = {"colors": LINE_COLOR, "linewidth": 0.5, **_WITHIN}
        axes.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, **style)
        axes.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, **style)


def luminance(colors: np.ndarray) -> np.ndarray:
    """Relative luminance of sRGB colours (..., 3) from 0 to 1: (...), 0 is black, 1 is white."""
    colors = np.asarray(colors)
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)
