"""One look for lines, bars and points, with colours that all eyes tell apart."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    INK,
    QUIET_INK,
    TITLE_SIZE,
    printable,
    text_style,
    wrap,
)
from tf_models.plotting.page import DOTS_PER_INCH

GRID_COLOR = "#e6eaef"
# Okabe and Ito: safe for colour-blind eyes.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
TRAINING_COLOR, VALIDATION_COLOR = COLORS[:2]
_MAX_DECADES = 4  # of a logarithmic axis that has room for 1, 2, 5, 10, 20 …


def figure_for_curves(width: float, height: float, title: str) -> Figure:
    """An empty figure of that many inches whose axes make room for their own labels."""
    figure = Figure((width, height), DOTS_PER_INCH, facecolor="white", layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    if title:
        text = wrap(title, TITLE_SIZE, width - 0.4)
        figure.suptitle(text, x=0.12 / width, ha="left", **text_style(TITLE_SIZE))
    return figure


def style_axes(axes: Axes, *, vertical_lines: bool = False) -> None:
    """Only a base line, and light lines behind the data."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET_INK)
    axes.grid(axis="both" if vertical_lines else "y", color=GRID_COLOR, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(length=0, labelsize=CAPTION_SIZE, labelcolor=INK)


def name_axes(axes: Axes, x_name: str = "", y_name: str = "") -> None:
    """Names below and at the left, in small letters."""
    axes.set_xlabel(printable(x_name), **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_ylabel(printable(y_name), **text_style(CAPTION_SIZE, QUIET_INK))


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

    def tick_values(self, vmin: float, vmax: float) -> Any:
        few = vmin > 0 and abs(np.log10(vmax / vmin)) <= _MAX_DECADES
        self.set_params(subs=(1, 2, 5) if few else (1,))
        return super().tick_values(vmin, vmax)
