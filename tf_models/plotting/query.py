"""What one query attends to: one row of an attention map as a histogram."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.attention import WEIGHTS, Reading, check_attention
from tf_models.plotting.heat_map import (
    HeatMap,
    MapSize,
    checked,
    darkest_weight,
    draw_heat_map,
    frame_cells,
)
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    QUIET_INK,
    printable,
    text_style,
    widest,
    within,
)
from tf_models.plotting.page import add_color_bar, fit_page, panel_grid
from tf_models.plotting.style import style_axes
from tf_models.plotting.words import shortened

BAR_COLOR = "#3f7fb5"
MAX_BARS_WITH_NUMBERS = 16
_NUMBERED_CELL = 0.3  # inches; a number such as .25 fits above a bar of that width
_HISTOGRAM_HEIGHT, _HEIGHT_BELOW_MAP, _GAP = 1.6, 1.3, 0.2  # inches


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

    Raises:
        ValueError: not one weight for each label, or weights that are negative or not finite.
    """
    weights, labels = checked("weights", weights_row, (len(labels),)), shortened(labels)
    if weights.min() < 0:
        raise ValueError(f"weights must not be negative; received {weights.tolist()}")
    label_size = float(np.interp(len(labels), [10, 36], [8.5, 7.0]))
    numbered = len(labels) <= MAX_BARS_WITH_NUMBERS
    pitch = 0.4 if numbered else 0.19
    ((axes,),) = panel_grid(1, 1)
    _draw_bars(axes, weights, reading.name)
    names = list(map(printable, labels))
    rotation = 90 if widest(labels, label_size) > pitch - 0.06 else 0
    axes.set_xticks(range(len(labels)), names, rotation=rotation, **text_style(label_size))
    axes.set_xlim(-0.6, len(labels) - 0.4)
    sums = f"Sum of the weights: {weights.sum():.2f}."
    if reading != WEIGHTS:
        sums = reading.caption
    elif numbered:
        terms = [
            f"{weight:.2f}·{within(name)}" for weight, name in zip(weights, names, strict=True)
        ]
        sums += f" Weighted sum of the values: {' + '.join(terms)}"
    width = max(2.4, pitch * len(labels))
    title = title or f"what “{within(query_label)}” attends to"
    return fit_page(axes, width, _HISTOGRAM_HEIGHT, title=title, caption=sums)


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

    Args:
        weights: (queries, keys) of one head; each row sums to one.
        row_labels: the queries, `column_labels`: the keys.
        query: index of the query among the rows, from zero.
        title: of the figure, such as "encoder self-attention, layer 4, head 2".
        reading: how the numbers are read, if they are not weights.

    Raises:
        ValueError: weights that are no attention, or a query that is not there.
    """
    shape = len(row_labels), len(column_labels)
    weights = check_attention(weights, *shape, sums=reading.sums)
    if not 0 <= query < len(weights):
        raise ValueError(f"query must be from 0 to {len(weights) - 1}; received {query}")
    attends = f"what “{within(row_labels[query])}” attends to"
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    cell = _NUMBERED_CELL if len(column_labels) <= MAX_BARS_WITH_NUMBERS else None
    size = MapSize.of(len(weights), weights.shape[1], cell)
    ratios = {"height_ratios": (size.height, _HEIGHT_BELOW_MAP)}
    above, below = panel_grid(2, 1, gap=_GAP, **ratios)[:, 0]
    shown = HeatMap(weights, row_labels, column_labels, (0.0, darkest_weight(weights)))
    draw_heat_map(above, shown, label_size=size.label_size)
    frame_cells(above, 1, len(column_labels), first_row=query)
    _draw_bars(below, weights[query], reading.name)
    below.set_xticks([])
    below.set_xlim(above.get_xlim())  # each bar stands under its key
    add_color_bar([above], reading.name, size.width, size.height)
    caption = f"The framed row of the map and the histogram are the same: {attends}. "
    caption += "Each bar stands under its key."
    if reading != WEIGHTS:
        caption += f" {reading.caption}"
    return fit_page(above, size.width, size.height, title=title or attends, caption=caption)


def _draw_bars(axes: Axes, weights: np.ndarray, name: str) -> None:
    """A bar for each weight; its number above it, if there are few, else lines to compare with."""
    bars = axes.bar(range(len(weights)), weights, width=0.8, color=BAR_COLOR)
    style_axes(axes)
    if len(weights) <= MAX_BARS_WITH_NUMBERS:
        axes.grid(visible=False)
        texts = [f"{weight:.2f}".removeprefix("0") for weight in weights]
        axes.bar_label(bars, texts, padding=2, **text_style(CAPTION_SIZE))
    axes.set_ylim(0, (weights.max() or 1.0) * 1.12)
    axes.set_ylabel(name, **text_style(CAPTION_SIZE, QUIET_INK))
