"""How blurred the heads look and how straight ahead: two numbers for each attention map."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.attention import check_attention
from tf_models.plotting.heat_map import MapSize, draw_heat_map, write_numbers
from tf_models.plotting.lettering import CAPTION_SIZE, QUIET_INK, text_style
from tf_models.plotting.page import Layout, Page

_CELL = 0.52  # inches; a label such as "head 12" fits above it
_MEAN_ROOM = 0.8  # inches at the right of a map for the mean of each layer


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """Entropy of attention in nats, the mean over the queries: (..., queries, keys) -> (...).

    H = -sum_j w_ij ln w_ij with 0 ln 0 = 0. A query that looks at one key has 0, one that looks at
    all n keys alike has ln n; exp(H) is the number of keys that a query looks at, so to speak.
    """
    weights = check_attention(weights, *np.shape(weights)[-2:])
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def attention_diagonality(weights: np.ndarray) -> np.ndarray:
    """How near attention is to the diagonal: (..., queries, keys) -> (...).

    With the diagonal d_i = i (keys - 1) / (queries - 1), so that it ends in the corner also when
    the sentences differ in length, and D = the mean over the queries of sum_j w_ij |j - d_i|:

        diagonality = 1 - D / (D of attention that looks everywhere alike)

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


def heads_looking_at(weights: np.ndarray, row: int, column: int) -> list[tuple[int, int, float]]:
    """The heads whose query `row` gives its largest weight to key `column`, the surest first.

    Args:
        weights: (layers, heads, queries, keys).

    Returns:
        layer and head, counted from one, and the weight.
    """
    looks = np.asarray(weights)[:, :, row]  # (layers, heads, keys)
    found = [
        (layer + 1, head + 1, float(looks[layer, head, column]))
        for layer, head in np.argwhere(looks.argmax(axis=-1) == column)
    ]
    return sorted(found, key=lambda one: -one[2])


def plot_head_statistics(
    entropy: np.ndarray, diagonality: np.ndarray, *, title: str = ""
) -> Figure:
    """Both statistics (layers, heads) as grids of numbers side by side, with the means of layers.

    The first layer stands on top: early layers are said to be blurred (dark at the left, high
    entropy) and later ones concentrated.
    """
    entropy, diagonality = np.asarray(entropy, float), np.asarray(diagonality, float)
    if entropy.ndim != 2 or entropy.shape != diagonality.shape:
        raise ValueError(
            "entropy and diagonality must both be (layers, heads); received shapes "
            f"{entropy.shape} and {diagonality.shape}"
        )
    titles = ("entropy (nats)", "diagonality")
    layers, heads = _names("layer", entropy.shape[0]), _names("head", entropy.shape[1])
    size = MapSize.for_labels(layers, heads, cell=_CELL)
    page = Page(_layout(size, titles, title))
    limits = (0.0, max(entropy.max(), 1e-9)), (min(0.0, diagonality.min()), 1.0)
    for index, values in enumerate((entropy, diagonality)):
        _draw_grid(page.panel(index), values, layers, heads, limits[index], titles[index])
    return page.figure


def _layout(size: MapSize, titles: tuple[str, ...], title: str) -> Layout:
    return Layout(
        rows=1,
        columns=2,
        panel_width=size.width + _MEAN_ROOM,
        panel_height=size.height,
        left=size.left,
        top=0.2,
        title=title,
        caption=(
            "Entropy: 0 where each query looks at one key. Diagonality: 1 on the diagonal, "
            "0 for uniform attention."
        ),
        panel_titles=titles,
        color_bars=0,
    )


def _draw_grid(
    axes: Axes,
    values: np.ndarray,
    layers: list[str],
    heads: list[str],
    limits: tuple[float, float],
    title: str,
) -> None:
    size = MapSize.for_labels(layers, heads).label_size
    image = draw_heat_map(
        axes, values, layers, heads, limits=limits, label_size=size, title=title, rotation=0
    )
    axes.set_anchor("W")  # the means stand at the right
    write_numbers(image, np.vectorize("{:z.2f}".format)(values))
    for layer, mean in enumerate(values.mean(axis=1)):
        style = {"va": "center", **text_style(CAPTION_SIZE, QUIET_INK)}
        axes.text(values.shape[1] - 0.35, layer, f"mean {mean:.2f}", **style)


def _names(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]
