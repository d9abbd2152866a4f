"""Masks as figures: what is blocked, and what masking does to scores before the softmax.

A mask is 1 where a key is blocked and 0 where it may be seen; Keras' own layers have it the other
way round.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from scipy.special import softmax

from tf_models.plotting import style
from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MAX_CELLS_WITH_LINES,
    MAX_CELLS_WITH_NUMBERS,
    MAX_WIDTH,
    SIGNED_COLOR_MAP,
    HeatMap,
    as_matrix,
    darkest_weight,
    draw_heat_maps,
    label_points,
    with_decimals,
)
from tf_models.plotting.words import shortened

BLOCKED = -1e9  # what a mask of 1 adds to a score
_COLORS = ListedColormap(["#f2f6fa", "#5f7386"])  # open and blocked
_MASK_CAPTION = "Each row is a query. Light: it sees the key above; dark: the key is blocked."
_SOFTMAX_CAPTION = (
    "Each row is a query. Hatched keys are blocked. After the softmax each row sums to one."
)


class LabeledMask(NamedTuple):
    """A mask of zeros and ones, its name, and the labels of its queries (rows) and keys (columns).

    `mask` is (queries, keys), or what NumPy broadcasts to it: a padding mask (1, keys) is the same
    for every query. Leading axes of length one may stand before them, as in (1, 1, 1, keys).
    """

    name: str
    mask: np.ndarray
    row_labels: Sequence[str]
    column_labels: Sequence[str]


def plot_masks(masks: Sequence[LabeledMask], *, title: str = "") -> Figure:
    """Several masks beside each other, dark where a key is blocked; all cells are equally large.

    For a pair of sentences: the padding mask of the encoder (source x source), look-ahead and
    padding combined (target x target), and the padding mask of the decoder (target x source).
    """
    points = label_points(max(max(map(len, one[2:])) for one in masks))
    cell = points * style.LINE_HEIGHT / 72  # as small as labels allow
    maps = [
        HeatMap(
            _broadcast(one.mask, one.row_labels, one.column_labels),
            one.row_labels,
            one.column_labels,
            (0.0, 1.0),
            style.wrap(one.name, style.PANEL_TITLE_SIZE, 0.9 * cell * len(one.column_labels)),
            _COLORS,
        )
        for one in masks
    ]
    cells = sum(len(one.column_labels) for one in masks)
    columns = len(masks) if cell * cells < MAX_WIDTH - 2 else 1
    around: dict[str, Any] = {"title": title, "caption": _MASK_CAPTION}
    return draw_heat_maps(maps, columns, cell=(cell, cell), **around)[0, 0].figure


def plot_masked_softmax(
    scores: np.ndarray,
    mask: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """What a mask does: scores without and with it, and the softmax of both.

    Args:
        scores: QK^T / sqrt(d_k) of one head (queries, keys), before the mask is added.
        mask: 1 is blocked; (queries, keys) or broadcasts to it, as in `LabeledMask`.
        row_labels: the queries, `column_labels`: the keys. Small maps show the numbers; of large
            ones, which would not fit a page, only the two with the mask are drawn.
    """
    labels = shortened(row_labels), shortened(column_labels)
    mask = _broadcast(mask, row_labels, column_labels)
    masked = scores + mask * BLOCKED
    without, after = softmax(scores, axis=-1), softmax(masked, axis=-1)
    largest = max(np.abs(scores).max(), 1e-9)
    scoring = (-largest, largest), SIGNED_COLOR_MAP, "-1e9"
    weighing = (0.0, darkest_weight(np.stack([without, after]))), COLOR_MAP, "0"
    # Where all keys of a query are blocked its weights are not zero: then they are shown.
    blocked, zero = mask == 1, (mask == 1) & (after < 1e-6)
    stages = {
        "scores": (scores, np.zeros_like(blocked), *scoring),
        "scores + mask × (-1e9)": (masked, blocked, *scoring),
        "softmax without the mask": (without, np.zeros_like(blocked), *weighing),
        "softmax with the mask": (after, zero, *weighing),
    }
    count, columns = max(scores.shape), 2
    numbered = count <= MAX_CELLS_WITH_NUMBERS
    if count > MAX_CELLS_WITH_LINES:
        stages, columns = dict(list(stages.items())[1::2]), 1
    maps = []
    for name, (values, hidden, limits, colors, text) in stages.items():
        texts = np.where(hidden, text, with_decimals(values)) if numbered else None
        shown = np.ma.array(values, mask=hidden)
        maps.append(HeatMap(shown, *labels, limits, name, colors, texts))
    around: dict[str, Any] = {
        "title": title,
        "caption": _SOFTMAX_CAPTION,
        "bars": ("score", "attention weight"),
    }
    return draw_heat_maps(maps, columns, **around)[0, 0].figure


def _broadcast(
    mask: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str]
) -> np.ndarray:
    return np.broadcast_to(as_matrix(mask), (len(row_labels), len(column_labels)))
