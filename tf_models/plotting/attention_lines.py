"""What one word attends to, as lines in a colour for each head: Tensor2Tensor's picture.

With one or two heads it shows more than maps beside each other do; with all of them the lines are
hard to tell apart, as The Illustrated Transformer finds, too.
"""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tf_models.plotting.attention import WEIGHTS, Reading, check_attention
from tf_models.plotting.heat_map import LINE_COLOR
from tf_models.plotting.lettering import (
    INK,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    printable,
    text_style,
    widest,
)
from tf_models.plotting.page import best_columns, fit_page, panel_grid
from tf_models.plotting.words import shortened

# The page's, in `colors.js`: the first eight differ for eyes that confuse red and green, too.
HEAD_COLORS = (
    *("#0c90fc", "#e43048", "#187800", "#6048fc", "#009cb4"),
    *("#c03060", "#546c90", "#549c90", "#a07a00", "#7a6a55"),
)
_LABEL_SIZE = 8.5
_HEAD_SIZE = 6.0
_ROW_HEIGHT, _LINES_WIDTH, _SQUARE, _PAD = 0.21, 1.0, 0.14, 0.07  # inches
_SHIFT = 0.16  # inches between the first head's line and the last one's
_THICKEST = 4.0  # points: of a line with weight 1
_CAPTION = (
    "From the word at the left to those that it attends to: the thicker a line, the larger the "
    "weight; a colour for each head. The squares below a head's number say the same, the darker "
    "the larger."
)


def plot_attention_lines(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    *,
    panels: Sequence[Sequence[int]] = (),
    title: str = "",
    reading: Reading = WEIGHTS,
) -> Figure:
    """One query's attention in several heads, a panel for each choice of heads.

    Args:
        weights: (heads, queries, keys) of one layer; each row sums to one.
        row_labels: the queries, `column_labels`: the keys.
        query: index of the query among the rows, from zero.
        panels: the heads of each panel, counted from one; all of them in one panel if left out.
        reading: how the numbers are read, if they are not weights.

    Raises:
        ValueError: weights that are no attention, or a query or a head that is not there.
    """
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    shape = len(row_labels), len(column_labels)
    weights = check_attention(weights, *shape, sums=reading.sums)
    if weights.ndim != 3:
        raise ValueError(
            f"weights must be (heads, queries, keys); received shape {np.shape(weights)}"
        )
    panels = panels or [range(1, len(weights) + 1)]
    _check_choice(panels, len(weights), query, len(row_labels))
    weights = weights / max(1.0, weights[:, query].max())  # norms may be larger
    caption = _CAPTION if reading == WEIGHTS else f"{_CAPTION} {reading.caption}"
    titles = [_panel_title(heads) for heads in panels]
    squares = _SQUARE * max(map(len, panels)) + _PAD
    words = widest(row_labels, _LABEL_SIZE) + widest(column_labels, _LABEL_SIZE)
    width = max(words + 3 * _PAD + _LINES_WIDTH + squares, widest(titles, PANEL_TITLE_SIZE))
    height = _ROW_HEIGHT * max(len(row_labels), len(column_labels))
    places = panel_grid(len(panels), best_columns(len(panels), width, height))
    for axes, heads, name in zip(places.flat, panels, titles, strict=False):
        axes.set(xlim=(0, width), ylim=(height, 0))  # in inches
        axes.set(xticks=(), yticks=())
        axes.set_axis_off()
        axes.set_title(name, loc="left", pad=14, **text_style(PANEL_TITLE_SIZE))
        _draw(axes, weights[:, query], row_labels, column_labels, query, heads)
    return fit_page(places[0, 0], width, height, title=title, caption=caption)


def head_color(head: int) -> str:
    """The colour of a head, counted from one."""
    return HEAD_COLORS[(head - 1) % len(HEAD_COLORS)]


def _panel_title(heads: Sequence[int]) -> str:
    names = ", ".join(map(str, heads))
    return f"head {names}" if len(heads) == 1 else f"heads {names}"


def _draw(
    axes: Axes,
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    heads: Sequence[int],
) -> None:
    """Both columns of words, and the lines of `weights` (heads, keys) between them."""
    start = widest(row_labels, _LABEL_SIZE) + _PAD
    end = start + _LINES_WIDTH
    for row, label in enumerate(row_labels):
        style = text_style(_LABEL_SIZE, INK if row == query else QUIET_INK)
        right = {"ha": "right", "va": "center", **style}
        axes.text(start - _PAD, _middle(row), printable(label), **right)
    for column, label in enumerate(column_labels):
        left = {"ha": "left", "va": "center", **text_style(_LABEL_SIZE)}
        axes.text(end + _PAD, _middle(column), printable(label), **left)
    squares = end + 2 * _PAD + widest(column_labels, _LABEL_SIZE)
    for place, head in enumerate(heads):
        color = head_color(head)
        middle = squares + (place + 0.5) * _SQUARE
        axes.text(middle, 0.02, str(head), ha="center", va="bottom", **text_style(_HEAD_SIZE))
        for column, weight in enumerate(weights[head - 1]):
            shift = (place - (len(heads) - 1) / 2) * _SHIFT / len(heads)  # or one head hides others
            ends = [start, end], [_middle(query) + shift, _middle(column) + shift]
            axes.plot(*ends, color=color, linewidth=_THICKEST * weight, alpha=0.75)
            corner = squares + place * _SQUARE, _middle(column) - _SQUARE / 2
            shade = to_rgba(color, math.sqrt(min(weight, 1.0)))  # a weight of 0.1 is seen
            style = {"facecolor": shade, "edgecolor": LINE_COLOR, "linewidth": 0.5}
            axes.add_patch(Rectangle(corner, _SQUARE, _SQUARE, **style))


def _middle(row: int) -> float:
    return (row + 0.5) * _ROW_HEIGHT


def _check_choice(panels: Sequence[Sequence[int]], heads: int, query: int, queries: int) -> None:
    if not 0 <= query < queries:
        raise ValueError(f"query must be from 0 to {queries - 1}; received {query}")
    for chosen in panels:
        if not len(chosen) or not all(1 <= head <= heads for head in chosen):
            raise ValueError(f"heads must be numbers from 1 to {heads}; received {list(chosen)}")
