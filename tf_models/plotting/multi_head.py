"""All of multi-head attention on one page: what goes in, every head, and what comes out."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.attention import check_attention
from tf_models.plotting.heat_map import COLOR_MAP, LINE_COLOR, SIGNED_COLOR_MAP, darkest_weight
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    INK,
    PANEL_TITLE_SIZE,
    printable,
    text_style,
)
from tf_models.plotting.page import Layout, Page

_TOKEN_HEIGHT, _LOWEST, _PANEL_WIDTH = 0.055, 0.36, 1.2  # inches
_COLUMNS = 5
_GAP = 0.26
_LIGHTEST_PERCENT = 99  # of the numbers of a matrix; the few above are drawn as dark as it
_CAPTION = (
    "Each row of a panel is a token, each column a number: orange is negative, purple positive; "
    "weights are blue. Every matrix has colours of its own."
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


def plot_multi_head_attention(stages: MultiHeadStages, *, title: str = "") -> Figure:
    """The whole of multi-head self-attention: x above, a row for each head, W^O and output below.

    Raises:
        ValueError: shapes that do not fit each other, or weights that are no attention.
    """
    stages = _checked(stages)
    heads, length, _ = stages.q.shape
    page = Page(_layout(heads, length, title))
    _draw_wide(page, 0, stages.x, "X")
    for head in range(heads):
        _draw_head(page, stages, head)
    _draw_wide(page, heads + 1, stages.concat, "Z of all heads, concatenated", parts=heads)
    last = (heads + 2) * _COLUMNS
    square = page.panel(last, width=page.layout.panel_height)
    _draw_signed(square, stages.kernel, "W^O")
    _draw_wide(page, heads + 2, stages.output, "output = Z W^O + b")
    return page.figure


def _draw_head(page: Page, stages: MultiHeadStages, head: int) -> None:
    first, name = (head + 1) * _COLUMNS, head + 1
    for column, letter, values in ((0, "Q", stages.q), (1, "K", stages.k), (3, "V", stages.v)):
        _draw_signed(page.panel(first + column), values[head], f"{letter}, head {name}")
    axes = page.panel(first + 2, width=page.layout.panel_height)
    darkest = darkest_weight(stages.weights)
    _draw(axes, stages.weights[head], f"weights, head {name}", COLOR_MAP, (0.0, darkest))
    _draw_signed(page.panel(first + 4), stages.z[head], f"Z, head {name}")


def _draw_wide(page: Page, row: int, values: np.ndarray, title: str, parts: int = 1) -> None:
    """Over all columns but the first, with a line between `parts`."""
    layout = page.layout
    width = layout.panels_right - layout.panel_left(1)
    axes = page.panel(row * _COLUMNS + 1, width=width)
    _draw_signed(axes, values, title)
    edges = np.arange(1, parts) * (values.shape[1] / parts) - 0.5
    axes.vlines(edges, -0.5, len(values) - 0.5, INK, linewidth=1.0)


def _draw_signed(axes: Axes, values: np.ndarray, title: str) -> None:
    limit = float(np.percentile(np.abs(values), _LIGHTEST_PERCENT)) or 1.0
    _draw(axes, values, title, SIGNED_COLOR_MAP, (-limit, limit))


def _draw(
    axes: Axes, values: np.ndarray, title: str, color_map: str, limits: tuple[float, float]
) -> None:
    axes.imshow(values, cmap=color_map, vmin=limits[0], vmax=limits[1], aspect="auto")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set(color=LINE_COLOR, linewidth=0.6)
    rows, columns = values.shape
    text = printable(f"{title} ({rows} × {columns})")
    axes.set_title(text, loc="left", pad=3, **text_style(CAPTION_SIZE))


def _layout(heads: int, length: int, title: str) -> Layout:
    return Layout(
        rows=heads + 3,
        columns=_COLUMNS,
        panel_width=_PANEL_WIDTH,
        # The square maps are as wide as high, and must not cover their neighbours.
        panel_height=min(max(_LOWEST, length * _TOKEN_HEIGHT), _PANEL_WIDTH),
        left=0.0,
        top=PANEL_TITLE_SIZE / 72,
        title=title,
        caption=_CAPTION,
        shared_labels=True,
        color_bars=0,
        gap=_GAP,
    )


def _checked(stages: MultiHeadStages) -> MultiHeadStages:
    stages = MultiHeadStages(*(np.asarray(values).astype(np.float64) for values in stages))
    if stages.q.ndim != 3:
        raise ValueError(f"q must be (heads, len, depth); received shape {stages.q.shape}")
    heads, length, depth = stages.q.shape
    width = heads * depth
    expected = MultiHeadStages(
        x=(length, width),
        q=(heads, length, depth),
        k=(heads, length, depth),
        v=(heads, length, depth),
        weights=(heads, length, length),
        z=(heads, length, depth),
        concat=(length, width),
        kernel=(width, width),
        output=(length, width),
    )
    for name, values, shape in zip(MultiHeadStages._fields, stages, expected, strict=True):
        if values.shape != shape:
            raise ValueError(f"{name} must be {shape}; received shape {values.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name} holds numbers that are not finite")
    check_attention(stages.weights, length, length)
    return stages
