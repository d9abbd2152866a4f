"""The six steps of attention for one word, with real numbers: from query, keys and values to z."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import LABEL_PAD, LINE_COLOR, SIGNED_COLOR_MAP
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, printable, text_style, widest
from tf_models.plotting.page import Layout, Page

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
    """Attention of the first word, step by step: a column for each word that it looks at.

    As in The Illustrated Transformer: 1 query, keys and values; 2 scores q · k; 3 divided by
    sqrt(d_k); 4 softmax; 5 values times softmax; 6 their sum, z.

    Args:
        query: of the first word, (depth,).
        keys, values: of all words, (words, depth).
        words: their names.
        title: above all.

    Raises:
        ValueError: shapes that do not fit each other, or numbers that are not finite.
    """
    query, keys, values = (np.asarray(one).astype(np.float64) for one in (query, keys, values))
    _check(query, keys, values, words)
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
    page = Page(_layout(tuple(rows), words, title))
    limit = max(np.abs(one).max() for one in (query, keys, values)) or 1.0
    for row, (name, cells) in enumerate(rows.items()):
        for column, cell in enumerate(cells):
            axes = page.panel(row * len(words) + column)
            _draw_number(axes, cell) if isinstance(cell, str) else _draw_strip(axes, cell, limit)
            axes.set_xticks([])
            axes.set_yticks([0], [name if column == 0 else ""], **text_style(PANEL_TITLE_SIZE))
            axes.tick_params(length=0, pad=72 * LABEL_PAD)
            if row == 0:
                axes.set_title(printable(words[column]), pad=6, **text_style(PANEL_TITLE_SIZE))
    # The query is of the first word alone; above the other columns stand their words.
    for column, word in enumerate(words[1:], start=1):
        axes = page.panel(column)
        axes.set_axis_off()
        axes.set_title(printable(word), pad=6, **text_style(PANEL_TITLE_SIZE))
    return page.figure


def _draw_strip(axes: Axes, vector: np.ndarray, limit: float) -> None:
    colors = {"cmap": SIGNED_COLOR_MAP, "vmin": -limit, "vmax": limit}
    axes.imshow(vector[np.newaxis], aspect="auto", interpolation="nearest", **colors)
    axes.spines[:].set(color=LINE_COLOR, linewidth=0.6)


def _draw_number(axes: Axes, number: str) -> None:
    axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5))
    axes.spines[:].set_visible(False)
    axes.text(0, 0, number, ha="center", va="center", **text_style(_NUMBER_SIZE))


def _layout(names: tuple[str, ...], words: Sequence[str], title: str) -> Layout:
    return Layout(
        rows=len(names),
        columns=len(words),
        panel_width=_WIDTH,
        panel_height=_HEIGHT,
        left=widest(names, PANEL_TITLE_SIZE) + LABEL_PAD,
        top=0.1,
        title=title,
        caption=_CAPTION,
        panel_titles=tuple(words),
        shared_labels=True,
        color_bars=0,
        gap=_GAP,
    )


def _check(query: np.ndarray, keys: np.ndarray, values: np.ndarray, words: Sequence[str]) -> None:
    expected = len(words), *query.shape
    if query.ndim != 1 or not words or {keys.shape, values.shape} != {expected}:
        raise ValueError(
            f"query must be (depth,), keys and values ({len(words)}, depth); "
            f"received shapes {query.shape}, {keys.shape} and {values.shape}"
        )
    if not all(np.isfinite(one).all() for one in (query, keys, values)):
        raise ValueError("query, keys and values must be finite numbers")
