"""Which axis a normalisation goes along: layer normalisation beside batch normalisation."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    SIGNED_COLOR_MAP,
    HeatMap,
    MapSize,
    draw_heat_maps,
    frame_cells,
    with_decimals,
)
from tf_models.plotting.lettering import CAPTION_SIZE, INK, QUIET_INK, text_style
from tf_models.plotting.page import fit_page

FEATURES, TOKENS = 1, 0  # axes of (tokens, features)
EPSILON = 1e-6
CAPTION = (
    "Rows are the token vectors of a batch, columns their features; mean and variance of each row "
    "stand at its right, of each column below. Layer normalisation makes the mean of each row 0 "
    "and its variance 1, whatever else is in the batch. Batch normalisation does so with each "
    "column, so a token's numbers depend on all other tokens. (Without the learnt gain and bias.)"
)
_CELL = 0.44  # inches; a number such as -12.50 fits


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

    Raises:
        ValueError: the names do not fit x.
    """
    if x.shape != (len(tokens), len(features)):
        raise ValueError(
            f"x must be ({len(tokens)} tokens, {len(features)} features); received {x.shape}"
        )
    panels = {
        "a batch of token vectors": None,
        "layer normalisation": FEATURES,
        "batch normalisation": TOKENS,
    }
    limits = -float(np.abs(x).max()), float(np.abs(x).max())
    matrices = [x if axis is None else normalized(x, axis) for axis in panels.values()]
    maps = [
        HeatMap(one, tokens, features, limits, name, SIGNED_COLOR_MAP, with_decimals(one))
        for name, one in zip(panels, matrices, strict=True)
    ]
    size = MapSize.of(*x.shape, _CELL)
    (row,) = draw_heat_maps(maps, len(maps), label_size=size.label_size, rotation=0)
    for axes, values, axis in zip(row, matrices, panels.values(), strict=True):
        _write_statistics(axes, values, axis)
        if axis is not None:  # the first numbers that have mean and variance in common
            rows, columns = values.shape
            frame_cells(axes, *((1, columns) if axis == FEATURES else (rows, 1)))
    return fit_page(row[0], size.width, size.height, title=title, caption=CAPTION)


def _write_statistics(axes: Axes, values: np.ndarray, normalized_axis: int | None) -> None:
    """Mean and variance of each row at its right, of each column below; the normalised in ink."""
    rows, columns = values.shape

    def write(x: float, y: float, text: str, axis: int) -> None:
        style = text_style(CAPTION_SIZE, INK if axis == normalized_axis else QUIET_INK)
        axes.text(x, y, text, ha="center", va="center", **style)

    for offset, (name, measure) in enumerate((("mean", np.mean), ("var.", np.var))):
        right, below = columns + 0.1 + offset, rows + offset
        write(right, -0.8, name, FEATURES)
        for row, number in enumerate(measure(values, axis=FEATURES)):
            write(right, row, f"{number:z.2f}", FEATURES)
        write(-0.9, below, name, TOKENS)
        for column, number in enumerate(measure(values, axis=TOKENS)):
            write(column, below, f"{number:z.2f}", TOKENS)
