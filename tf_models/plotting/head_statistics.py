"""Entropy and diagonality of heads as grids of numbers, a row for each layer."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    COLOR_MAP,
    SIGNED_COLOR_MAP,
    draw_heat_map,
    with_decimals,
    write_numbers,
)
from tf_models.plotting.lettering import CAPTION_SIZE, QUIET_INK, text_style
from tf_models.plotting.page import fit_page, panel_grid

_CELL_WIDTH, _CELL_HEIGHT = 0.52, 0.32  # inches; a label such as "head 12" fits above a cell
_LABEL_SIZE = 8.5
_CAPTION = (
    "Entropy: 0 where each query attends to one key, 0.69 where to two alike, 2.30 where to ten. "
    "Diagonality: 1 on the diagonal, 0 where a query attends to all keys alike, negative if it "
    "avoids the diagonal."
)


def plot_head_statistics(
    entropy: np.ndarray, diagonality: np.ndarray, *, title: str = ""
) -> Figure:
    """Both statistics as grids of numbers, one below the other, the first layer on top.

    The mean of each layer stands at the right: early layers are said to be blurred (high entropy)
    and later ones concentrated.

    Args:
        entropy: (layers, heads), in nats; of one sentence, or the mean
            over several.
        diagonality: (layers, heads), 1 on the diagonal, 0 of uniform attention.
        title: which attention of which sentence.

    Raises:
        ValueError: other shapes, or numbers that are not finite.
    """
    entropy, diagonality = np.asarray(entropy, float), np.asarray(diagonality, float)
    _check_statistics(entropy, diagonality)
    layers, heads = entropy.shape
    above, below = panel_grid(2, 1)[:, 0]
    highest = max(entropy.max(), 1e-9)
    _draw_grid(above, entropy, "entropy (nats)", (0.0, highest), COLOR_MAP)
    _draw_grid(below, diagonality, "diagonality", (-1.0, 1.0), SIGNED_COLOR_MAP)
    size = _CELL_WIDTH * heads, _CELL_HEIGHT * layers
    return fit_page(above, *size, title=title, caption=_CAPTION)


def _draw_grid(
    axes: Axes, values: np.ndarray, title: str, limits: tuple[float, float], color_map: str
) -> None:
    layers, heads = values.shape
    image = draw_heat_map(
        axes,
        values,
        _names("layer", layers),
        _names("head", heads),
        limits=limits,
        label_size=_LABEL_SIZE,
        title=title,
        color_map=color_map,
        rotation=0,
        cell_aspect=_CELL_HEIGHT / _CELL_WIDTH,
    )
    write_numbers(image, with_decimals(values), CAPTION_SIZE)
    for layer, mean in enumerate(values.mean(axis=1)):
        style = {"va": "center", **text_style(CAPTION_SIZE, QUIET_INK)}
        axes.text(heads - 0.35, layer, f"mean {mean:z.2f}", **style)


def _check_statistics(entropy: np.ndarray, diagonality: np.ndarray) -> None:
    if entropy.ndim != 2 or entropy.shape != diagonality.shape or not entropy.size:
        raise ValueError(
            "entropy and diagonality must both be (layers, heads); received shapes "
            f"{entropy.shape} and {diagonality.shape}"
        )
    odd = np.count_nonzero(~np.isfinite([entropy, diagonality]))
    if odd:
        raise ValueError(
            "entropy and diagonality must be finite numbers; received numbers that are not finite: "
            f"{odd} of {2 * entropy.size}"
        )


def _names(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]
