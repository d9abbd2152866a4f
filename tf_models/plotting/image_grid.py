"""Rows and columns of small images."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    TITLE_SIZE,
    printable,
    text_style,
    wrap,
)
from tf_models.plotting.page import DOTS_PER_INCH

SIDE = 0.55  # inches of one image
GAP = 0.06  # inches between two
MARGIN = 0.18
FRAME = "#c8c8c8"  # white images on white paper need an edge
LINE = 0.24  # inches for a line of text
LETTER = 0.085  # about the width of a letter of a row's name, in inches


def plot_image_grid(
    images: np.ndarray,
    *,
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    title: str = "",
    side: float = SIDE,
) -> Figure:
    """Draw a grid of images; 0 is white and 1 is ink where there is one channel.

    Args:
        images: (rows, columns, height, width, channels), channels 1 or 3; values outside 0 to 1
            are drawn as the nearer end, NaN leaves a place empty.
        row_names: at the left of each row; they may have several lines.
        column_names: above each column.
        title: above all.
        side: inches of one image.
    """
    if images.ndim != 5 or images.shape[-1] not in (1, 3):
        raise ValueError(
            f"images must be (rows, columns, height, width, 1 or 3); received {images.shape}"
        )
    rows, columns, height, width, _ = images.shape
    lines = (line for name in row_names for line in name.splitlines())
    left = MARGIN + max(map(len, lines), default=0) * LETTER
    top = MARGIN + LINE * bool(column_names) + 1.4 * LINE * bool(title)
    high = side * height / width
    figure = Figure(
        (left + columns * (side + GAP) + MARGIN, top + rows * (high + GAP) + MARGIN),
        DOTS_PER_INCH,
        facecolor="white",
    )
    inches = figure.get_size_inches()
    for row in range(rows):
        for column in range(columns):
            corner = left + column * (side + GAP), inches[1] - top - (row + 1) * (high + GAP) + GAP
            place = (corner[0] / inches[0], corner[1] / inches[1])
            axes = figure.add_axes((*place, side / inches[0], high / inches[1]))
            _draw_image(axes, images[row, column])
            if row == 0 and column_names:
                axes.set_title(printable(column_names[column]), pad=4, **text_style(CAPTION_SIZE))
            if column == 0 and row_names:
                axes.set_ylabel(
                    "\n".join(map(printable, row_names[row].splitlines())),
                    rotation=0,
                    ha="right",
                    va="center",
                    labelpad=6,
                    **text_style(CAPTION_SIZE),
                )
    if title:
        text = wrap(printable(title), TITLE_SIZE, inches[0] - 2 * MARGIN)
        figure.text(
            MARGIN / inches[0],
            1 - 0.6 * MARGIN / inches[1],
            text,
            va="top",
            **text_style(TITLE_SIZE),
        )
    return figure


def _draw_image(axes: Axes, image: np.ndarray) -> None:
    axes.set_xticks([])
    axes.set_yticks([])
    if np.isnan(image).any():
        axes.spines[:].set_visible(False)
        return
    axes.spines[:].set(color=FRAME, linewidth=0.5)
    image = np.clip(image, 0, 1)
    if image.shape[-1] == 1:
        axes.imshow(1 - image[..., 0], cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    else:
        axes.imshow(image, interpolation="nearest")
