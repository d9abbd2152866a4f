"""Masks as figures: what is blocked, and what masking does to scores before the softmax.

A mask is 1 where a key is blocked and 0 where it may be seen; Keras' own layers have it the other
way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MAX_CELLS_WITH_LINES,
    MAX_CELLS_WITH_NUMBERS,
    ORDERED_COLOR_MAP,
    SIGNED_COLOR_MAP,
    MapSize,
    as_matrix,
    checked,
    darkest_weight,
    draw_heat_map,
    shade_blocked,
    with_decimals,
    write_numbers,
)
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, wrap
from tf_models.plotting.page import (
    MIN_BAR_HEIGHT,
    add_color_bar,
    columns_side_by_side,
    fit_page,
    panel_grid,
)

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


@dataclass(frozen=True)
class _Stage:
    """One of the maps that show masking: values (queries, keys), and how they are coloured."""

    name: str
    values: np.ma.MaskedArray  # masked where a key is blocked
    limits: tuple[float, float]
    color_map: str | Colormap
    blocked: str  # what a blocked cell says


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
    size = MapSize.of(*shapes.max(axis=0), cell)
    cell = size.width / shapes[:, 1].max()
    columns = columns_side_by_side(len(masks), max(size.with_labels(*one[2:])[0] for one in masks))
    grid = np.zeros((-(-len(masks) // columns), columns, 2), int)
    grid.reshape(-1, 2)[: len(masks)] = shapes
    heights, widths = grid[..., 0].max(axis=1), grid[..., 1].max(axis=0)  # in cells
    ratios = {"height_ratios": heights, "width_ratios": widths}
    panels = panel_grid(len(masks), columns, **ratios)
    for axes, one in zip(panels.flat, masks, strict=False):
        draw_heat_map(
            axes,
            *one[1:],
            limits=(0.0, 1.0),
            label_size=size.label_size,
            title=wrap(one.name, PANEL_TITLE_SIZE, cell * one.mask.shape[1]),
            color_map=ListedColormap([_OPEN_COLOR, _BLOCKED_COLOR]),
        )
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
        title: of the figure.

    Raises:
        ValueError: scores that are not finite or of another shape, or what is no mask.
    """
    mask = _checked_mask(mask, row_labels, column_labels)
    scores = checked("scores", scores, mask.shape)
    size = MapSize.of(*scores.shape, _NUMBER_CELL if _has_numbers(scores) else None)
    stages, columns = _stages(scores, mask), 2
    if max(scores.shape) > MAX_CELLS_WITH_LINES:
        stages, columns = stages[1::2], 1
    panels = panel_grid(len(stages), columns)
    height = max(size.height, MIN_BAR_HEIGHT)
    for axes, stage in zip(panels.flat, stages, strict=True):
        image = _draw_stage(axes, stage, row_labels, column_labels, size.label_size)
        if axes in panels[:, -1]:
            label = "score" if axes is panels[0, -1] else "attention weight"
            add_color_bar([axes], image, label, size.width, height)
    return fit_page(panels[0, 0], size.width, height, title=title, caption=_SOFTMAX_CAPTION)


def _stages(scores: np.ndarray, mask: np.ndarray) -> list[_Stage]:
    masked = scores + mask * BLOCKED
    without, after = _softmax(scores), _softmax(masked)
    largest = max(np.abs(scores).max(), 1e-9)
    color_map = SIGNED_COLOR_MAP if _has_numbers(scores) else ORDERED_COLOR_MAP
    signed = {"limits": (-largest, largest), "color_map": color_map, "blocked": "-1e9"}
    darkest = darkest_weight(np.stack([without, after]))
    weights = {"limits": (0.0, darkest), "color_map": COLOR_MAP, "blocked": "0"}
    # Where all keys of a query are blocked its weights are not zero: then they are shown.
    zero = (mask == 1) & (after < 1e-6)
    return [
        _Stage("scores", np.ma.masked_array(scores), **signed),
        _Stage("scores + mask × (-1e9)", np.ma.masked_array(masked, mask), **signed),
        _Stage("softmax without the mask", np.ma.masked_array(without), **weights),
        _Stage("softmax with the mask", np.ma.masked_array(after, zero), **weights),
    ]


def _draw_stage(
    axes: Axes,
    stage: _Stage,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    label_size: float,
) -> AxesImage:
    image = draw_heat_map(
        axes,
        stage.values,
        row_labels,
        column_labels,
        limits=stage.limits,
        label_size=label_size,
        title=stage.name,
        color_map=stage.color_map,
    )
    blocked = np.ma.getmaskarray(stage.values)
    shade_blocked(image, blocked)
    if _has_numbers(stage.values):
        texts = with_decimals(stage.values.data)
        texts[blocked] = stage.blocked
        write_numbers(image, texts)
    return image


def _has_numbers(values: np.ndarray) -> bool:
    """Whether the map is so small that its cells hold numbers."""
    return max(values.shape) <= MAX_CELLS_WITH_NUMBERS


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


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
