"""Masks as figures: what is blocked, and what masking does to scores before the softmax."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MOST_CELLS_WITH_NUMBERS,
    MapSize,
    draw_heat_map,
    write_numbers,
)
from tf_models.plotting.page import Layout, Page

BLOCKED = -1e9  # what a mask of 1 adds to a score
_OPEN_COLOR, _BLOCKED_COLOR, _EMPTY_COLOR = "#f2f6fa", "#5f7386", "#c9d0d8"
_NUMBER_CELL = 0.38  # inches; a number such as -12.50 fits


@dataclass(frozen=True)
class _Stage:
    """One of the maps that show masking: values (queries, keys), and how they are coloured."""

    name: str
    values: np.ndarray
    limits: tuple[float, float]
    color_map: str
    blocked: str  # what a blocked cell says


def plot_mask(
    mask: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str], title: str = ""
) -> Figure:
    """A mask of zeros and ones; dark cells are blocked.

    `mask` is (queries, keys), or what NumPy broadcasts to it: a padding mask (1, keys) is the same
    for every query.
    """
    mask = _checked_mask(mask, row_labels, column_labels)
    size = MapSize.for_labels(row_labels, column_labels)
    caption = "Each row is a query. Light: it sees the key above; dark: the key is blocked."
    page = _page(size, ("",), title, caption)
    draw_heat_map(
        page.panel(0),
        mask,
        row_labels,
        column_labels,
        limits=(0.0, 1.0),
        label_size=size.label_size,
        color_map=ListedColormap([_OPEN_COLOR, _BLOCKED_COLOR]),
    )
    return page.figure


def plot_masked_softmax(
    scores: np.ndarray,
    mask: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    title: str = "",
) -> Figure:
    """What a mask does: scores (queries, keys), softmax without the mask, and softmax with it.

    `mask` (1 is blocked) is (queries, keys) or broadcasts to it. Small maps show the numbers.
    """
    mask = _checked_mask(mask, row_labels, column_labels)
    scores = _checked_scores(scores, mask)
    stages = _stages(scores, mask)
    cell = _NUMBER_CELL if max(scores.shape) <= MOST_CELLS_WITH_NUMBERS else None
    size = MapSize.for_labels(row_labels, column_labels, cell)
    caption = "Each row is a query. Grey keys are blocked; after the softmax each row sums to one."
    page = _page(size, tuple(stage.name for stage in stages), title, caption)
    for index, stage in enumerate(stages):
        _draw_stage(page.panel(index), stage, row_labels, column_labels)
    return page.figure


def _stages(scores: np.ndarray, mask: np.ndarray) -> list[_Stage]:
    masked = scores + mask * BLOCKED
    largest = 1.6 * max(np.abs(scores).max(), 1e-9)  # pale enough for numbers on them
    signed = {"limits": (-largest, largest), "color_map": "PuOr", "blocked": "-1e9"}
    weights = {"limits": (0.0, 1.0), "color_map": COLOR_MAP, "blocked": "0"}
    after = _softmax(masked)
    # Where all keys of a query are blocked its weights are not zero: then they are shown.
    after = np.ma.masked_where((mask == 1) & (after < 1e-6), after)
    return [
        _Stage("scores", scores, **signed),
        _Stage("scores + mask × (-1e9)", np.ma.masked_array(masked, mask), **signed),
        _Stage("softmax without the mask", _softmax(scores), **weights),
        _Stage("softmax with the mask", after, **weights),
    ]


def _page(size: MapSize, panel_titles: tuple[str, ...], title: str, caption: str) -> Page:
    columns = min(2, len(panel_titles))
    return Page(
        Layout(
            rows=len(panel_titles) // columns,
            columns=columns,
            panel_width=size.width,
            panel_height=size.height,
            left=size.left,
            top=size.top,
            title=title,
            caption=caption,
            panel_titles=panel_titles,
            color_bars=0,
        )
    )


def _draw_stage(
    axes: Axes, stage: _Stage, row_labels: Sequence[str], column_labels: Sequence[str]
) -> None:
    draw_heat_map(
        axes,
        stage.values,
        row_labels,
        column_labels,
        limits=stage.limits,
        label_size=MapSize.for_labels(row_labels, column_labels).label_size,
        title=stage.name,
        color_map=colormaps[stage.color_map].with_extremes(bad=_EMPTY_COLOR),
    )
    if max(stage.values.shape) <= MOST_CELLS_WITH_NUMBERS:
        numbers = np.ma.getdata(stage.values)
        texts = np.vectorize("{:z.2f}".format, otypes=[object])(numbers)
        texts[np.ma.getmaskarray(stage.values)] = stage.blocked
        write_numbers(axes, texts, (numbers > 0.6) & (stage.color_map == COLOR_MAP))


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _checked_mask(
    mask: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str]
) -> np.ndarray:
    shape = (len(row_labels), len(column_labels))
    mask = np.asarray(mask).astype(np.float64)
    if not np.isin(mask, (0, 1)).all():
        raise ValueError(f"a mask holds 0 and 1 only; received {np.unique(mask)[:5].tolist()}")
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"the mask must fit {shape[0]} query and {shape[1]} key labels; "
            f"received shape {mask.shape}"
        ) from None


def _checked_scores(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    scores = np.asarray(scores).astype(np.float64)
    if scores.shape != mask.shape or not np.isfinite(scores).all():
        raise ValueError(
            f"scores must be finite numbers of shape {mask.shape}; received shape {scores.shape}"
        )
    return scores
