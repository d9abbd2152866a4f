"""The posterior of two latents as a density of the plane, under the normal that replaces it."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse

from tf_models.plotting.heat_map import COLOR_MAP
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    add_legend,
    printable,
    text_style,
)
from tf_models.plotting.training_curves import figure_for_curves

NORMAL_COLOR = "#d55e00"  # vermilion of Okabe and Ito, beside blue
LINES = {1: "-", 2: "--"}  # of the ellipses, by standard deviations
SIDE = 2.3  # inches of a panel
ROUND = 4  # standard deviations that are shown around the normal's mean, at least


def plot_posteriors(
    densities: np.ndarray,
    points: np.ndarray,
    means: np.ndarray,
    deviations: np.ndarray,
    *,
    names: Sequence[str] = (),
    title: str = "",
) -> Figure:
    """A panel for each image: its posterior in shades, the approximate one as ellipses.

    Each panel shows the neighbourhood of the normal's mean, all of them at the same scale.

    Args:
        densities: p(z | x) on a grid, up to a factor: (images, points, points), z 1 along the rows.
        points: of both axes, evenly spaced.
        means: of q(z | x), (images, 2).
        deviations: its standard deviations, (images, 2).
        names: of the panels.
        title: above all.

    Raises:
        ValueError: the shapes do not fit.
    """
    count = len(densities)
    shapes = [np.shape(array) for array in (densities, means, deviations)]
    if shapes != [(count, len(points), len(points)), (count, 2), (count, 2)]:
        raise ValueError(
            "densities must be (images, points, points), means and deviations (images, 2); "
            f"received {shapes} and {len(points)} points"
        )
    figure = figure_for_curves(SIDE * count + 0.4, SIDE + (0.5 if title else 0.15), title)
    panels = figure.subplots(1, count, squeeze=False)[0]
    reach = ROUND * np.max(deviations)
    for i, axes in enumerate(panels):
        _draw_density(axes, densities[i], points)
        _draw_normal(axes, means[i], deviations[i])
        axes.set(xlim=means[i, 0] + (-reach, reach), ylim=means[i, 1] + (-reach, reach))
        axes.set_title(printable(names[i]) if names else "", **text_style(PANEL_TITLE_SIZE))
        axes.set_xlabel("z 1", **text_style(CAPTION_SIZE, QUIET_INK))
    panels[0].set_ylabel("z 2", **text_style(CAPTION_SIZE, QUIET_INK))
    add_legend(panels[0], panels[0].patches, loc="upper left")
    return figure


def _draw_density(axes: Axes, density: np.ndarray, points: np.ndarray) -> None:
    half = (points[1] - points[0]) / 2
    extent = (points[0] - half, points[-1] + half) * 2
    axes.imshow(density.T, origin="lower", extent=extent, cmap=COLOR_MAP, interpolation="bilinear")
    axes.tick_params(length=0, labelsize=CAPTION_SIZE)
    axes.spines[:].set(color=QUIET_INK, linewidth=0.5)


def _draw_normal(axes: Axes, mean: np.ndarray, deviations: np.ndarray) -> None:
    for times, line in LINES.items():
        width, height = 2 * times * deviations
        label = f"q, {times} sd"
        style = {"fill": False, "edgecolor": NORMAL_COLOR, "linewidth": 1.4, "linestyle": line}
        axes.add_patch(Ellipse(mean, width, height, label=label, **style))
