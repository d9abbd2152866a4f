"""Rows and columns of small images."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    printable,
    text_height,
    text_style,
    widest,
)
from tf_models.plotting.page import Layout, Page

SIDE = 0.55  # inches that an image is wide
GAP = 0.06  # inches between two
NAME_PAD = 0.08  # inches between the name of a row and its first image
FRAME = "#c8c8c8"  # white images on white paper need an edge


def plot_image_grid(
    images: np.ndarray,
    *,
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    title: str = "",
) -> Figure:
    """Draw a grid of images; 0 is white and 1 is ink where there is one channel.

    Args:
        images: (rows, columns, height, width, channels), channels 1 or 3; values outside 0 to 1
            are drawn as the nearer end, NaN leaves a place empty.
        row_names: at the left of each row; they may have several lines.
        column_names: above each column.
        title: above all.

    Raises:
        ValueError: another shape, or another number of names than of rows or columns.
    """
    if images.ndim != 5 or images.shape[-1] not in (1, 3):
        raise ValueError(
            f"images must be (rows, columns, height, width, 1 or 3); received {images.shape}"
        )
    _check_names("row", row_names, images.shape[0])
    _check_names("column", column_names, images.shape[1])
    page = Page(_layout(images.shape, row_names, column_names, title))
    for index, (row, column) in enumerate(np.ndindex(images.shape[:2])):
        axes = page.panel(index)
        _draw_image(axes, images[row, column])
        if row == 0 and column_names:
            _name_column(axes, column_names[column], page.layout.panel_width)
        if column == 0 and row_names:
            _name_row(axes, row_names[row])
    return page.figure


def _layout(
    shape: tuple[int, ...], row_names: Sequence[str], column_names: Sequence[str], title: str
) -> Layout:
    rows, columns, height, width, _ = shape
    lines = [line for name in row_names for line in name.splitlines()]
    tallest_name = max((text_height(name, CAPTION_SIZE) for name in row_names), default=0.0)
    return Layout(
        rows=rows,
        columns=columns,
        panel_width=SIDE,
        panel_height=max(SIDE * height / width, tallest_name),  # an image may be one pixel high
        left=widest(lines, CAPTION_SIZE) + NAME_PAD if lines else 0.0,
        top=0.0,
        title=title,
        panel_titles=tuple(column_names),
        shared_labels=True,
        color_bars=0,
        gap=GAP,
    )


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


def _name_column(axes: Axes, name: str, width: float) -> None:
    """Centred above the image; a name that is wider begins at its left edge, where it has room."""
    place = "center" if widest([name], CAPTION_SIZE) <= width else "left"
    axes.set_title(printable(name), loc=place, pad=4, **text_style(CAPTION_SIZE))


def _name_row(axes: Axes, name: str) -> None:
    lines = "\n".join(map(printable, name.splitlines()))
    style = {"rotation": 0, "ha": "right", "va": "center", **text_style(CAPTION_SIZE)}
    axes.set_ylabel(lines, labelpad=72 * NAME_PAD, **style)


def _check_names(noun: str, names: Sequence[str], count: int) -> None:
    if names and len(names) != count:
        raise ValueError(f"there are {count} {noun}s of images; received {len(names)} {noun} names")
