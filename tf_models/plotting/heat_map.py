"""Heat maps of matrices with labelled rows and columns, one or a page."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from tf_models.errors import InputError
from tf_models.plotting import style

COLOR_MAP = "Blues"  # light to dark: it stays in order in grey print and for colour-blind readers
# Orange is negative, white is 0, purple is positive. Purple is the darker: so in grey print -1 and
# 1 differ without numbers.
SIGNED_COLOR_MAP = LinearSegmentedColormap.from_list(
    "signed", ["#d95f02", "#fdb863", "#f7f7f7", "#998ec3", "#2d004b"]
)
LINE_COLOR = "#dde3ea"
BLOCKED_COLOR = "#c9d0d8"
MAX_WIDTH = 9.6  # inches of maps side by side: more can hardly be read when it is printed
MAX_CELLS_WITH_LINES = 26  # along a side
MAX_CELLS_WITH_NUMBERS = 10  # along a side
NUMBER_CELL = 0.41  # inches; a number such as -12.50 fits
MIN_HEIGHT = 0.5  # inches of a map: a name such as "layer 1" may stand at its left
MIN_BAR_HEIGHT, MAX_BAR_HEIGHT = 1.0, 2.0  # inches of a colour bar
BAR_ROOM = 0.75  # inches of width for a colour bar and its numbers
_WITHIN = {"in_layout": False}  # the layout need not measure lines and texts within the cells


class HeatMap(NamedTuple):
    """Matrix with labels, colours and texts, to be drawn as a heat map.

    values: (rows, columns); masked cells are grey and hatched, so visible without colour.
    row_labels: texts at the left of the cells, from top to bottom; `column_labels`: texts above
        them. There may be none.
    limits: the values at the first and the last colour of the colour map.
    title: text above the map, at its left.
    texts: (rows, columns), written into the cells; None writes nothing.
    """

    values: np.ndarray
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    limits: tuple[float, float]
    title: str = ""
    color_map: str | Colormap = COLOR_MAP
    texts: np.ndarray | None = None


def draw_heat_map(
    axes: Axes,
    heat_map: HeatMap,
    *,
    points: float = 8.0,
    rotation: float = 90,
    cell_aspect: float | str = 1.0,
    interpolation: str = "nearest",
) -> None:
    """Draw a map into axes of any figure, with labels of rows and columns.

    Args:
        points: font size of the labels; `rotation`: degrees of the column labels.
        cell_aspect: height of a cell as a share of its width; "auto" fills the axes.
        interpolation: option of Matplotlib's `imshow`.
    """
    values = heat_map.values
    rows, columns = values.shape
    color_map = heat_map.color_map
    lowest, highest = heat_map.limits
    if isinstance(values, np.ma.MaskedArray):
        color_map = colormaps.get_cmap(color_map).with_extremes(bad=BLOCKED_COLOR)
        _hatch(axes, values.mask)
    image = axes.imshow(
        values, interpolation=interpolation, cmap=color_map, vmin=lowest, vmax=highest
    )
    axes.set_aspect(cell_aspect, anchor="NW")
    text = style.text_style(points)
    column_texts = list(map(style.printable, heat_map.column_labels))
    row_texts = list(map(style.printable, heat_map.row_labels))
    axes.set_xticks(range(len(column_texts)), column_texts, rotation=rotation, **text)
    axes.set_yticks(range(len(row_texts)), row_texts, va="center", **text)
    axes.tick_params(length=0, top=True, bottom=False, labeltop=True, labelbottom=False)
    axes.spines[:].set(color=LINE_COLOR, linewidth=0.6)
    # Lines part labelled cells; a map without labels is read as an image.
    if column_texts and max(rows, columns) <= MAX_CELLS_WITH_LINES:
        line = {"colors": LINE_COLOR, "linewidth": 0.5, **_WITHIN}
        axes.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, **line)
        axes.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, **line)
    if heat_map.texts is not None:
        _write_texts(image, heat_map.texts)
    style.title_panel(axes, heat_map.title)


def draw_heat_maps(
    maps: Sequence[HeatMap],
    columns: int | None = None,
    *,
    cell: tuple[float, float] | None = None,
    points: float | None = None,
    bars: Sequence[str] = (),
    shared: bool = False,
    row_names: Sequence[str] = (),
    framed: int | None = None,
    gap: float = 0.28,
    title: str = "",
    caption: str = "",
) -> Figure:
    """Draw maps, row by row, each with its labels, on a new figure.

    Args:
        maps: one or more; their cells are equally large.
        columns: number of maps side by side; as many as a page holds if left out.
        cell: width and height in inches; by default squares, small where there are many.
        points: font size of the labels; column labels that do not fit a cell stand upright.
        bars: names of colour bars beside the first rows of maps, one a row.
        shared: True if the labels stand once, at the left and on top of the page.
        row_names: names at the left of the rows of maps.
        framed: index of the row of cells that has a frame, in each map.
        gap: inches between two maps; `title` and `caption` stand above and below all.
    """
    count = max(max(heat_map.values.shape) for heat_map in maps)
    side = NUMBER_CELL if maps[0].texts is not None else square_cell(count)
    cell_width, cell_height = cell or (side, side)
    labels = _measured_labels(maps, points or label_points(count), cell_width)
    sizes = _measured_maps(maps, cell_width, cell_height)
    if columns is None:
        labels_width = 0 if shared else labels.left
        widest = sizes[:, 1].max() + labels_width + gap
        columns = style.columns_for(len(maps), widest, MAX_WIDTH)
    heights, widths = _grid(sizes, columns)
    heights[: len(bars)] = heights[: len(bars)].clip(MIN_BAR_HEIGHT)
    rows = len(heights)
    labelled_rows, labelled_columns = (1, 1) if shared else (rows, columns)
    height = heights.sum() + rows * gap + labels.top * labelled_rows
    width = widths.sum() + columns * gap + labels.left * labelled_columns
    if bars:
        width += BAR_ROOM
    figure = style.new_figure(width, height, title, caption, gap=gap)
    panels = figure.subplots(
        rows, columns, squeeze=False, height_ratios=heights, width_ratios=widths
    )
    for axes, heat_map in zip(panels.flat, maps, strict=False):
        draw_heat_map(
            axes,
            heat_map,
            points=labels.points,
            rotation=labels.rotation,
            cell_aspect=cell_height / cell_width,
        )
        if shared:
            axes.label_outer()
        if framed is not None:
            frame_cells(axes, 1, heat_map.values.shape[1], first_row=framed)
    for axes in panels.flat[len(maps) :]:
        axes.set_axis_off()
    for row, height, name in zip(panels, heights, bars, strict=False):
        add_color_bar(row[-1], name, height)
    for axes, name in zip(panels[:, 0], row_names, strict=False):
        axes.set_ylabel(name, **style.PANEL_TITLE)
    return figure


class _Labels(NamedTuple):
    """Labels of all maps of a figure, and the room for them in inches."""

    points: float
    rotation: float  # degrees of the column labels
    left: float  # room for the row labels
    top: float  # room for the column labels and a title


def _measured_labels(maps: Sequence[HeatMap], points: float, cell_width: float) -> _Labels:
    """Column labels stand upright where they do not fit a cell."""
    left = max(style.widest(heat_map.row_labels, points) for heat_map in maps)
    widest = max(style.widest(heat_map.column_labels, points) for heat_map in maps)
    upright = widest > 0.95 * cell_width
    top = widest if upright else points / 72
    top += 0.13 + max(
        style.text_height(heat_map.title, style.PANEL_TITLE_SIZE) for heat_map in maps
    )
    return _Labels(points, 90 if upright else 0, left, top)


def _measured_maps(maps: Sequence[HeatMap], cell_width: float, cell_height: float) -> np.ndarray:
    """Height and width of each map or, if wider, of its title: (maps, 2)."""
    shapes = np.array([heat_map.values.shape for heat_map in maps])
    sizes: np.ndarray = shapes * (cell_height, cell_width)
    titles = [style.widest([heat_map.title], style.PANEL_TITLE_SIZE) for heat_map in maps]
    sizes[:, 1] = np.maximum(sizes[:, 1], titles)
    return sizes


def _grid(sizes: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Heights of the rows, (rows,), and widths of the columns, (columns,)."""
    rows = math.ceil(len(sizes) / columns)
    empty = np.zeros((rows * columns - len(sizes), 2))
    grid = np.concatenate([sizes, empty]).reshape(rows, columns, 2)
    return grid[..., 0].max(axis=1).clip(MIN_HEIGHT), grid[..., 1].max(axis=0)


