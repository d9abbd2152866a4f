"""Attention with all its numbers: multi-head attention on one page, and six steps for one word."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import softmax

from tf_models.plotting.attention import check_attention
from tf_models.plotting.heat_map import (
    COLOR_MAP,
    LABEL_PAD,
    SIGNED_COLOR_MAP,
    checked,
    darkest_weight,
    frame_axes,
)
from tf_models.plotting.lettering import CAPTION_SIZE, INK, PANEL_TITLE_SIZE, printable, text_style
from tf_models.plotting.page import fit_page, new_page, panel_grid
from tf_models.plotting.words import shortened

_TOKEN_HEIGHT, _MIN_HEIGHT, _PANEL_WIDTH = 0.09, 0.36, 1.2  # inches
_WORD_SIZE, _MAX_WORDS = 5.5, 24
_COLUMNS = 5
_GAP = 0.26
_DARKEST_PERCENT = 99  # of the numbers of a matrix; the few above are drawn as dark as it
_CAPTION = (
    "Each row of a panel is a token, each column a number: orange is negative, purple positive; "
    "weights are blue. Every matrix has colours of its own."
)
_WIDTH, _HEIGHT, _STEPS_GAP = 2.6, 0.26, 0.12  # inches of a panel, and between two of them
_NUMBER_SIZE = 11.0
_STEPS_CAPTION = (
    "Each strip is a vector, a cell for each of its numbers: orange is negative, purple positive, "
    "the darker the larger, in all strips alike. Steps 2 to 4 are single numbers."
)


class MultiHeadStages(NamedTuple):
    """What multi-head attention computes of one sentence, stage by stage.

    x: the tokens, (len, d_model).
    q, k, v: their queries, keys and values in each head, (heads, len, depth).
    weights: softmax(q k^T / sqrt(depth)), (heads, len, len).
    z: weights v, (heads, len, depth).
    concat: the z of all heads side by side, (len, d_model).
    kernel: W^O, (d_model, d_model).
    output: concat W^O, with its bias, (len, d_model).
    """

    x: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    weights: np.ndarray
    z: np.ndarray
    concat: np.ndarray
    kernel: np.ndarray
    output: np.ndarray


def plot_multi_head_attention(
    stages: MultiHeadStages, words: Sequence[str] = (), *, title: str = ""
) -> Figure:
    """The whole of multi-head self-attention: x above, a row for each head, W^O and output below.

    Args:
        stages: of a sentence.
        words: its tokens, which name the rows if there are no more than 24.

    Raises:
        ValueError: shapes that do not fit each other, or weights that are no attention.
    """
    stages = _checked(stages)
    words = shortened(words) if len(words) <= _MAX_WORDS else ()
    heads, length, _ = stages.q.shape
    grid = new_page(gap=_GAP).add_gridspec(heads + 3, _COLUMNS)
    add = grid.figure.add_subplot
    _draw_signed(add(grid[0, 1:]), stages.x, "X", words)
    for head in range(heads):
        row = [add(grid[head + 1, column]) for column in range(_COLUMNS)]
        _draw_head(row, stages, head, words)
    concat = add(grid[heads + 1, 1:])
    _draw_signed(concat, stages.concat, "Z of all heads, concatenated", words)
    edges = np.arange(1, heads) * (stages.concat.shape[1] / heads) - 0.5
    concat.vlines(edges, -0.5, length - 0.5, INK, linewidth=1.0)
    kernel = add(grid[heads + 2, 0])
    _draw_signed(kernel, stages.kernel, "Wᴼ")
    kernel.set_aspect("equal", anchor="NW")
    _draw_signed(add(grid[heads + 2, 1:]), stages.output, "output = Z Wᴼ + b", words)
    height = max(_MIN_HEIGHT, length * _TOKEN_HEIGHT)
    height = height if words else min(height, _PANEL_WIDTH)
    # The square maps are as wide as high, and must not cover their neighbours.
    return fit_page(row[0], max(_PANEL_WIDTH, height), height, title=title, caption=_CAPTION)


def _draw_head(
    row: Sequence[Axes], stages: MultiHeadStages, head: int, words: Sequence[str]
) -> None:
    query, key, weights, value, z = row
    _draw_signed(query, stages.q[head], "Q", words)
    query.set_ylabel(f"head {head + 1}", **text_style(PANEL_TITLE_SIZE))
    _draw_signed(key, stages.k[head], "K")
    limits = 0.0, darkest_weight(stages.weights)
    _draw(weights, stages.weights[head], "weights", COLOR_MAP, limits)
    weights.set_aspect("equal", anchor="NW")
    _draw_signed(value, stages.v[head], "V")
    _draw_signed(z, stages.z[head], "Z")


def _draw_signed(axes: Axes, values: np.ndarray, title: str, words: Sequence[str] = ()) -> None:
    """A matrix, with a token at the left of each row."""
    limit = float(np.percentile(np.abs(values), _DARKEST_PERCENT)) or 1.0
    _draw(axes, values, title, SIGNED_COLOR_MAP, (-limit, limit))
    names = list(map(printable, words))
    axes.set_yticks(range(len(names)), names, va="center", **text_style(_WORD_SIZE))
    axes.tick_params(length=0, pad=2)


def _draw(
    axes: Axes, values: np.ndarray, title: str, color_map: Any, limits: tuple[float, float]
) -> None:
    axes.imshow(values, cmap=color_map, vmin=limits[0], vmax=limits[1], aspect="auto")
    axes.set(xticks=(), yticks=())
    frame_axes(axes)
    rows, columns = values.shape
    text = printable(f"{title} ({rows} × {columns})")
    axes.set_title(text, loc="left", pad=3, **text_style(CAPTION_SIZE))


def _checked(stages: MultiHeadStages) -> MultiHeadStages:
    if np.ndim(stages.q) != 3:
        raise ValueError(f"q must be (heads, len, depth); received shape {np.shape(stages.q)}")
    heads, length, depth = np.shape(stages.q)
    each, whole = (heads, length, depth), (length, heads * depth)
    square = (heads * depth, heads * depth)
    shapes = (whole, each, each, each, (heads, length, length), each, whole, square, whole)
    check_attention(stages.weights, length, length)
    named = zip(MultiHeadStages._fields, stages, shapes, strict=True)
    return MultiHeadStages(*(checked(*one) for one in named))


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
    weights = softmax(scaled)
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
    panels = panel_grid(len(rows) * len(words), len(words), gap=_STEPS_GAP)
    limit = max(np.abs(one).max() for one in (query, keys, values)) or 1.0
    for axes in panels.flat:
        axes.set(xticks=(), yticks=())
        axes.spines[:].set_visible(False)
    for row, (name, cells) in zip(panels, rows.items(), strict=True):
        row[0].set_yticks([0], [name], **text_style(PANEL_TITLE_SIZE))
        row[0].tick_params(length=0, pad=72 * LABEL_PAD)
        for axes, cell in zip(row, cells, strict=False):  # the query is of the first word alone
            if isinstance(cell, str):
                axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5))
                axes.text(0, 0, cell, ha="center", va="center", **text_style(_NUMBER_SIZE))
                continue
            colors = {"cmap": SIGNED_COLOR_MAP, "vmin": -limit, "vmax": limit}
            axes.imshow(cell[np.newaxis], aspect="auto", interpolation="nearest", **colors)
            axes.spines[:].set_visible(True)
            frame_axes(axes)
    for axes, word in zip(panels[0], words, strict=True):
        axes.set_title(printable(word), pad=6, **text_style(PANEL_TITLE_SIZE))
    return fit_page(panels[0, 0], _WIDTH, _HEIGHT, title=title, caption=_STEPS_CAPTION)
