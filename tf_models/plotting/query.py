"""What one query attends to: one row of an attention map as a histogram."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting import style
from tf_models.plotting.attention import WEIGHTS, Reading
from tf_models.plotting.heat_map import (
    BAR_ROOM,
    MIN_BAR_HEIGHT,
    add_color_bar,
    darkest_weight,
    draw_heat_map,
    frame_cells,
    label_points,
    square_cell,
)
from tf_models.plotting.words import shortened

BAR_COLOR = "#3f7fb5"
MAX_BARS_WITH_NUMBERS = 16
_NUMBERED_CELL = 0.3  # inches; a number such as .25 fits above a bar of that width
_HISTOGRAM_HEIGHT, _BELOW_MAP = 1.6, 1.2  # inches of bars
_AXIS_ROOM = 0.6  # inches at the left of bars, for numbers and their name


def plot_query_histogram(
    weights_row: np.ndarray,
    labels: Sequence[str],
    query_label: str,
    *,
    title: str = "",
    reading: Reading = WEIGHTS,
) -> Figure:
    """A bar for each key: the weights (keys,) that the query `query_label` gives to `labels`.

    Below stand their sum, which need not be one exactly (an article rounds the weights), and if
    there are few keys the weighted sum of the values that attention returns.
    """
    weights, labels = np.asarray(weights_row, float), shortened(labels)
    numbered = len(labels) <= MAX_BARS_WITH_NUMBERS
    pitch, points = (0.4 if numbered else 0.19), label_points(len(labels))
    sums = f"Sum of the weights: {weights.sum():.2f}."
    if reading != WEIGHTS:
        sums = reading.caption
    elif numbered:
        terms = [f"{w:.2f}·{name}" for w, name in zip(weights, labels, strict=True)]
        sums += f" Weighted sum of the values: {' + '.join(terms)}"
    rotation = 90 if style.widest(labels, points) > pitch - 0.06 else 0
    size = (
        pitch * len(labels) + _AXIS_ROOM,
        _HISTOGRAM_HEIGHT + (style.widest(labels, points) if rotation else 0.2),
    )
    figure = style.new_figure(*size, title or f"what “{query_label}” attends to", sums)
    axes = figure.add_subplot()
    _draw_bars(axes, weights, reading.name)
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
    reading: Reading = WEIGHTS,
) -> Figure:
    """One attention map with the row of one query framed, and below it this row as a histogram.

    The weights are (queries, keys) of one head; `query` is an index of their rows.
    """
    shape = weights.shape
    attends = f"what “{row_labels[query]}” attends to"
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    points = label_points(max(shape))
    cell = _NUMBERED_CELL if shape[1] <= MAX_BARS_WITH_NUMBERS else square_cell(max(shape))
    height = max(cell * shape[0], MIN_BAR_HEIGHT)
    caption = f"The framed row of the map and the histogram are the same: {attends}. "
    caption += "Each bar stands under its key."
    if reading != WEIGHTS:
        caption += f" {reading.caption}"
    size = (
        cell * shape[1] + max(style.widest(row_labels, points), _AXIS_ROOM) + BAR_ROOM,
        height + _BELOW_MAP + style.widest(column_labels, points) + 0.6,
    )
    figure = style.new_figure(*size, title or attends, caption)
    above, below = figure.subplots(2, 1, height_ratios=(height, _BELOW_MAP))
    labels, limits = (row_labels, column_labels), (0.0, darkest_weight(weights))
    # Cells fill the axes: both panels are equally wide, and each bar stands under its key.
    draw_heat_map(above, weights, *labels, limits, points=points, cell_aspect="auto")
    frame_cells(above, 1, shape[1], first_row=query)
    add_color_bar(above, reading.name, height)
    _draw_bars(below, weights[query], reading.name)
    below.set(xticks=(), xlim=above.get_xlim())
    return figure


def _draw_bars(axes: Axes, weights: np.ndarray, name: str) -> None:
    """A bar for each weight; its number above it, if there are few, else lines to compare with."""
    bars = axes.bar(range(len(weights)), weights, width=0.8, color=BAR_COLOR)
    style.style_axes(axes)
    if len(weights) <= MAX_BARS_WITH_NUMBERS:
        axes.grid(visible=False)
        texts = [f"{weight:.2f}".removeprefix("0") for weight in weights]
        axes.bar_label(bars, texts, padding=2, **style.SMALL)
    axes.set_ylim(0, (weights.max() or 1.0) * 1.12)
    axes.set_ylabel(name, **style.QUIET)
