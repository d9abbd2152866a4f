"""How blurred and how diagonal the attention of heads is: two numbers for each map."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.attention import check_attention
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


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """Entropy of attention in nats, the mean over the queries: (..., queries, keys) -> (...).

    H = -sum_j w_ij ln w_ij with 0 ln 0 = 0. A query that attends to one key has 0, one that
    attends to all n keys alike has ln n; exp(H) is the number of keys that a query attends to, so
    to speak.
    """
    weights = check_attention(weights, *np.shape(weights)[-2:])
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def attention_diagonality(weights: np.ndarray) -> np.ndarray:
    """How near attention is to the diagonal: (..., queries, keys) -> (...).

    With the diagonal d_i = i (keys - 1) / (queries - 1), so that it ends in the corner also when
    the sentences differ in length, and D = the mean over the queries of sum_j w_ij |j - d_i|:

        diagonality = 1 - D / (D of uniform attention)

    It is 1 on the diagonal of a square map, 0 for uniform weights, and negative for attention that
    avoids the diagonal; sentences of different lengths can be compared by it. A map with one key
    has 1; a single query is taken to stand in the middle.
    """
    rows, columns = np.shape(weights)[-2:]
    weights = check_attention(weights, rows, columns)
    if columns == 1:
        return np.ones(weights.shape[:-2])
    diagonal = np.linspace(0, columns - 1, rows) if rows > 1 else np.array([(columns - 1) / 2])
    distance = np.abs(np.arange(columns) - diagonal[:, np.newaxis])  # (queries, keys)
    return 1 - (weights * distance).sum(axis=-1).mean(axis=-1) / distance.mean()


def heads_attending(weights: np.ndarray, row: int, column: int) -> list[tuple[int, int, float]]:
    """The heads whose query `row` gives its largest weight to key `column`, the surest first.

    Args:
        weights: (layers, heads, queries, keys).

    Returns:
        layer and head, counted from one, and the weight.
    """
    of_query = np.asarray(weights)[:, :, row]  # (layers, heads, keys)
    found = [
        (layer + 1, head + 1, float(of_query[layer, head, column]))
        for layer, head in np.argwhere(of_query.argmax(axis=-1) == column)
    ]
    return sorted(found, key=lambda one: -one[2])


def plot_head_statistics(
    entropy: np.ndarray, diagonality: np.ndarray, *, title: str = ""
) -> Figure:
    """Both statistics as grids of numbers, one below the other, the first layer on top.

    The mean of each layer stands at the right: early layers are said to be blurred (high entropy)
    and later ones concentrated.

    Args:
        entropy: (layers, heads), in nats, see `attention_entropy`; of one sentence, or the mean
            over several.
        diagonality: (layers, heads), see `attention_diagonality`.
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
