"""Codes of two numbers as points of a plane."""

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.language import ENGLISH
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    QUIET_INK,
    add_legend,
    printable,
    text_style,
)
from tf_models.plotting.training_curves import calm_axes, figure_for_curves, number_axes

COLORS = "tab10"


def plot_latent_space(
    codes: np.ndarray,
    labels: np.ndarray | None = None,
    *,
    class_name: Callable[[int], str] = str,
    axis_names: tuple[str, str] = ("z 1", "z 2"),
    title: str = "",
    language: str = ENGLISH,
) -> Figure:
    """Draw codes as points, coloured by class.

    Args:
        codes: (images, 2).
        labels: class numbers, (images,).
        class_name: what a class is called.
        axis_names: of the two numbers.
        title: above all.
        language: "en" or "de", of the numbers along the axes; it has no words of its own.
    """
    if codes.ndim != 2 or codes.shape[1] != 2:
        raise ValueError(f"codes must be (images, 2); received {codes.shape}")
    figure = figure_for_curves(5.6, 5.2, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    axes.grid(axis="x", color=axes.get_ygridlines()[0].get_color(), linewidth=0.7)
    points = {"s": 7, "alpha": 0.7, "linewidths": 0}
    if labels is None:
        axes.scatter(*codes.T, color="#0072b2", **points)
    else:
        import matplotlib

        colors = matplotlib.colormaps[COLORS]
        for i, number in enumerate(np.unique(labels)):
            cloud, name = codes[labels == number].T, class_name(number)
            axes.scatter(*cloud, color=colors(i % 10), label=name, **points)
        add_legend(axes, axes.collections, markerscale=2, handletextpad=0.1)
    number_axes(axes, language)
    axes.set_xlabel(printable(axis_names[0]), **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_ylabel(printable(axis_names[1]), **text_style(CAPTION_SIZE, QUIET_INK))
    return figure
