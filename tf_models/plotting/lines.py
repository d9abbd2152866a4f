"""Lines and bars: the curves of a training, what more minutes bring, how long sentences are."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, StrMethodFormatter

from tf_models.plotting.lettering import (
    PANEL_TITLE_SIZE,
    QUIET_INK,
    add_legend,
    add_legend_above,
    text_style,
)
from tf_models.plotting.style import (
    COLORS,
    TRAINING_COLOR,
    VALIDATION_COLOR,
    figure_for_curves,
    name_axes,
    number_log_axis,
    style_axes,
)

STYLES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))  # told apart in grey print
MAX_POINTS_WITH_MARKERS = 12
NONE: Mapping = MappingProxyType({})
STEEP = 5  # a curve that begins so many times above its median gets a logarithmic axis
METRICS = {  # and what they are called
    "loss": "loss",
    "accuracy": "accuracy",
    "bleu": "BLEU",
    "reconstruction": "reconstruction (nats)",
    "kl": "KL (nats)",
}


def plot_lines(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    axis_names: tuple[str, str],
    ranges: Mapping[str, tuple[Sequence[float], Sequence[float]]] = NONE,
    marks: Sequence[float] = (),
    scales: tuple[str, str] = ("linear", "linear"),
    title: str = "",
    diagonal: bool = False,
) -> Figure:
    """A line for each label.

    Args:
        lines: by label, x and y of the points; above 0 where the scale is logarithmic.
        axis_names: what x and y are.
        ranges: by label, lowest and highest y of a band behind the line, at each x.
        marks: x with a number on the axis; Matplotlib's choice if left out.
        scales: of x and of y, "linear" or "log".
        diagonal: whether x and y are shares, with y = x dashed.
    """
    figure = figure_for_curves(6.5, 3.6, title)
    draw_lines(figure.add_subplot(), lines, axis_names, ranges, marks, scales, diagonal)
    return figure


def draw_lines(
    axes: Axes,
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    axis_names: tuple[str, str],
    ranges: Mapping[str, tuple[Sequence[float], Sequence[float]]] = NONE,
    marks: Sequence[float] = (),
    scales: tuple[str, str] = ("linear", "linear"),
    diagonal: bool = False,
) -> None:
    """What `plot_lines` draws, on axes of a larger figure."""
    style_axes(axes, vertical_lines=True)
    drawn = []
    for i, (label, (x, y)) in enumerate(lines.items()):
        marker = "o" if len(x) <= MAX_POINTS_WITH_MARKERS else None  # one point would be no line
        color = COLORS[i % len(COLORS)]
        style = {"color": color, "linestyle": STYLES[i % len(STYLES)], "linewidth": 1.8}
        drawn += axes.plot(x, y, marker=marker, markersize=4, label=label, **style)
        if label in ranges:
            axes.fill_between(x, *ranges[label], color=color, alpha=0.15, linewidth=0)
    if diagonal:
        dashed = {"color": QUIET_INK, "linewidth": 0.8, "linestyle": (0, (4, 4))}
        axes.plot([0, 1], [0, 1], **dashed)
    _scale(axes, scales, marks)
    name_axes(axes, *axis_names)
    add_legend_above(axes, drawn)


def plot_lengths(
    source: Sequence[int],
    target: Sequence[int],
    *,
    limits: tuple[int, int] | None = None,
    title: str = "sentence lengths",
) -> Figure:
    """Histogram of the numbers of tokens of each sentence, source and target side by side.

    The limits, most tokens of a source and a target that are kept, are drawn as lines.
    """
    figure = figure_for_curves(6.5, 3.1, title)
    axes = figure.add_subplot()
    style_axes(axes)
    edges = np.arange(0.5, max(*source, *target) + 1)
    colors, names = (TRAINING_COLOR, VALIDATION_COLOR), ("source", "target")
    _, _, bars = axes.hist([source, target], bins=edges, color=colors, label=names)
    for limit, color in zip(limits or (), colors, strict=False):
        axes.axvline(limit + 0.5, color=color, linestyle=":", linewidth=1.2)
    name_axes(axes, "tokens, start and end included", "sentences")
    add_legend(axes, [first for first, *_ in bars])  # a histogram labels its first bar
    return figure


def _scale(axes: Axes, scales: tuple[str, str], marks: Sequence[float]) -> None:
    for scale, set_scale, axis in zip(
        scales, (axes.set_xscale, axes.set_yscale), (axes.xaxis, axes.yaxis), strict=True
    ):
        if scale == "log":
            set_scale("log")
            number_log_axis(axis)
    if marks:
        axes.xaxis.set_major_locator(FixedLocator(list(marks)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())


def plot_training_curves(
    history: Mapping[str, Sequence[float]], *, title: str = "training"
) -> Figure:
    """`METRICS` over the epochs, training and validation of each in the same panel.

    `history` holds a list with one number an epoch under "loss", "val_loss", "accuracy" …; what it
    lacks is not drawn, other keys are left alone, and NaN is a gap. Where the first epoch would
    press the others flat, the axis is logarithmic. Raises ValueError: none of `METRICS` is there.
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
    values = np.concatenate([training, validation])
    first = max(curve[0] for curve in (training, validation) if len(curve))
    # Logarithms need positive values; NaN is none.
    if (values > 0).all() and first > STEEP * np.median(values):
        axes.set_yscale("log")
        number_log_axis(axes.yaxis)
    axes.set_title(name, loc="left", **text_style(PANEL_TITLE_SIZE))
    name_axes(axes, "epoch")
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10], integer=True))
    add_legend(axes, axes.lines, handlelength=1.4)


def _draw_curve(axes: Axes, values: Sequence[float], name: str, color: str) -> None:
    if not len(values):
        return
    epochs = np.arange(1, len(values) + 1)
    marker = "o" if len(values) <= 12 else None  # a single epoch would be no line
    axes.plot(epochs, values, color=color, linewidth=1.6, marker=marker, markersize=3.5, label=name)
