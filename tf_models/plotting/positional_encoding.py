"""Positional encodings as heat maps: a row for each position, a column for each dimension."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting import style
from tf_models.plotting.heat_map import (
    BAR_ROOM,
    SIGNED_COLOR_MAP,
    add_color_bar,
    as_matrix,
    frame_axes,
)

_WIDTH = 6.8  # inches of a map with many dimensions
_MAX_CELL_WIDTH, _MAX_CELL_HEIGHT = 0.5, 0.12  # inches
_MIN_HEIGHT, _MAX_HEIGHT = 1.0, 4.0  # inches of a map
_CAPTION = "Each row is the vector that is added to the embedding of the token at that position."


def plot_positional_encoding(encodings: Mapping[str, np.ndarray], *, title: str = "") -> Figure:
    """One map for each encoding, one below the other, all in the same colours.

    Encodings are (positions, dimensions), such as "interleaved" (sines and cosines take turns;
    Vaswani et al. 2017, section 3.5) and "concatenated" (all sines before all cosines;
    Tensor2Tensor). Colours go from -1 to 1, or to the largest value of learned encodings.

    Example:
        >>> from tf_models.transformer.positions import positional_encoding
        >>> figure = plot_positional_encoding({"interleaved": positional_encoding(50, 128)})
    """
    encodings = {name: as_matrix(one) for name, one in encodings.items()}
    positions, dimensions = next(iter(encodings.values())).shape
    width = min(_WIDTH, _MAX_CELL_WIDTH * dimensions)
    height = min(max(_MAX_CELL_HEIGHT * positions, _MIN_HEIGHT), _MAX_HEIGHT)
    figure = style.new_figure(
        width + 0.5 + BAR_ROOM, (height + 0.8) * len(encodings), title, _CAPTION
    )
    panels = figure.subplots(len(encodings), 1, squeeze=False)[:, 0]
    limit = max(1.0, *(np.abs(one).max() for one in encodings.values()))
    for axes, (name, encoding) in zip(panels, encodings.items(), strict=True):
        colors = {"cmap": SIGNED_COLOR_MAP, "vmin": -limit, "vmax": limit}
        # Many small cells of one colour: so Matplotlib smooths the edges of fine stripes alone.
        cells = encoding.repeat(-(-600 // positions), axis=0).repeat(-(-1500 // dimensions), axis=1)
        extent = -0.5, dimensions - 0.5, positions - 0.5, -0.5
        axes.imshow(cells, aspect="auto", extent=extent, **colors)
        style.title_panel(axes, name)
        style.name_axes(axes, "dimension", "position")
        axes.tick_params(length=0, pad=3, labelsize=style.CAPTION_SIZE, labelcolor=style.INK)
        frame_axes(axes)
        about_8 = MaxNLocator(8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
        axes.yaxis.set_major_locator(about_8)
        # Up to 8 dimensions, a power of two apart; 256, where cosines begin, is one of 512.
        step = 2 ** max(0, math.ceil(math.log2(dimensions / 8)))
        axes.set_xticks(range(0, dimensions, step))
    add_color_bar(panels[0], "value", height)
    return figure
