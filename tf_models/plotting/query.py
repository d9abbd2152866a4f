"""Attention of one query: a row of a map as a histogram, and as lines.

Lines in a colour for each head come from Tensor2Tensor. They show one or two heads better than maps
do; lines of all heads are hard to tell apart, as The Illustrated Transformer finds, too.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tf_models.plotting import style
from tf_models.plotting.attention import CAPTION, WEIGHT
from tf_models.plotting.heat_map import (
    BAR_ROOM,
    LINE_COLOR,
    MAX_WIDTH,
    MIN_BAR_HEIGHT,
    HeatMap,
    add_color_bar,
    as_weights,
    darkest_weight,
    draw_heat_map,
    frame_cells,
    label_points,
    square_cell,
)
from tf_models.plotting.style import shortened

BAR_COLOR = "#3f7fb5"
MAX_BARS_WITH_NUMBERS = 16
_NUMBERED_CELL = 0.3  # inches; a number such as .25 fits above a bar of that width
_HISTOGRAM_HEIGHT, _BELOW_MAP = 1.6, 1.2  # inches of bars
_AXIS_ROOM = 0.6  # inches at the left of bars, for numbers and their name
# The page's, in `page/colors.js`: the first eight differ for eyes that confuse red and green, too.
HEAD_COLORS = (
    "#0c90fc",
    "#e43048",
    "#187800",
    "#6048fc",
    "#009cb4",
    "#c03060",
    "#546c90",
    "#549c90",
    "#a07a00",
    "#7a6a55",
)
_LABEL_SIZE = 8.5  # points
_ROW_HEIGHT, _LINES_WIDTH, _SQUARE, _GAP = 0.21, 1.1, 0.22, 0.28  # inches; a gap between panels
_SHIFT = 0.8  # rows between the first head's line and the last one's
_THICKEST = 4.0  # points that a line with weight 1 is wide
_LINES_CAPTION = (
    "From the word at the left to those that it attends to: the thicker a line, the larger the "
    "weight; a colour for each head. The squares below a head's number say the same, the darker "
    "the larger."
)


def plot_query_histogram(
    weights_row: np.ndarray, labels: Sequence[str], query_label: str, *, title: str = ""
) -> Figure:
    """Histogram of the weights (keys,) that `query_label` gives to `labels`.

    Below stand their sum, which need not be one exactly (an article rounds the weights), and if
    there are few keys the weighted sum of the values that attention returns.
    """
    weights, labels = as_weights(weights_row, labels, heads=False), shortened(labels)
    numbered = len(labels) <= MAX_BARS_WITH_NUMBERS
    pitch, points = (0.4 if numbered else 0.19), label_points(len(labels))
    sums = f"Sum of the weights: {weights.sum():.2f}."
    if numbered:
        terms = [f"{w:.2f}·{name}" for w, name in zip(weights, labels, strict=True)]
        sums += f" Weighted sum of the values: {' + '.join(terms)}"
    rotation = 90 if style.widest(labels, points) > pitch - 0.06 else 0
    size = (
        pitch * len(labels) + _AXIS_ROOM,
        _HISTOGRAM_HEIGHT + (style.widest(labels, points) if rotation else 0.2),
    )
    figure = style.new_figure(*size, title or f"what “{query_label}” attends to", sums)
    axes = figure.add_subplot()
    _draw_bars(axes, weights)
    names = list(map(style.printable, labels))
    axes.set_xticks(range(len(labels)), names, rotation=rotation, **style.text_style(points))
    axes.set_xlim(-0.6, len(labels) - 0.4)
    return figure


def plot_query_in_map(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    *,
    title: str = "",
    caption: str = CAPTION,
) -> Figure:
    """Attention map with a query's row framed; below it the row's histogram.

    The weights are (queries, keys) of one head; `query` is an index of their rows.
    """
    weights = as_weights(weights, row_labels, column_labels, heads=False)
    shape = weights.shape
    attends = f"what “{row_labels[query]}” attends to"
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    points = label_points(max(shape))
    cell = _NUMBERED_CELL if shape[1] <= MAX_BARS_WITH_NUMBERS else square_cell(max(shape))
    height = max(cell * shape[0], MIN_BAR_HEIGHT)
    note = f"The framed row of the map and the histogram are the same: {attends}. "
    note += "Each bar stands under its key."
    caption = note if caption == CAPTION else f"{note} {caption}"
    size = (
        cell * shape[1] + max(style.widest(row_labels, points), _AXIS_ROOM) + BAR_ROOM,
        height + _BELOW_MAP + style.widest(column_labels, points) + 0.6,
    )
    figure = style.new_figure(*size, title or attends, caption)
    above, below = figure.subplots(2, 1, height_ratios=(height, _BELOW_MAP))
    heat_map = HeatMap(weights, row_labels, column_labels, (0.0, darkest_weight(weights)))
    # Cells fill the axes: both panels are equally wide, and each bar stands under its key.
    draw_heat_map(above, heat_map, points=points, cell_aspect="auto")
    frame_cells(above, 1, shape[1], first_row=query)
    add_color_bar(above, WEIGHT, height)
    _draw_bars(below, weights[query])
    below.set(xticks=(), xlim=above.get_xlim())
    return figure


def _draw_bars(axes: Axes, weights: np.ndarray) -> None:
    bars = axes.bar(range(len(weights)), weights, width=0.8, color=BAR_COLOR)
    style.style_axes(axes)
    if len(weights) <= MAX_BARS_WITH_NUMBERS:
        axes.grid(visible=False)
        texts = [f"{weight:.2f}".removeprefix("0") for weight in weights]
        axes.bar_label(bars, texts, padding=2, **style.SMALL)
    axes.set_ylim(0, (weights.max() or 1.0) * 1.12)
    axes.set_ylabel(WEIGHT, **style.QUIET)


def plot_attention_lines(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    *,
    panels: Sequence[Sequence[int]] = (),
    names: Sequence[str] = (),
    title: str = "",
    caption: str = CAPTION,
) -> Figure:
    """Attention of one query in several heads, a panel for each set of heads.

    The weights are (heads, queries, keys); `query` is an index of their rows, and `panels` are
    numbers of heads, counted from one: all of them in one panel if left out. `names` are those of
    the heads, or else their numbers.
    """
    weights = as_weights(weights, row_labels, column_labels)
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    longest = max(len(row_labels), len(column_labels))
    panels = panels or [range(1, len(weights) + 1)]
    names = names or [str(head) for head in range(1, len(weights) + 1)]
    caption = _LINES_CAPTION if caption == CAPTION else f"{_LINES_CAPTION} {caption}"
    squares = max(map(len, panels)) * _SQUARE
    words = style.widest(row_labels, _LABEL_SIZE) + style.widest(column_labels, _LABEL_SIZE)
    width, height = words + _LINES_WIDTH + squares, _ROW_HEIGHT * longest + 0.4
    columns = style.columns_for(len(panels), width + _GAP, MAX_WIDTH)
    rows = math.ceil(len(panels) / columns)
    size = columns * (width + _GAP), rows * (height + _GAP)
    figure = style.new_figure(*size, title, caption, gap=_GAP)
    all_axes = figure.subplots(rows, columns, squeeze=False).flat
    for axes in all_axes[len(panels) :]:
        axes.set_axis_off()
    for axes, heads in zip(all_axes, panels, strict=False):
        axes.set(xlim=(0, (_LINES_WIDTH + squares) / _SQUARE), ylim=(longest - 0.5, -0.5))
        of_heads = {head: names[head - 1] for head in heads}
        _draw_lines(axes, weights[:, query], row_labels, column_labels, query, of_heads)
    return figure


def _draw_lines(
    axes: Axes,
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    heads: Mapping[int, str],
) -> None:
    """Draw two columns of words, and lines of `weights` (heads, keys) between.

    Rows are one unit high, and the squares at the right of the lines one unit wide.
    """
    end = _LINES_WIDTH / _SQUARE
    text = style.text_style(_LABEL_SIZE)
    axes.set_yticks(range(len(row_labels)), list(map(style.printable, row_labels)), **text)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for row, label in enumerate(axes.get_yticklabels()):
        label.set_color(style.INK if row == query else style.QUIET_INK)
    for key, label in enumerate(map(style.printable, column_labels)):
        axes.text(end + len(heads) + 0.4, key, label, ha="left", va="center", **text)
    style.title_panel(axes, f"head{'s' * (len(heads) > 1)} {', '.join(heads.values())}", pad=16)
    for index, (head, name) in enumerate(heads.items()):
        color, x = HEAD_COLORS[(head - 1) % len(HEAD_COLORS)], end + index
        axes.text(x + 0.5, -0.55, name, ha="center", va="bottom", **style.SMALL)
        # Else the line of one head would hide another's.
        shift = (index - (len(heads) - 1) / 2) * _SHIFT / len(heads)
        for key, weight in enumerate(weights[head - 1]):
            line = {"color": color, "linewidth": _THICKEST * weight, "alpha": 0.75}
            axes.plot([0, end - 0.3], [query + shift, key + shift], **line)
            shade = to_rgba(color, math.sqrt(min(weight, 1.0)))  # a weight of 0.1 is seen
            square = {"facecolor": shade, "edgecolor": LINE_COLOR, "linewidth": 0.5}
            axes.add_patch(Rectangle((x, key - 0.4), 1, 0.8, **square))
