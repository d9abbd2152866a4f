"""Which axis a normalisation goes along: layer normalisation beside batch normalisation."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tf_models.plotting.heat_map import (
    SIGNED_COLOR_MAP,
    HeatMap,
    MapSize,
    draw_heat_maps,
    with_decimals,
)
from tf_models.plotting.lettering import CAPTION_SIZE, INK, QUIET_INK, text_style
from tf_models.plotting.page import fit_page

FEATURES, TOKENS = 1, 0  # axes of (tokens, features)
EPSILON = 1e-6
FRAME_COLOR = "#d55e00"
CAPTION = (
    "Rows are the token vectors of a batch, columns their features; mean and variance of each row "
    "stand at its right, of each column below. Layer normalisation makes the mean of each row 0 "
    "and its variance 1, whatever else is in the batch. Batch normalisation does so with each "
    "column, so a token's numbers depend on all other tokens. (Without the learnt gain and bias.)"
)
_CELL = 0.44  # inches; a number such as -12.50 fits


class _Panel(NamedTuple):
    """A matrix (tokens, features) and, if it is normalised, along which axis."""

    title: str
    values: np.ndarray
    axis: int | None


def normalized(x: np.ndarray, axis: int) -> np.ndarray:
    """(x - mean) / sqrt(variance + epsilon), both along `axis`.

    Over the features of each token it is layer normalisation (Ba et al. 2016, equation 4), over
    the tokens of a batch batch normalisation (Ioffe & Szegedy 2015, algorithm 1).
    """
    mean, variance = x.mean(axis=axis, keepdims=True), x.var(axis=axis, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON)


def plot_normalization(
    x: np.ndarray, tokens: Sequence[str], features: Sequence[str], *, title: str = ""
) -> Figure:
    """Token vectors as they are, after layer normalisation, and after batch normalisation.

    Args:
        x: (tokens, features), few of each: all numbers are written.
        tokens: names of the rows.
        features: names of the columns.
        title: above all.

    Raises:
        ValueError: the names do not fit x.
    """
    if x.shape != (len(tokens), len(features)):
        raise ValueError(
            f"x must be ({len(tokens)} tokens, {len(features)} features); received {x.shape}"
        )
    panels = (
        _Panel("a batch of token vectors", x, None),
        _Panel("layer normalisation", normalized(x, FEATURES), FEATURES),
        _Panel("batch normalisation", normalized(x, TOKENS), TOKENS),
    )
    size = MapSize.of(*x.shape, _CELL)
    limits = -float(np.abs(x).max()), float(np.abs(x).max())
    maps = [
        HeatMap(
            one.values,
            tokens,
            features,
            limits,
            one.title,
            SIGNED_COLOR_MAP,
            with_decimals(one.values),
        )
        for one in panels
    ]
    (row,) = draw_heat_maps(maps, len(maps), label_size=size.label_size, rotation=0)
    for axes, panel in zip(row, panels, strict=True):
        _write_statistics(axes, panel)
    return fit_page(row[0], size.width, size.height, title=title, caption=CAPTION)


def _write_statistics(axes: Axes, panel: _Panel) -> None:
    """Mean and variance of each row at its right, of each column below; the normalised in ink."""
    rows, columns = panel.values.shape
    for axis, count in ((FEATURES, rows), (TOKENS, columns)):
        style = text_style(CAPTION_SIZE, INK if axis == panel.axis else QUIET_INK)
        numbers = (panel.values.mean(axis=axis), panel.values.var(axis=axis))
        for offset, (name, values) in enumerate(zip(("mean", "var."), numbers, strict=True)):
            for i in range(-1, count):
                text = name if i < 0 else f"{values[i]:z.2f}"
                place = (columns + 0.1 + offset, i) if axis == FEATURES else (i, rows + offset)
                axes.text(*_above_cells(place, axis), text, ha="center", va="center", **style)
    if panel.axis is not None:
        _frame_a_group(axes, panel)


def _above_cells(place: tuple[float, float], axis: int) -> tuple[float, float]:
    """The names of the statistics stand close to the cells."""
    column, row = place
    return (column, max(row, -0.8)) if axis == FEATURES else (max(column, -0.9), row)


def _frame_a_group(axes: Axes, panel: _Panel) -> None:
    """A frame around the first numbers that have mean and variance in common."""
    rows, columns = panel.values.shape
    width, height = (columns, 1) if panel.axis == FEATURES else (1, rows)
    frame = {"fill": False, "edgecolor": FRAME_COLOR, "linewidth": 1.8, "clip_on": False}
    axes.add_patch(Rectangle((-0.5, -0.5), width, height, zorder=3, **frame))
