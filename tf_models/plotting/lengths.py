"""How long the sentences of a corpus are."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.lettering import CAPTION_SIZE, QUIET_INK, add_legend, text_style
from tf_models.plotting.training_curves import (
    TRAINING_COLOR,
    VALIDATION_COLOR,
    calm_axes,
    figure_for_curves,
)


def plot_lengths(
    source: Sequence[int],
    target: Sequence[int],
    *,
    limits: tuple[int, int] | None = None,
    title: str = "sentence lengths",
) -> Figure:
    """Histogram of the numbers of tokens, source and target side by side.

    Args:
        source, target: tokens of each sentence.
        limits: longest source and target that are kept; drawn as lines.
    """
    figure = figure_for_curves(6.5, 3.1, title)
    axes = figure.add_subplot()
    calm_axes(axes)
    longest = max(*source, *target)
    edges = np.arange(0.5, longest + 1)
    colors = TRAINING_COLOR, VALIDATION_COLOR
    names = "source", "target"
    _, _, bars = axes.hist([source, target], bins=edges, color=colors, label=names)
    for limit, color in zip(limits or (), colors, strict=False):
        axes.axvline(limit + 0.5, color=color, linestyle=":", linewidth=1.2)
    axes.set_xlabel("tokens, start and end included", **text_style(CAPTION_SIZE, QUIET_INK))
    axes.set_ylabel("sentences", **text_style(CAPTION_SIZE, QUIET_INK))
    add_legend(axes, [first for first, *_ in bars])  # a histogram labels its first bar
    return figure
