"""One figure of several training runs: what each minute of training brings."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

from tf_models.plotting.lettering import CAPTION_SIZE, INK, QUIET_INK, text_style
from tf_models.plotting.training_curves import calm_axes, figure_for_curves

# Okabe and Ito: safe for colour-blind eyes.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def plot_runs(
    runs: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    marks: Sequence[float] = (),
    metric: str = "BLEU",
    title: str = "",
) -> Figure:
    """A line for each run over the minutes of training, which are spaced logarithmically.

    Args:
        runs: by label, minutes at the end of each epoch (above 0) and the values there.
        marks: minutes with a number on the axis.
        metric: what the values are.
    """
    figure = figure_for_curves(6.5, 3.6, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    for i, (label, (minutes, values)) in enumerate(runs.items()):
        color = COLORS[i % len(COLORS)]
        # One epoch alone would be no line.
        marker = "o" if len(values) == 1 else None
        axes.plot(minutes, values, color=color, linewidth=1.8, marker=marker, label=label)
    axes.set_xscale("log")
    if marks:
        axes.xaxis.set_major_locator(FixedLocator(list(marks)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.grid(axis="x", color=axes.get_ygridlines()[0].get_color(), linewidth=0.7)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("minutes of training", **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_ylabel(metric, **text_style(CAPTION_SIZE, QUIET_INK))
    font = text_style(CAPTION_SIZE)["fontproperties"]
    axes.legend(frameon=False, prop=font, labelcolor=INK, loc="lower right")
    return figure
