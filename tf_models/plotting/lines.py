"""A few lines in one panel: what more minutes, numbers or labels bring."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

from tf_models.plotting.language import ENGLISH
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    QUIET_INK,
    add_legend_above,
    printable,
    text_style,
)
from tf_models.plotting.training_curves import (
    calm_axes,
    figure_for_curves,
    number_axes,
    number_log_axis,
)

# Okabe and Ito: safe for colour-blind eyes.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
STYLES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))  # told apart in grey print
MOST_WITH_MARKERS = 12
NONE = MappingProxyType({})


def plot_lines(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    axis_names: tuple[str, str],
    ranges: Mapping[str, tuple[Sequence[float], Sequence[float]]] = NONE,
    marks: Sequence[float] = (),
    scales: tuple[str, str] = ("linear", "linear"),
    title: str = "",
    diagonal: bool = False,
    language: str = ENGLISH,
) -> Figure:
    """A line for each label.

    Args:
        lines: by label, x and y of the points; above 0 where the scale is logarithmic.
        axis_names: what x and y are.
        ranges: by label, lowest and highest y of a band behind the line, at each x.
        marks: x with a number on the axis; Matplotlib's choice if left out.
        scales: of x and of y, "linear" or "log".
        title: above all.
        diagonal: whether to draw y = x, dashed.
        language: "en" or "de", of the numbers along the axes; it has no words of its own.
    """
    figure = figure_for_curves(6.5, 3.6, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    axes.grid(axis="x", color=axes.get_ygridlines()[0].get_color(), linewidth=0.7)
    drawn = []
    for i, (label, (x, y)) in enumerate(lines.items()):
        marker = "o" if len(x) <= MOST_WITH_MARKERS else None  # one point alone would be no line
        color = COLORS[i % len(COLORS)]
        style = {"color": color, "linestyle": STYLES[i % len(STYLES)], "linewidth": 1.8}
        drawn += axes.plot(x, y, marker=marker, markersize=4, label=label, **style)
        if label in ranges:
            axes.fill_between(x, *ranges[label], color=color, alpha=0.15, linewidth=0)
    if diagonal:
        axes.axline((0, 0), slope=1, color=QUIET_INK, linewidth=0.8, linestyle=(0, (4, 4)))
    _scale(axes, scales, marks)
    number_axes(axes, language)
    for name, set_label in zip(axis_names, (axes.set_xlabel, axes.set_ylabel), strict=True):
        set_label(printable(name), **text_style(CAPTION_SIZE, QUIET_INK))
    add_legend_above(axes, drawn)
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
