"""The six steps of attention for one word, with real numbers: from query, keys and values to z."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import LABEL_PAD, SIGNED_COLOR_MAP, checked, frame_axes
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, printable, text_style
from tf_models.plotting.page import fit_page, panel_grid

_WIDTH, _HEIGHT, _GAP = 2.6, 0.26, 0.12  # inches of a panel, and between two of them
_NUMBER_SIZE = 11.0
_CAPTION = (
    "Each strip is a vector, a cell for each of its numbers: orange is negative, purple positive, "
    "the darker the larger, in all strips alike. Steps 2 to 4 are single numbers."
)


def plot_six_steps(
    query: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    words: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Attention of the first word, step by step: a column for each word that it attends to.

    As in The Illustrated Transformer: 1 query, keys and values; 2 scores q · k; 3 divided by
    sqrt(d_k); 4 softmax; 5 values times softmax; 6 their sum, z.

    Args:
        query: of the first word, (depth,).
        keys, values: of all words, (words, depth).

    Raises:
        ValueError: shapes that do not fit each other, or numbers that are not finite.
    """
    both = len(words), len(query)
    query = checked("query", query, both[1:])
    keys, values = checked("keys", keys, both), checked("values", values, both)
    scores = keys @ query  # (words,)
    scaled = scores / np.sqrt(len(query))
    weights = np.exp(scaled - scaled.max())
    weights /= weights.sum()
    weighted = weights[:, np.newaxis] * values  # (words, depth)
    rows = {
        "1  query": query[np.newaxis],
        "1  keys": keys,
        "1  values": values,
        "2  score q · k": [f"{score:g}" for score in scores],
        f"3  divided by √{len(query)}": [f"{score:g}" for score in scaled],
        "4  softmax": [f"{weight:.2f}" for weight in weights],
        "5  softmax × value": weighted,
        "6  sum: z": weighted.sum(axis=0, keepdims=True),
    }
    panels = panel_grid(len(rows) * len(words), len(words), gap=_GAP)
    limit = max(np.abs(one).max() for one in (query, keys, values)) or 1.0
    for axes in panels.flat:
        axes.set(xticks=(), yticks=())
        axes.spines[:].set_visible(False)
    for row, (name, cells) in zip(panels, rows.items(), strict=True):
        row[0].set_yticks([0], [name], **text_style(PANEL_TITLE_SIZE))
        row[0].tick_params(length=0, pad=72 * LABEL_PAD)
        for axes, cell in zip(row, cells, strict=False):  # the query is of the first word alone
            _draw_number(axes, cell) if isinstance(cell, str) else _draw_strip(axes, cell, limit)
    for axes, word in zip(panels[0], words, strict=True):
        axes.set_title(printable(word), pad=6, **text_style(PANEL_TITLE_SIZE))
    return fit_page(panels[0, 0], _WIDTH, _HEIGHT, title=title, caption=_CAPTION)


def _draw_strip(axes: Axes, vector: np.ndarray, limit: float) -> None:
    colors = {"cmap": SIGNED_COLOR_MAP, "vmin": -limit, "vmax": limit}
    axes.imshow(vector[np.newaxis], aspect="auto", interpolation="nearest", **colors)
    axes.spines[:].set_visible(True)
    frame_axes(axes)


def _draw_number(axes: Axes, number: str) -> None:
    axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5))
    axes.text(0, 0, number, ha="center", va="center", **text_style(_NUMBER_SIZE))
