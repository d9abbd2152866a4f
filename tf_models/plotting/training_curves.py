"""Lines and bars over a calm background, and the curves of a training run."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from tf_models.plotting.language import (
    ENGLISH,
    check_language,
    in_language,
    written_number,
)
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    INK,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    TITLE_SIZE,
    add_legend,
    printable,
    text_style,
    wrap,
)
from tf_models.plotting.page import DOTS_PER_INCH

GRID_COLOR = "#e6eaef"
TRAINING_COLOR, VALIDATION_COLOR = "#0072b2", "#d55e00"  # Okabe and Ito: safe for colour-blind eyes
SPIKE_COLOR = INK
MOST_DECADES = 4  # of a logarithmic axis that has room for 1, 2, 5, 10, 20 …
STEEP = 5  # a curve that begins so many times above its median gets a logarithmic axis
METRICS = {  # and what they are called
    "loss": "loss",
    "accuracy": "accuracy",
    "bleu": "BLEU",
    "reconstruction": "reconstruction (nats)",
    "kl": "KL (nats)",
}


def figure_for_curves(width: float, height: float, title: str) -> Figure:
    """An empty figure of that many inches whose axes make room for their own labels."""
    figure = Figure((width, height), DOTS_PER_INCH, facecolor="white", layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    if title:
        text = wrap(printable(title), TITLE_SIZE, width - 0.4)
        figure.suptitle(text, x=0.12 / width, ha="left", **text_style(TITLE_SIZE))
    return figure


def calm_axes(axes: Axes) -> None:
    """Only a base line and light horizontal lines behind the data."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET_INK)
    axes.grid(axis="y", color=GRID_COLOR, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(length=0, labelsize=CAPTION_SIZE, labelcolor=INK)


def number_log_axis(axis: Axis) -> None:
    """Plain numbers along an axis that is logarithmic already."""
    axis.set_major_locator(_NumbersOfDecades(numticks=9))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())
    axis.set_tick_params(which="minor", length=0)


class _NumbersOfDecades(LogLocator):
    """1, 2, 5, 10 … over few decades, for one alone has a single power of 10; else powers of 10.

    A LogLocator that shall mark 2 and 5 marks nothing at all where there are many decades.
    """

    def tick_values(self, vmin, vmax):
        few = vmin > 0 and abs(np.log10(vmax / vmin)) <= MOST_DECADES
        self.set_params(subs=(1, 2, 5) if few else (1,))
        return super().tick_values(vmin, vmax)


class NumbersInLanguage(Formatter):
    """The numbers that another formatter writes along an axis, as a language writes them."""

    def __init__(self, formatter: Formatter, language: str):
        self._formatter, self._language = formatter, language

    def __call__(self, x, pos=None):
        return written_number(self._formatter(x, pos), self._language)

    def set_axis(self, axis):
        super().set_axis(axis)
        self._formatter.set_axis(axis)

    def set_locs(self, locs):
        super().set_locs(locs)
        self._formatter.set_locs(locs)

    def get_offset(self):
        return self._formatter.get_offset()


def number_axes(axes: Axes, language: str) -> None:
    """Numbers along both axes as a language writes them; the last that is done to them."""
    check_language(language)
    if language == ENGLISH:
        return
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(NumbersInLanguage(axis.get_major_formatter(), language))


def plot_training_curves(
    history: Mapping[str, Sequence[float]],
    *,
    spikes: Sequence[int] = (),
    title: str | None = None,
    language: str = ENGLISH,
) -> Figure:
    """`METRICS` over the epochs, training and validation of each in the same panel.

    `history` holds a list with one number an epoch under "loss", "val_loss", "accuracy" …; what it
    lacks is not drawn, other keys are left alone, and NaN is a gap. Where the first epoch would
    press the others flat, the axis is logarithmic. A triangle marks the training loss of the epochs
    `spikes`, counted from 1. The title is "training" if left out, in the language ("en" or "de") of
    the other words.
    """
    title = in_language("training", language) if title is None else title
    metrics = [name for name in METRICS if name in history or f"val_{name}" in history]
    if not metrics:
        raise ValueError(f"history must hold loss or accuracy; received {sorted(history)}")
    figure = figure_for_curves(3.9 * len(metrics) + 0.3, 3.1, title)
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    for axes, metric in zip(panels, metrics, strict=True):
        curves = history.get(metric, ()), history.get(f"val_{metric}", ())
        marked = spikes if metric == "loss" else ()
        _draw_panel(axes, METRICS[metric], *curves, marked, language)
    return figure


def _draw_panel(
    axes: Axes,
    name: str,
    training: Sequence[float],
    validation: Sequence[float],
    spikes: Sequence[int],
    language: str,
) -> None:
    calm_axes(axes)
    _draw_curve(axes, training, in_language("training", language), TRAINING_COLOR)
    _draw_curve(axes, validation, in_language("validation", language), VALIDATION_COLOR)
    _mark_spikes(axes, training, spikes, in_language("spike", language))
    axes.set_xlim(0.5, max(len(training), len(validation)) + 0.5)
    if _is_steep(training, validation):
        axes.set_yscale("log")
        number_log_axis(axes.yaxis)
    _name_axes(axes, in_language(name, language), in_language("epoch", language))
    number_axes(axes, language)


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


def _mark_spikes(axes: Axes, losses: Sequence[float], epochs: Sequence[int], name: str) -> None:
    if not len(epochs):
        return
    heights = [losses[epoch - 1] for epoch in epochs]
    axes.plot(epochs, heights, "v", color=SPIKE_COLOR, markersize=8, zorder=3, label=name)


def _name_axes(axes: Axes, title: str, x_name: str) -> None:
    axes.set_title(title, loc="left", **text_style(PANEL_TITLE_SIZE))
    axes.set_xlabel(x_name, **text_style(CAPTION_SIZE, QUIET_INK))
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10], integer=True))
    add_legend(axes, axes.lines, handlelength=1.4)
