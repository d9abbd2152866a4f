"""Codes of two numbers as points of a plane."""

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.lettering import CAPTION_SIZE, INK, QUIET_INK, text_style
from tf_models.plotting.training_curves import calm_axes, figure_for_curves

COLORS = "tab10"


def plot_latent_space(
    codes: np.ndarray,
    labels: np.ndarray | None = None,
    *,
    axis_names: tuple[str, str] = ("z 1", "z 2"),
    title: str = "",
) -> Figure:
    """Draw codes as points, coloured by class.

    Args:
        codes: (images, 2).
        labels: class numbers, (images,).
        axis_names: of the two numbers.
        title: above all.
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
        for i, label in enumerate(np.unique(labels)):
            axes.scatter(*codes[labels == label].T, color=colors(i % 10), label=label, **points)
        font = text_style(CAPTION_SIZE)["fontproperties"]
        axes.legend(frameon=False, prop=font, labelcolor=INK, markerscale=2, handletextpad=0.1)
    axes.set_xlabel(axis_names[0], **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_ylabel(axis_names[1], **text_style(CAPTION_SIZE, QUIET_INK))
    return figure
