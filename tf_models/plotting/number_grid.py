"""Grids of numbers: probabilities, confusion, statistics, normalisation."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting import style
from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MAX_CELLS_WITH_NUMBERS,
    MAX_WIDTH,
    SIGNED_COLOR_MAP,
    HeatMap,
    draw_heat_maps,
    frame_cells,
    with_decimals,
)

_PROBABILITIES_CAPTION = (
    "Each row is a probability distribution over the words above, and sums to one."
)
_CONFUSION_CAPTION = (
    "Each row is a right class and shows which classes it was taken for, as shares of it."
)
_STATISTICS_CAPTION = (
    "Entropy: 0 where each query attends to one key, 0.69 where to two alike, ln n where to n. "
    "Diagonality: 1 on the diagonal, 0 where a query attends to all keys alike, negative if it "
    "avoids the diagonal."
)
_NORMALIZATION_CAPTION = (
    "Rows are the token vectors of a batch, columns their features; mean and variance of each row "
    "stand at its right, of each column below. Layer normalisation makes the mean of each row 0 "
    "and its variance 1, whatever else is in the batch. Batch normalisation does so with each "
    "column, so a token's numbers depend on all other tokens. (Without the learnt gain and bias.)"
)
FEATURES, TOKENS = 1, 0  # axes of (tokens, features)
EPSILON = 1e-6
_CELL = 0.52, 0.32  # inches; 0.99 fits, and "head 12" above it
_WIDE_CELL = 0.64, 0.32  # inches; <.001 and student fit


def plot_probabilities(
    distributions: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Grids of probabilities, such as the target and a model's output.

    The distributions are (positions, words), by name; each row sums to one.
    """
    maps = [
        HeatMap(grid, row_labels, column_labels, (0.0, 1.0), title=name, texts=three_decimals(grid))
        for name, grid in distributions.items()
    ]
    columns = style.columns_for(len(maps), _WIDE_CELL[0] * len(column_labels) + 1, MAX_WIDTH)
    if columns < len(maps):  # one below the other: their order stays clear
        columns = 1
    return draw_heat_maps(
        maps, columns, cell=_WIDE_CELL, title=title, caption=_PROBABILITIES_CAPTION
    )


@partial(np.vectorize, otypes=[object])
def three_decimals(share: float) -> str:
    """Text of a probability; one that is too small, but not zero, says so."""
    if share in (0, 1):
        return f"{share:.0f}"
    return "<.001" if share < 0.001 else f"{share:.3f}"


def plot_confusion(counts: np.ndarray, classes: Sequence[str], *, title: str = "") -> Figure:
    """Confusion matrix: right classes as rows, predicted ones as columns.

    Counts (classes, classes) are written if classes are few; colours are shares of a row.
    """
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    few = len(classes) <= MAX_CELLS_WITH_NUMBERS
    texts = counts.astype(int).astype(str) if few else None
    heat_map = HeatMap(shares, classes, classes, (0.0, 1.0), texts=texts)
    bars = ["share of the row"]
    return draw_heat_maps([heat_map], bars=bars, title=title, caption=_CONFUSION_CAPTION)


def plot_head_statistics(
    entropy: np.ndarray, diagonality: np.ndarray, *, title: str = ""
) -> Figure:
    """Entropy and diagonality of all heads as grids, the first layer on top.

    Both are (layers, heads): entropy in nats; diagonality 1 on the diagonal, 0 if uniform. Early
    layers are said to be blurred and later ones concentrated; each layer's mean is at the left.
    """
    columns = [f"head {head + 1}" for head in range(entropy.shape[1])]
    scales = {
        "entropy (nats)": (entropy, (0.0, max(entropy.max(), 1e-9)), COLOR_MAP),
        "diagonality": (diagonality, (-1.0, 1.0), SIGNED_COLOR_MAP),
    }
    maps = []
    for name, (values, limits, colors) in scales.items():
        rows = [f"layer {i + 1}, mean {mean:z.2f}" for i, mean in enumerate(values.mean(axis=1))]
        heat_map = HeatMap(
            values, rows, columns, limits, title=name, color_map=colors, texts=with_decimals(values)
        )
        maps.append(heat_map)
    return draw_heat_maps(maps, 1, cell=_CELL, title=title, caption=_STATISTICS_CAPTION)


def normalized(x: np.ndarray, axis: int) -> np.ndarray:
    """Normalise over `axis`: (x - mean) / sqrt(variance + epsilon).

    Over the features of each token it is layer normalisation (Ba et al. 2016, equation 4), over
    the tokens of a batch batch normalisation (Ioffe & Szegedy 2015, algorithm 1).
    """
    mean, variance = x.mean(axis=axis, keepdims=True), x.var(axis=axis, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON)


def plot_normalization(
    x: np.ndarray, tokens: Sequence[str], features: Sequence[str], *, title: str = ""
) -> Figure:
    """Token vectors before and after layer and batch normalisation.

    `x` is (tokens, features); few of each, for all numbers are written.
    """
    largest = float(np.abs(x).max())
    stages = {
        "a batch of token vectors": x,
        "layer normalisation": normalized(x, FEATURES),
        "batch normalisation": normalized(x, TOKENS),
    }
    row_labels = [*tokens, "mean", "var."]
    column_labels = [*features, "mean", "var."]
    maps = []
    for name, values in stages.items():
        rows = np.stack([values.mean(axis=1), values.var(axis=1)], axis=1)  # (tokens, 2)
        columns = np.stack([values.mean(axis=0), values.var(axis=0)])  # (2, features)
        numbers = np.block([[values, rows], [columns, np.full((2, 2), np.nan)]])
        heat_map = HeatMap(
            np.pad(values, (0, 2), constant_values=np.nan),
            row_labels,
            column_labels,
            limits=(-largest, largest),
            title=name,
            color_map=SIGNED_COLOR_MAP,
            texts=np.where(np.isnan(numbers), "", with_decimals(numbers)),
        )
        maps.append(heat_map)
    figure = draw_heat_maps(maps, 3, title=title, caption=_NORMALIZATION_CAPTION)
    _, by_token, by_feature = figure.axes
    # Frame the first numbers that are normalised by the same mean and variance.
    frame_cells(by_token, 1, x.shape[1])
    frame_cells(by_feature, len(x), 1)
    return figure
