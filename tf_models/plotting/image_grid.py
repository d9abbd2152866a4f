"""Rows and columns of small images."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tf_models.plotting.lettering import CAPTION_SIZE, printable, text_height, text_style, widest
from tf_models.plotting.page import fit_page, panel_grid

SIDE, GAP = 0.55, 0.06  # inches that an image is wide by default, and between two
GRAYS = {"cmap": "gray", "vmin": 0, "vmax": 1, "interpolation": "nearest"}
FRAME = "#c8c8c8"  # white images on white paper need an edge


def plot_image_grid(
    images: np.ndarray,
    *,
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    title: str = "",
    caption: str = "",
    side: float = SIDE,
) -> Figure:
    """Draw a grid of images; 0 is white and 1 is ink where there is one channel.

    Args:
        images: (rows, columns, height, width, channels), channels 1 or 3; values outside 0 to 1
            are drawn as the nearer end, NaN leaves a place empty.
        row_names: at the left of each row; they may have several lines.
        column_names: above each column.
        side: inches that an image is wide.

    Raises:
        ValueError: another shape, or another number of names than of rows or columns.
    """
    if images.ndim != 5 or images.shape[-1] not in (1, 3):
        raise ValueError(
            f"images must be (rows, columns, height, width, 1 or 3); received {images.shape}"
        )
    rows, columns, height, width, _ = images.shape
    for noun, names, count in (("row", row_names, rows), ("column", column_names, columns)):
        if names and len(names) != count:
            received = f"received {len(names)} {noun} names"
            raise ValueError(f"there are {count} {noun}s of images; {received}")
    image_height = side * height / width
    tallest_name = max((text_height(name, CAPTION_SIZE) for name in row_names), default=0.0)
    # An image may be one pixel high, and a name wider than an image.
    right = max(side, widest(column_names, CAPTION_SIZE)) + GAP
    down = max(image_height, tallest_name) + GAP
    ((axes,),) = panel_grid(1, 1)
    frames = []
    for row, column in np.ndindex(rows, columns):
        image, left, top = images[row, column], column * right, row * down
        if not np.isnan(image).any():
            image = np.clip(image, 0, 1)
            shown = 1 - image[..., 0] if image.shape[-1] == 1 else image
            extent = (left, left + side, top + image_height, top)
            axes.imshow(shown, extent=extent, **GRAYS).set_clip_on(False)
            frames.append(Rectangle((left, top), side, image_height))
    style = {"facecolor": "none", "edgecolor": FRAME, "linewidth": 0.5, "clip_on": False}
    axes.add_collection(PatchCollection(frames, **style))
    size = columns * right - GAP, rows * down - GAP
    axes.set(xlim=(0, size[0]), ylim=(size[1], 0))  # in inches
    axes.spines[:].set_visible(False)
    _name(axes.set_xticks, np.arange(columns) * right + side / 2, column_names)
    _name(axes.set_yticks, np.arange(rows) * down + image_height / 2, row_names)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    return fit_page(axes, *size, title=title, caption=caption)


def _name(set_ticks: Callable[..., object], places: np.ndarray, names: Sequence[str]) -> None:
    texts = ["\n".join(map(printable, name.splitlines())) for name in names]
    set_ticks(places if texts else [], texts, **text_style(CAPTION_SIZE))
