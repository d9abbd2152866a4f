"""Rows and columns of small images, and attention laid over them."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tf_models.plotting import style

MOST_COLUMNS = 15  # a longer row of images is wrapped
SIDE = 0.55  # inches that an image is wide by default
GAP = 0.06  # inches between two images
GRAYS = {"cmap": "gray", "vmin": 0, "vmax": 1, "interpolation": "nearest"}
FRAME = "#c8c8c8"  # white images on white paper need an edge
_ATTENTION_SIDE = 0.85  # inches that an image with attention is wide
_LUMA = (0.299, 0.587, 0.114)  # weights of red, green and blue in ITU-R BT.601
_STRONGEST = 0.7  # share of the colour where a patch has the largest weight
_INK = 0.3  # shade of the darkest ink, so that a colour over it shows, too
_CAPTION = (
    "The stronger the colour, the more of the attention a patch gets. In each map the strongest "
    "colour is the largest weight; what the class token gives itself is left out."
)


def plot_image_grid(
    images: np.ndarray,
    *,
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    title: str = "",
    caption: str = "",
    side: float = SIDE,
) -> Figure:
    """Grid of images with names of rows and columns.

    Images are (rows, columns, height, width, channels), with 3 channels or 1 (0 is white, 1 ink).
    Values are clipped to 0 to 1; NaN leaves its place empty. An image is `side` inches wide.
    """
    rows, columns, height, width, _ = images.shape
    image_height = side * height / width
    heights = (style.text_height(name, style.CAPTION_SIZE) for name in row_names)
    # An image may be one pixel high, and a name wider than an image.
    right = max(side, style.widest(column_names, style.CAPTION_SIZE)) + GAP
    down = max([image_height, *heights]) + GAP
    size = columns * right - GAP, rows * down - GAP
    room_left = style.widest(row_names, style.CAPTION_SIZE) + 0.2
    room_above = 0.4 if column_names else 0.2
    figure = style.new_figure(size[0] + room_left, size[1] + room_above, title, caption)
    axes = figure.add_subplot()
    frames = []
    for row, column in np.ndindex(rows, columns):
        image = images[row, column]
        left, top = column * right, row * down
        if not np.isnan(image).any():
            image = np.clip(image, 0, 1)
            pixels = 1 - image[..., 0] if image.shape[-1] == 1 else image
            extent = (left, left + side, top + image_height, top)
            axes.imshow(pixels, extent=extent, **GRAYS).set_clip_on(False)
            frames.append(Rectangle((left, top), side, image_height))
    paint = {"facecolor": "none", "edgecolor": FRAME, "linewidth": 0.5, "clip_on": False}
    axes.add_collection(PatchCollection(frames, **paint))
    axes.set(xlim=(0, size[0]), ylim=(size[1], 0))  # in inches
    axes.spines[:].set_visible(False)
    middles = side / 2 + right * np.arange(len(column_names))
    axes.set_xticks(middles, list(map(style.printable, column_names)), **style.SMALL)
    middles = image_height / 2 + down * np.arange(len(row_names))
    axes.set_yticks(middles, list(map(style.printable, row_names)), **style.SMALL)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    return figure


def plot_image_rows(rows: Mapping[str, np.ndarray], title: str) -> Figure:
    """Named rows of images (n, height, width, channels), wrapped to a page."""
    count = len(next(iter(rows.values())))
    blocks = math.ceil(count / MOST_COLUMNS)
    columns = math.ceil(count / blocks)  # blocks of like width
    grids = [in_rows(row, blocks, columns) for row in rows.values()]
    images = np.stack(grids, axis=1).reshape(-1, *grids[0].shape[1:])  # (blocks * rows, columns, …)
    return plot_image_grid(images, row_names=[*rows] * blocks, title=title)


def in_rows(images: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """First images of (n, …) as a grid (rows, columns, …), padded with NaN."""
    grid = np.full((rows * columns, *images.shape[1:]), np.nan, np.float32)
    shown = images[: len(grid)]
    grid[: len(shown)] = shown
    return grid.reshape(rows, columns, *images.shape[1:])


def laid_over(images: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Images in grey; the larger a patch's weight, the stronger its colour.

    Args:
        images: (n, height, width, channels), 0 to 1; with one channel 1 is ink.
        weights: (n, maps, rows, columns), not negative; rows and columns divide height and width.

    Returns:
        (n, maps, height, width, 3), 0 to 1.
    """
    height, width = images.shape[1:3]
    rows, columns = weights.shape[2:]
    gray = 1 - images[..., 0] if images.shape[-1] == 1 else images @ _LUMA  # (n, height, width)
    largest = np.maximum(weights.max(axis=(2, 3), keepdims=True), 1e-12)
    share = (weights / largest).repeat(height // rows, axis=2).repeat(width // columns, axis=3)
    alpha = _STRONGEST * share[..., np.newaxis]  # (n, maps, height, width, 1)
    shades = _INK + (1 - _INK) * gray[:, np.newaxis, ..., np.newaxis]
    return (1 - alpha) * shades + alpha * to_rgb(style.FRAME_COLOR)


def plot_image_attention(
    images: np.ndarray,
    weights: np.ndarray,
    row_names: Sequence[str],
    map_names: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """A row for each image: in grey, then `laid_over` with each of its maps."""
    originals = laid_over(images, np.zeros_like(weights[:, :1]))
    grid = np.concatenate([originals, laid_over(images, weights)], axis=1)
    return plot_image_grid(
        grid,
        row_names=row_names,
        column_names=["image", *map_names],
        title=title,
        caption=_CAPTION,
        side=_ATTENTION_SIDE,
    )
