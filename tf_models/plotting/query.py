"""Where one query looks: one row of an attention map as a histogram."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    QUIET_INK,
    printable,
    text_style,
    widest,
)
from tf_models.plotting.training_curves import calm_axes, figure_for_curves

BAR_COLOR = "#3f7fb5"
MOST_BARS_WITH_NUMBERS = 16


def plot_query_histogram(
    weights_row: np.ndarray, labels: Sequence[str], query_label: str, *, title: str = ""
) -> Figure:
    """A bar for each key: the weights (keys,) that the query `query_label` gives to `labels`.

    The weights need not sum to one exactly (an article rounds them): their sum is written below.
    """
    weights = _checked_row(weights_row, labels)
    label_size = float(np.interp(len(labels), [10, 36], [8.5, 7.0]))
    numbered = len(labels) <= MOST_BARS_WITH_NUMBERS
    pitch = 0.4 if numbered else 0.19
    upright = widest(labels, label_size) > pitch - 0.06
    figure = figure_for_curves(
        max(3.2, 0.8 + pitch * len(labels)),
        2.5 + (widest(labels, label_size) if upright else 0.1),
        title or f"where “{query_label}” looks",
    )
    axes = figure.subplots()
    _draw_bars(axes, weights, labels, label_size, rotation=90 if upright else 0)
    if numbered:
        _write_weights(axes, weights)
    axes.set_ylabel("attention weight", **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_xlabel(
        f"sum of the weights: {weights.sum():.2f}", **text_style(CAPTION_SIZE, QUIET_INK)
    )
    return figure


def _draw_bars(
    axes: Axes, weights: np.ndarray, labels: Sequence[str], label_size: float, rotation: float
) -> None:
    axes.bar(range(len(labels)), weights, width=0.8, color=BAR_COLOR)
    calm_axes(axes)
    names = [printable(label) for label in labels]
    axes.set_xticks(range(len(labels)), names, rotation=rotation, **text_style(label_size))
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.set_ylim(0, (weights.max() or 1.0) * 1.12)


def _write_weights(axes: Axes, weights: np.ndarray) -> None:
    for column, weight in enumerate(weights):
        axes.annotate(
            f"{weight:.2f}".removeprefix("0"),
            (column, weight),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            **text_style(CAPTION_SIZE),
        )


def _checked_row(weights_row: np.ndarray, labels: Sequence[str]) -> np.ndarray:
    weights = np.asarray(weights_row).astype(np.float64)
    if weights.shape != (len(labels),) or not len(labels):
        raise ValueError(
            f"one weight is needed for each of the {len(labels)} labels; "
            f"received shape {weights.shape}"
        )
    if not np.isfinite(weights).all() or weights.min() < 0:
        raise ValueError(f"weights must be finite and not negative; received {weights.tolist()}")
    return weights
