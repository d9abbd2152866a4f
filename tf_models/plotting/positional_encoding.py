"""Positional encodings as heat maps: a row for each position, a column for each dimension."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting.heat_map import SIGNED_COLOR_MAP, as_matrix, checked, frame_axes
from tf_models.plotting.lettering import CAPTION_SIZE, INK, PANEL_TITLE_SIZE, printable, text_style
from tf_models.plotting.page import DOTS_PER_INCH, add_color_bar, fit_page, panel_grid
from tf_models.plotting.style import name_axes

_WIDTH = 6.8  # inches of a map with many dimensions
_MAX_CELL_WIDTH, _MAX_CELL_HEIGHT = 0.5, 0.12  # inches
_MIN_HEIGHT, _MAX_HEIGHT = 1.0, 4.0  # inches of a map
_CAPTION = "Each row is the vector that is added to the embedding of the token at that position."


def plot_positional_encoding(encodings: Mapping[str, np.ndarray], *, title: str = "") -> Figure:
    """One map for each encoding, one below the other, all in the same colours.

    Args:
        encodings: name -> (positions, dimensions), all of one shape, such as "interleaved" (sines
            and cosines take turns; Vaswani et al. 2017, section 3.5) and "concatenated" (all sines
            before all cosines; Tensor2Tensor). Leading axes of length one are left out.

    Sines and cosines lie between -1 and 1, and so do the colours; learned encodings with larger
    values widen the scale, which stays symmetric around 0.

    Raises:
        ValueError: different shapes, or numbers that are not finite.

    Example:
        >>> from tf_models.transformer.positional_encoding import positional_encoding
        >>> figure = plot_positional_encoding({"interleaved": positional_encoding(50, 128)})
    """
    shape = as_matrix(next(iter(encodings.values()))).shape
    encodings = {name: checked(name, one, shape) for name, one in encodings.items()}
    positions, dimensions = shape
    width = min(_WIDTH, _MAX_CELL_WIDTH * dimensions)
    # Each dimension is as many whole pixels wide as the next. Else the fine stripes of the
    # interleaved layout would show a pattern that is not there.
    width = max(1, round(width * DOTS_PER_INCH / dimensions)) * dimensions / DOTS_PER_INCH
    height = min(max(_MAX_CELL_HEIGHT * positions, _MIN_HEIGHT), _MAX_HEIGHT)
    panels = panel_grid(len(encodings), 1)[:, 0]
    limit = max(1.0, *(np.abs(one).max() for one in encodings.values()))
    for axes, (name, encoding) in zip(panels, encodings.items(), strict=True):
        colors = {"cmap": SIGNED_COLOR_MAP, "vmin": -limit, "vmax": limit}
        axes.imshow(encoding, aspect="auto", interpolation="nearest", **colors)
        axes.set_title(printable(name), loc="left", pad=6, **text_style(PANEL_TITLE_SIZE))
        name_axes(axes, "dimension", "position")
        axes.tick_params(length=0, pad=3, labelsize=CAPTION_SIZE, labelcolor=INK)
        frame_axes(axes)
        about_8 = MaxNLocator(8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
        axes.yaxis.set_major_locator(about_8)
        # Up to 8 dimensions, a power of two apart; 256, where cosines begin, is one of 512.
        step = 2 ** max(0, math.ceil(math.log2(dimensions / 8)))
        axes.set_xticks(range(0, dimensions, step))
    add_color_bar(panels[:1], "value", width, height)
    return fit_page(panels[0], width, height, title=title, caption=_CAPTION)