def label_points(count: int) -> float:
    """Font size, in points, of labels of a map with `count` rows or columns."""
    return float(np.interp(count, [10, 36], [9.0, 5.8]))


def square_cell(count: int) -> float:
    """Side in inches of cells that fit the labels of `count` rows or columns."""
    cell = float(np.interp(count, [3, 10, 36], [0.36, 0.22, 0.115]))
    return max(cell, label_points(count) * style.LINE_HEIGHT / 72)


def add_color_bar(axes: Axes, label: str, height: float) -> None:
    """Draw a colour bar at the right of a map that is `height` inches high."""
    bar_height = min(height, MAX_BAR_HEIGHT)
    bar = axes.figure.colorbar(
        axes.images[0],
        ax=[axes],
        ticks=MaxNLocator(4),
        pad=0.03,
        shrink=bar_height / height,
        aspect=10 * bar_height,
        anchor=(0.0, 1.0),
        panchor=False,
    )
    bar.outline.set_visible(False)
    bar.set_label(label, **style.QUIET)
    bar.ax.tick_params(labelcolor=style.QUIET_INK, labelsize=style.CAPTION_SIZE, length=0, pad=3)


with_decimals = np.vectorize("{:z.2f}".format, otypes=[object])  # there is no -0.00


def as_matrix(values: np.ndarray) -> np.ndarray:
    """Drop leading axes of length one (batch, heads); return float64."""
    values = np.asarray(values, np.float64)
    return values.reshape(values.shape[-2:])


