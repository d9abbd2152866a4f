"""Attention to the patches of an image, laid over the image as a heat map."""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import FRAME_COLOR, luminance
from tf_models.plotting.image_grid import plot_image_grid

SIDE = 0.85  # inches
_STRONGEST = 0.7  # share of the colour where a patch has the largest weight
_INK = 0.3  # shade of the darkest ink, so that a colour over it shows, too
_CAPTION = (
    "The stronger the colour, the more of the attention a patch gets. In each map the strongest "
    "colour is the largest weight; what the class token gives itself is left out."
)


def laid_over(images: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The images in shades of grey, with a colour over each patch, the stronger the larger its
    weight.

    Args:
        images: (n, height, width, channels), 0 to 1; with one channel 1 is ink.
        weights: (n, maps, rows, columns), not negative; rows and columns divide height and width.

    Returns:
        (n, maps, height, width, 3), 0 to 1.
    """
    height, width = images.shape[1:3]
    rows, columns = weights.shape[2:]
    gray = 1 - images[..., 0] if images.shape[-1] == 1 else luminance(images)  # (n, height, width)
    largest = np.maximum(weights.max(axis=(2, 3), keepdims=True), 1e-12)
    share = (weights / largest).repeat(height // rows, axis=2).repeat(width // columns, axis=3)
    alpha = _STRONGEST * share[..., np.newaxis]  # (n, maps, height, width, 1)
    shades = _INK + (1 - _INK) * gray[:, np.newaxis, ..., np.newaxis]
    return (1 - alpha) * shades + alpha * to_rgb(FRAME_COLOR)


def plot_image_attention(
    images: np.ndarray,
    weights: np.ndarray,
    row_names: Sequence[str],
    map_names: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """A row for each image: as it is, and under each of its maps (see `laid_over`)."""
    alone = laid_over(images, np.zeros_like(weights[:, :1]))
    grid = np.concatenate([alone, laid_over(images, weights)], axis=1)
    names = {"row_names": row_names, "column_names": ["image", *map_names]}
    return plot_image_grid(grid, **names, title=title, caption=_CAPTION, side=SIDE)
