"""Lines and bars: training curves, and histograms of sentence lengths."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting import style

STYLES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))  # told apart in grey print
MAX_POINTS_WITH_MARKERS = 12
Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]
NONE: Lines = MappingProxyType({})
METRICS = {  # metric -> its name on an axis
    "loss": "loss",
    "accuracy": "accuracy",
    "bleu": "BLEU",
    "reconstruction": "reconstruction (nats)",
    "kl": "KL (nats)",
}


def plot_lines(lines: Lines, *, title: str = "", **options: Any) -> Figure:
    """Figure with a line for each label; the options go to `draw_lines`."""
    figure = style.new_figure(6.5, 3.6, title)
    draw_lines(figure.add_subplot(), lines, **options)
    return figure


def draw_lines(
    axes: Axes,
    lines: Lines,
    axis_names: tuple[str, str],
    ranges: Lines = NONE,
    marks: Sequence[float] = (),
    scales: tuple[str, str] = ("linear", "linear"),
    diagonal: bool = False,
    equal: bool = False,
) -> None:
    """Draw a line for each label.

    Args:
        lines: x and y of the points by label; they are above 0 where the scale is logarithmic.
        axis_names: names of x and y.
        ranges: lowest and highest y of a band behind the line, at each x, by label.
        marks: x values with a tick and number; by default Matplotlib chooses.
        scales: scales of x and of y, "linear" or "log".
        diagonal: True if x and y are shares; then y = x is drawn dashed.
        equal: True if x and y have the same unit; then a circle is round.
    """
    style.style_axes(axes, vertical_lines=True)
    artists: list[Any] = []
    for i, (label, (x, y)) in enumerate(lines.items()):
        marker = "o" if len(x) <= MAX_POINTS_WITH_MARKERS else None  # one point would be no line
        color = style.COLORS[i % len(style.COLORS)]
        look = {"color": color, "linestyle": STYLES[i % len(STYLES)], "linewidth": 1.8}
        plotted = axes.plot(x, y, marker=marker, markersize=4, label=label, **look)
        artists += plotted if len(x) else []
        if label in ranges:
            axes.fill_between(x, *ranges[label], color=color, alpha=0.15, linewidth=0)
    if diagonal:
        dashed = {"color": style.QUIET_INK, "linewidth": 0.8, "linestyle": (0, (4, 4))}
        axes.plot([0, 1], [0, 1], **dashed)
    if scales[0] == "log":
        axes.set_xscale("log")
        style.number_log_axis(axes.xaxis)
    if scales[1] == "log":
        axes.set_yscale("log")
        style.number_log_axis(axes.yaxis)
    if equal:
        axes.set_aspect("equal", adjustable="datalim")
    if marks:
        axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
        axes.set_xticks([], minor=True)
    style.name_axes(axes, *axis_names)
    style.add_legend_above(axes, artists)


def plot_lengths(
    source: Sequence[int],
    target: Sequence[int],
    *,
    limits: tuple[int, int] | None = None,
    title: str = "sentence lengths",
) -> Figure:
    """Histogram of sentence lengths in tokens, source beside target.

    `limits`, the most tokens of a source and of a target that are kept, are drawn as lines.
    """
    figure = style.new_figure(6.5, 3.1, title)
    axes = figure.add_subplot()
    style.style_axes(axes)
    edges = np.arange(0.5, max(*source, *target) + 1)
    look = {"color": style.COLORS[:2], "label": ("source", "target")}
    _, _, bars = axes.hist([source, target], bins=edges, **look)
    for limit, color in zip(limits or (), style.COLORS, strict=False):
        axes.axvline(limit + 0.5, color=color, linestyle=":", linewidth=1.2)
    style.name_axes(axes, "tokens, start and end included", "sentences")
    style.add_legend(axes, [first for first, *_ in bars])  # a histogram labels its first bar
    return figure


def plot_training_curves(
    history: Mapping[str, Sequence[float]], *, title: str = "training"
) -> Figure:
    """Training and validation curves of `METRICS`, a panel for each metric.

    `history` holds a list with one number an epoch under "loss", "val_loss", "accuracy" …; missing
    metrics are not drawn, other keys are ignored, and NaN is a gap.
    """
    metrics = [name for name in METRICS if name in history or f"val_{name}" in history]
    figure = style.new_figure(3.9 * len(metrics) + 0.3, 3.1, title)
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    for axes, metric in zip(panels, metrics, strict=True):
        curves = {
            "training": history.get(metric, ()),
            "validation": history.get(f"val_{metric}", ()),
        }
        lines = {name: (range(1, len(curve) + 1), curve) for name, curve in curves.items()}
        draw_lines(axes, lines, ("epoch", METRICS[metric]))
        axes.xaxis.set_major_locator(
            MaxNLocator(8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
        )
    return figure
