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

from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MAX_CELLS_WITH_LINES,
    MAX_CELLS_WITH_NUMBERS,
    SIGNED_COLOR_MAP,
    HeatMap,
    MapSize,
    as_matrix,
    checked,
    darkest_weight,
    draw_heat_maps,
    with_decimals,
)
from tf_models.plotting.lettering import CAPTION_SIZE, PANEL_TITLE_SIZE, wrap
from tf_models.plotting.page import MIN_BAR_HEIGHT, add_color_bar, columns_side_by_side, fit_page
from tf_models.plotting.words import shortened

BLOCKED = -1e9  # what a mask of 1 adds to a score
_OPEN_COLOR, _BLOCKED_COLOR = "#f2f6fa", "#5f7386"
_NUMBER_CELL = 0.38  # inches; a number such as -12.50 fits
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

    Raises:
        ValueError: no masks, other values than 0 and 1, or a shape that does not fit the labels.
    """
    if not masks:
        raise ValueError("there must be one mask or more to draw; received none")
    masks = [one._replace(mask=_checked_mask(*one[1:])) for one in masks]
    shapes = np.array([one.mask.shape for one in masks])  # (masks, rows and columns)
    # Beside each other, cells are as small as labels allow.
    cell = None if len(masks) == 1 else 0.0
    rows, keys = shapes.max(axis=0)
    size = MapSize.of(rows, keys, cell)
    cell = size.width / shapes[:, 1].max()
    columns = columns_side_by_side(len(masks), max(size.with_labels(*one[2:])[0] for one in masks))
    grid = np.zeros((-(-len(masks) // columns), columns, 2), int)
    grid.reshape(-1, 2)[: len(masks)] = shapes
    heights, widths = grid[..., 0].max(axis=1), grid[..., 1].max(axis=0)  # in cells
    drawn = [
        HeatMap(
            one.mask,
            one.row_labels,
            one.column_labels,
            (0.0, 1.0),
            wrap(one.name, PANEL_TITLE_SIZE, cell * one.mask.shape[1]),
            ListedColormap([_OPEN_COLOR, _BLOCKED_COLOR]),
        )
        for one in masks
    ]
    ratios = {"height_ratios": heights, "width_ratios": widths}
    panels = draw_heat_maps(drawn, columns, ratios=ratios, label_size=size.label_size)
    first = widths[0] * cell, heights[0] * cell
    return fit_page(panels[0, 0], *first, title=title, caption=_MASK_CAPTION)


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

    Raises:
        ValueError: scores that are not finite or of another shape, or what is no mask.
    """
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    mask = _checked_mask(mask, row_labels, column_labels)
    scores = checked("scores", scores, mask.shape)
    numbered = max(scores.shape) <= MAX_CELLS_WITH_NUMBERS
    size = MapSize.of(len(scores), scores.shape[1], _NUMBER_CELL if numbered else None)
    stages, columns = _stages(scores, mask, (row_labels, column_labels), numbered), 2
    if max(scores.shape) > MAX_CELLS_WITH_LINES:
        stages, columns = stages[1::2], 1
    style: dict[str, Any] = {"label_size": size.label_size, "number_size": CAPTION_SIZE}
    above, below = draw_heat_maps(stages, columns, **style)
    height = max(size.height, MIN_BAR_HEIGHT)
    add_color_bar(above[-1:], "score", size.width, height)
    add_color_bar(below[-1:], "attention weight", size.width, height)
    return fit_page(above[0], size.width, height, title=title, caption=_SOFTMAX_CAPTION)


def _stages(
    scores: np.ndarray,
    mask: np.ndarray,
    labels: tuple[Sequence[str], Sequence[str]],
    numbered: bool,
) -> list[HeatMap]:
    """Scores and weights, each without and with the mask; all are (queries, keys)."""
    masked = scores + mask * BLOCKED
    without, after = softmax(scores, axis=-1), softmax(masked, axis=-1)
    largest = max(np.abs(scores).max(), 1e-9)
    scoring = "-1e9", (-largest, largest), SIGNED_COLOR_MAP
    weighing = "0", (0.0, darkest_weight(np.stack([without, after]))), COLOR_MAP

    def stage(
        title: str,
        values: np.ndarray,
        blocked: np.ndarray | None,
        blocked_text: str,
        limits: tuple[float, float],
        color_map: Any,
    ) -> HeatMap:
        texts = np.where(blocked, blocked_text, with_decimals(values)) if numbered else None
        return HeatMap(np.ma.array(values, mask=blocked), *labels, limits, title, color_map, texts)

    nothing = np.zeros_like(mask, bool)
    # Where all keys of a query are blocked its weights are not zero: then they are shown.
    zero = (mask == 1) & (after < 1e-6)
    return [
        stage("scores", scores, nothing, *scoring),
        stage("scores + mask × (-1e9)", masked, mask == 1, *scoring),
        stage("softmax without the mask", without, nothing, *weighing),
        stage("softmax with the mask", after, zero, *weighing),
    ]


def _checked_mask(
    mask: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str]
) -> np.ndarray:
    shape = (len(row_labels), len(column_labels))
    mask = as_matrix(mask)
    if not np.isin(mask, (0, 1)).all():
        raise ValueError(f"a mask holds 0 and 1 only; received {np.unique(mask)[:5].tolist()}")
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"the mask must fit {shape[0]} query and {shape[1]} key labels; "
            f"received shape {mask.shape}"
        ) from None
