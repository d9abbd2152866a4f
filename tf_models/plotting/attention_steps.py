"""Attention step by step: in all heads, and in six steps for one word."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import softmax

from tf_models.plotting import style
from tf_models.plotting.heat_map import SIGNED_COLOR_MAP, HeatMap, darkest_weight, draw_heat_map
from tf_models.plotting.style import shortened

_TOKEN_HEIGHT, _MIN_HEIGHT, _PANEL_WIDTH, _GAP = 0.115, 0.4, 1.2, 0.26  # inches
_WORD_SIZE = 7.0  # points
_MAX_WORDS = 24  # most words that label rows
_COLUMNS = 5
_DARKEST_PERCENT = 99  # percentile of a matrix that is drawn darkest; larger numbers look the same
_CAPTION = (
    "Each row of a panel is a token, each column a number: orange is negative, purple positive; "
    "weights are blue. Every matrix has colours of its own."
)
_WIDTH, _HEIGHT = 2.6, 0.26  # inches of a panel of a step
_STEPS_GAP = 0.12  # inches between two of these
_NUMBER_SIZE = 11.0  # points
_STEPS_CAPTION = (
    "Each strip is a vector, a cell for each of its numbers: orange is negative, purple positive, "
    "the darker the larger, in all strips alike. Steps 2 to 4 are single numbers."
)


class MultiHeadStages(NamedTuple):
    """Arrays of multi-head self-attention for one sentence, stage by stage."""

    x: np.ndarray  # the tokens, (len, d_model)
    q: np.ndarray  # their queries in each head, (heads, len, depth)
    k: np.ndarray  # keys, (heads, len, depth)
    v: np.ndarray  # values, (heads, len, depth)
    weights: np.ndarray  # softmax(q k^T / sqrt(depth)), (heads, len, len)
    z: np.ndarray  # weights v, (heads, len, depth)
    concat: np.ndarray  # the z of all heads side by side, (len, d_model)
    kernel: np.ndarray  # W^O, (d_model, d_model)
    output: np.ndarray  # concat W^O, with its bias, (len, d_model)


def plot_multi_head_attention(
    stages: MultiHeadStages, words: Sequence[str] = (), *, title: str = ""
) -> Figure:
    """Multi-head self-attention from top to bottom: x, heads, W^O and output.

    Each head has a row of panels. The tokens, `words`, label the rows if there are at most 24.
    """
    words = shortened(words) if len(words) <= _MAX_WORDS else ()
    heads, length, _ = stages.q.shape
    height = max(_MIN_HEIGHT, length * _TOKEN_HEIGHT)
    height = height if words else min(height, _PANEL_WIDTH)
    left = style.widest(words, _WORD_SIZE)
    figure = style.new_figure(
        _COLUMNS * (max(_PANEL_WIDTH, height) + _GAP) + 2 * left + 0.3,
        (heads + 3) * (height + _GAP + 0.16),
        title,
        _CAPTION,
        gap=_GAP,
    )
    grid = figure.add_gridspec(heads + 3, _COLUMNS)
    add = figure.add_subplot
    _draw_signed(add(grid[0, 1:]), stages.x, "X", words)
    name = f"weights ({length} × {length})"
    limits = 0.0, darkest_weight(stages.weights)
    for head in range(heads):
        query, key, weights, value, z = (add(grid[head + 1, i]) for i in range(_COLUMNS))
        query.set_ylabel(f"head {head + 1}", **style.PANEL_TITLE)
        _draw_signed(query, stages.q[head], "Q", words)
        _draw_signed(key, stages.k[head], "K")
        draw_heat_map(weights, HeatMap(stages.weights[head], (), (), limits, title=name))
        _draw_signed(value, stages.v[head], "V")
        _draw_signed(z, stages.z[head], "Z")
    concat = add(grid[heads + 1, 1:])
    _draw_signed(concat, stages.concat, "Z of all heads, concatenated", words)
    edges = np.arange(1, heads) * (stages.concat.shape[1] / heads) - 0.5
    concat.vlines(edges, -0.5, length - 0.5, style.INK, linewidth=1.0)
    kernel = add(grid[heads + 2, 0])
    _draw_signed(kernel, stages.kernel, "Wᴼ")
    kernel.set_aspect("equal", anchor="NW")
    _draw_signed(add(grid[heads + 2, 1:]), stages.output, "output = Z Wᴼ + b", words)
    return figure


def _draw_signed(axes: Axes, values: np.ndarray, title: str, words: Sequence[str] = ()) -> None:
    limit = float(np.percentile(np.abs(values), _DARKEST_PERCENT)) or 1.0
    name = f"{title} ({values.shape[0]} × {values.shape[1]})"
    limits = -limit, limit
    signed = HeatMap(values, words, (), limits, title=name, color_map=SIGNED_COLOR_MAP)
    draw_heat_map(axes, signed, points=_WORD_SIZE, cell_aspect="auto")


def plot_six_steps(
    query: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    words: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Attention of the first word in six steps, a column for each word.

    As in The Illustrated Transformer: 1 query (depth,), keys and values (words, depth); 2 scores
    q · k; 3 divided by sqrt(d_k); 4 softmax; 5 values times softmax; 6 their sum, z.
    """
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
    figure = style.new_figure(
        (_WIDTH + _STEPS_GAP) * len(words) + style.widest(rows, style.PANEL_TITLE_SIZE),
        (_HEIGHT + _STEPS_GAP) * len(rows) + 0.3,
        title,
        _STEPS_CAPTION,
        gap=_STEPS_GAP,
    )
    panels = figure.subplots(len(rows), len(words), squeeze=False)
    limit = max(np.abs(array).max() for array in (query, keys, values)) or 1.0
    for axes in panels.flat:
        axes.set(xticks=(), yticks=())
        axes.spines[:].set_visible(False)
    for row, (name, cells) in zip(panels, rows.items(), strict=True):
        for axes, cell in zip(row, cells, strict=False):  # query and sum are of the first word
            if isinstance(cell, str):
                axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5))
                axes.text(0, 0, cell, ha="center", va="center", **style.text_style(_NUMBER_SIZE))
                continue
            axes.spines[:].set_visible(True)
            strip = HeatMap(cell[np.newaxis], (), (), (-limit, limit), color_map=SIGNED_COLOR_MAP)
            draw_heat_map(axes, strip, cell_aspect="auto")
        row[0].set_yticks([0], [name], **style.PANEL_TITLE)
        row[0].tick_params(length=0)
    for axes, word in zip(panels[0], words, strict=True):
        axes.set_title(style.printable(word), pad=6, **style.PANEL_TITLE)
    return figure