def as_weights(weights: Any, *labels: Sequence[str], heads: bool = True) -> np.ndarray:
    """Weights (heads, queries, keys) as floats, for labels of both.

    Without `heads`, they are (queries, keys). A batch of one sentence loses its axis.

    Raises:
        InputError: the shape of the weights does not match the labels, or one is NaN or infinite.
    """
    values = np.asarray(weights, np.float64)  # bfloat16, too
    sides = tuple(map(len, labels))
    dimensions = len(sides) + 1 if heads else len(sides)
    if values.ndim == dimensions + 1 and len(values) == 1:
        values = values[0]
    if values.ndim != dimensions or values.shape[-len(sides) :] != sides:
        expected = ", ".join(map(str, sides))
        if heads:
            expected = f"heads, {expected}"
        raise InputError(
            f"expected weights of shape ({expected}), as there are labels; received {values.shape}"
        )
    if not np.isfinite(values).all():
        raise InputError("attention weights must be numbers; received NaN or infinity among them")
    return values


def darkest_weight(weights: np.ndarray) -> float:
    """Value of the darkest colour for weights (…, keys).

    It is the largest weight, or 4 equal shares of a row if more: otherwise attention that is spread
    evenly would be all dark. It is rounded up to one significant digit, so that the colour bar ends
    with a number, but not above the sum of a row.
    """
    row = float(weights.sum(axis=-1).max()) or 1.0
    weight = max(float(weights.max()), row * min(1.0, 4 / weights.shape[-1]))
    unit = 10.0 ** math.floor(math.log10(weight))
    return min(round(row, 2), math.ceil(weight / unit - 1e-6) * unit)


def frame_cells(axes: Axes, rows: int, columns: int, first_row: int = 0) -> None:
    """Draw a frame in `FRAME_COLOR` around cells, from the first column on."""
    line = {"fill": False, "edgecolor": style.FRAME_COLOR, "linewidth": 1.7, "clip_on": False}
    axes.add_patch(Rectangle((-0.5, first_row - 0.5), columns, rows, zorder=3, **line))


def _write_texts(image: AxesImage, texts: np.ndarray) -> None:
    """Write `texts` (rows, columns) into the cells, in ink or in white.

    Each text has the colour with more contrast; by the contrast ratio of WCAG 2.2, section 1.4.3,
    both are alike at a luminance of 0.24.
    """
    colors = image.to_rgba(image.get_array())  # (rows, columns, RGBA); NaN is transparent
    dark = (style.luminance(colors[..., :3]) < 0.24) & (colors[..., 3] > 0)
    for (row, column), text in np.ndenumerate(texts):
        number = style.text_style(style.CAPTION_SIZE, "white" if dark[row, column] else style.INK)
        image.axes.text(column, row, text, ha="center", va="center", **_WITHIN, **number)


def _hatch(axes: Axes, blocked: np.ndarray) -> None:
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    cells = np.argwhere(blocked)[:, ::-1]  # (cells, column and row)
    squares = cells[:, np.newaxis] + corners  # (cells, 4, column and row)
    paint = {"facecolor": "none", "edgecolor": "#e9edf1", "linewidth": 0, "zorder": 1}
    axes.add_collection(PolyCollection(squares, hatch="////", **_WITHIN, **paint))
