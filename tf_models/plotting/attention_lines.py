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

from tf_models.plotting import style
from tf_models.plotting.attention import WEIGHTS, Reading
from tf_models.plotting.heat_map import LINE_COLOR, MAX_WIDTH
from tf_models.plotting.words import shortened

# The page's, in `colors.js`: the first eight differ for eyes that confuse red and green, too.
HEAD_COLORS = (
    *("#0c90fc", "#e43048", "#187800", "#6048fc", "#009cb4"),
    *("#c03060", "#546c90", "#549c90", "#a07a00", "#7a6a55"),
)
_LABEL_SIZE = 8.5  # points
_ROW_HEIGHT, _LINES_WIDTH, _SQUARE, _GAP = 0.21, 1.1, 0.16, 0.28  # inches; a gap between panels
_SHIFT = 0.8  # rows between the first head's line and the last one's
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

    The weights are (heads, queries, keys) of one layer; `query` is an index of their rows, and
    `panels` are numbers of heads, counted from one: all of them in one panel if left out.
    """
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    longest = max(len(row_labels), len(column_labels))
    panels = panels or [range(1, len(weights) + 1)]
    weights = weights / max(1.0, weights[:, query].max())  # norms may be larger
    caption = _CAPTION if reading == WEIGHTS else f"{_CAPTION} {reading.caption}"
    squares = max(map(len, panels)) * _SQUARE
    words = style.widest(row_labels, _LABEL_SIZE) + style.widest(column_labels, _LABEL_SIZE)
    width, height = words + _LINES_WIDTH + squares, _ROW_HEIGHT * longest + 0.4
    columns = style.columns_for(len(panels), width + _GAP, MAX_WIDTH)
    rows = math.ceil(len(panels) / columns)
    size = columns * (width + _GAP), rows * (height + _GAP)
    figure = style.new_figure(*size, title, caption, gap=_GAP)
    places = figure.subplots(rows, columns, squeeze=False).flat
    for axes in places[len(panels) :]:
        axes.set_axis_off()
    for axes, heads in zip(places, panels, strict=False):
        axes.set(xlim=(0, (_LINES_WIDTH + squares) / _SQUARE), ylim=(longest - 0.5, -0.5))
        _draw(axes, weights[:, query], row_labels, column_labels, query, heads)
    return figure


def _draw(
    axes: Axes,
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    query: int,
    heads: Sequence[int],
) -> None:
    """Both columns of words, and the lines of `weights` (heads, keys) between them.

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
    style.title_panel(axes, f"head{'s' * (len(heads) > 1)} {', '.join(map(str, heads))}", pad=16)
    for place, head in enumerate(heads):
        color, x = HEAD_COLORS[(head - 1) % len(HEAD_COLORS)], end + place
        axes.text(x + 0.5, -0.55, str(head), ha="center", va="bottom", **style.SMALL)
        shift = (place - (len(heads) - 1) / 2) * _SHIFT / len(heads)  # or one head hides others
        for key, weight in enumerate(weights[head - 1]):
            line = {"color": color, "linewidth": _THICKEST * weight, "alpha": 0.75}
            axes.plot([0, end - 0.3], [query + shift, key + shift], **line)
            shade = to_rgba(color, math.sqrt(min(weight, 1.0)))  # a weight of 0.1 is seen
            square = {"facecolor": shade, "edgecolor": LINE_COLOR, "linewidth": 0.5}
            axes.add_patch(Rectangle((x, key - 0.4), 1, 0.8, **square))
