"""The curves of a training run."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting.lettering import PANEL_TITLE_SIZE, add_legend, text_style
from tf_models.plotting.style import (
    TRAINING_COLOR,
    VALIDATION_COLOR,
    figure_for_curves,
    name_axes,
    number_log_axis,
    style_axes,
)

STEEP = 5  # a curve that begins so many times above its median gets a logarithmic axis
METRICS = {  # and what they are called
    "loss": "loss",
    "accuracy": "accuracy",
    "bleu": "BLEU",
    "reconstruction": "reconstruction (nats)",
    "kl": "KL (nats)",
}


def plot_training_curves(
    history: Mapping[str, Sequence[float]], *, title: str = "training"
) -> Figure:
    """`METRICS` over the epochs, training and validation of each in the same panel.

    `history` holds a list with one number an epoch under "loss", "val_loss", "accuracy" …; what it
    lacks is not drawn, other keys are left alone, and NaN is a gap. Where the first epoch would
    press the others flat, the axis is logarithmic.
    """
    metrics = [name for name in METRICS if name in history or f"val_{name}" in history]
    if not metrics:
        raise ValueError(f"history must hold loss or accuracy; received {sorted(history)}")
    figure = figure_for_curves(3.9 * len(metrics) + 0.3, 3.1, title)
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    for axes, metric in zip(panels, metrics, strict=True):
        curves = history.get(metric, ()), history.get(f"val_{metric}", ())
        _draw_panel(axes, METRICS[metric], *curves)
    return figure


def _draw_panel(
    axes: Axes, name: str, training: Sequence[float], validation: Sequence[float]
) -> None:
    style_axes(axes)
    _draw_curve(axes, training, "training", TRAINING_COLOR)
    _draw_curve(axes, validation, "validation", VALIDATION_COLOR)
    axes.set_xlim(0.5, max(len(training), len(validation)) + 0.5)
    if _is_steep(training, validation):
        axes.set_yscale("log")
        number_log_axis(axes.yaxis)
    axes.set_title(name, loc="left", **text_style(PANEL_TITLE_SIZE))
    name_axes(axes, "epoch")
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10], integer=True))
    add_legend(axes, axes.lines, handlelength=1.4)


def _is_steep(*curves: Sequence[float]) -> bool:
    """Whether the first epoch would press all others flat; logarithms need positive values."""
    values = np.concatenate(curves)
    if not (values > 0).all():  # nor is NaN
        return False
    return max(curve[0] for curve in curves if len(curve)) > STEEP * np.median(values)


def _draw_curve(axes: Axes, values: Sequence[float], name: str, color: str) -> None:
    if not len(values):
        return
    epochs = np.arange(1, len(values) + 1)
    marker = "o" if len(values) <= 12 else None  # a single epoch would be no line
    axes.plot(epochs, values, color=color, linewidth=1.6, marker=marker, markersize=3.5, label=name)
