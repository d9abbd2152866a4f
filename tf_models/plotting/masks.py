"""Attention masks, their effect on scores, and positional encodings.

A mask is 1 where a key is blocked and 0 where it may be seen; in Keras' own layers it is the other
way round.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from scipy.special import softmax

from tf_models.plotting import style
from tf_models.plotting.heat_map import (
    BAR_ROOM,
    COLOR_MAP,
    MAX_CELLS_WITH_LINES,
    MAX_CELLS_WITH_NUMBERS,
    MAX_WIDTH,
    SIGNED_COLOR_MAP,
    HeatMap,
    add_color_bar,
    as_matrix,
    darkest_weight,
    draw_heat_map,
    draw_heat_maps,
    label_points,
    with_decimals,
)
from tf_models.plotting.style import shortened

BLOCKED = -1e9  # a mask of 1 adds it to a score
_COLORS = ListedColormap(["#f2f6fa", "#5f7386"])  # open and blocked
_MASK_CAPTION = "Each row is a query. Light: it sees the key above; dark: the key is blocked."
_SOFTMAX_CAPTION = (
    "Each row is a query. Hatched keys are blocked. After the softmax each row sums to one."
)
_WIDTH = 6.8  # inches of a map with many dimensions
_MAX_CELL_WIDTH, _MAX_CELL_HEIGHT = 0.5, 0.12  # inches
_MIN_HEIGHT, _MAX_HEIGHT = 1.0, 4.0  # inches of a map
_POSITIONS_CAPTION = (
    "Each row is the vector that is added to the embedding of the token at that position."
)


class LabeledMask(NamedTuple):
    """Mask of zeros and ones, its name, and labels of queries and keys.

    `mask` is (queries, keys), or what NumPy broadcasts to it: a padding mask (1, keys) is the same
    for every query. Leading axes of length one may stand before them, as in (1, 1, 1, keys).
    """

    name: str
    mask: np.ndarray
    row_labels: Sequence[str]
    column_labels: Sequence[str]


def plot_masks(masks: Sequence[LabeledMask], *, title: str = "") -> Figure:
    """Maps of masks, dark where a key is blocked, with cells of equal size.

    For a pair of sentences: the padding mask of the encoder (source x source), look-ahead and
    padding combined (target x target), and the padding mask of the decoder (target x source).
    """
    longest = max(max(len(mask.row_labels), len(mask.column_labels)) for mask in masks)
    points = label_points(longest)
    cell = points * style.LINE_HEIGHT / 72  # as small as labels allow
    maps = [
        HeatMap(
            _broadcast(mask.mask, mask.row_labels, mask.column_labels),
            mask.row_labels,
            mask.column_labels,
            limits=(0.0, 1.0),
            title=style.wrap(
                mask.name, style.PANEL_TITLE_SIZE, 0.9 * cell * len(mask.column_labels)
            ),
            color_map=_COLORS,
        )
        for mask in masks
    ]
    cells = sum(len(mask.column_labels) for mask in masks)
    columns = len(masks) if cell * cells < MAX_WIDTH - 2 else 1
    return draw_heat_maps(maps, columns, cell=(cell, cell), title=title, caption=_MASK_CAPTION)


def plot_masked_softmax(
    scores: np.ndarray,
    mask: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Effect of a mask: scores without and with it, and the softmax of both.

    Args:
        scores: QK^T / sqrt(d_k) of one head (queries, keys), before the mask is added.
        mask: 1 is blocked; (queries, keys) or broadcasts to it, as in `LabeledMask`.
        row_labels: the queries, `column_labels`: the keys. Small maps show the numbers; of large
            ones, which would not fit a page, only the two with the mask are drawn.
    """
    labels = shortened(row_labels), shortened(column_labels)
    mask = _broadcast(mask, row_labels, column_labels)
    masked = scores + mask * BLOCKED
    without, after = softmax(scores, axis=-1), softmax(masked, axis=-1)
    blocked = mask == 1
    nothing = np.zeros_like(blocked)
    # Where all keys of a query are blocked its weights are not zero: then they are shown.
    zero = blocked & (after < 1e-6)
    largest = max(np.abs(scores).max(), 1e-9)
    scoring = {"limits": (-largest, largest), "color_map": SIGNED_COLOR_MAP}
    darkest = darkest_weight(np.stack([without, after]))
    weighing = {"limits": (0.0, darkest), "color_map": COLOR_MAP}
    stages = [
        ("scores", scores, nothing, "", scoring),
        ("scores + mask × (-1e9)", masked, blocked, "-1e9", scoring),
        ("softmax without the mask", without, nothing, "", weighing),
        ("softmax with the mask", after, zero, "0", weighing),
    ]
    columns = 2
    count = max(scores.shape)
    if count > MAX_CELLS_WITH_LINES:
        stages = [stages[1], stages[3]]
        columns = 1
    maps = []
    for name, values, hidden, hidden_text, colors in stages:
        texts = None
        if count <= MAX_CELLS_WITH_NUMBERS:
            texts = np.where(hidden, hidden_text, with_decimals(values))
        array = np.ma.array(values, mask=hidden)
        maps.append(HeatMap(array, *labels, title=name, texts=texts, **colors))
    bars = "score", "attention weight"
    return draw_heat_maps(maps, columns, bars=bars, title=title, caption=_SOFTMAX_CAPTION)


def _broadcast(
    mask: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str]
) -> np.ndarray:
    return np.broadcast_to(as_matrix(mask), (len(row_labels), len(column_labels)))


def plot_positional_encoding(encodings: Mapping[str, np.ndarray], *, title: str = "") -> Figure:
    """Maps of positional encodings below each other, in the same colours.

    Encodings are (positions, dimensions), such as "interleaved" (sines and cosines take turns;
    Vaswani et al. 2017, section 3.5) and "concatenated" (all sines before all cosines;
    Tensor2Tensor). Colours go from -1 to 1, or to the largest value of learned encodings.

    Example:
        >>> from tf_models.transformer.positions import positional_encoding
        >>> figure = plot_positional_encoding({"interleaved": positional_encoding(50, 128)})
    """
    encodings = {name: as_matrix(encoding) for name, encoding in encodings.items()}
    positions, dimensions = next(iter(encodings.values())).shape
    width = min(_WIDTH, _MAX_CELL_WIDTH * dimensions)
    height = min(max(_MAX_CELL_HEIGHT * positions, _MIN_HEIGHT), _MAX_HEIGHT)
    figure = style.new_figure(
        width + 0.5 + BAR_ROOM, (height + 0.8) * len(encodings), title, _POSITIONS_CAPTION
    )
    panels = figure.subplots(len(encodings), 1, squeeze=False)[:, 0]
    limit = max(1.0, *(np.abs(encoding).max() for encoding in encodings.values()))
    for axes, (name, encoding) in zip(panels, encodings.items(), strict=True):
        # With many small cells of one colour, Matplotlib smooths only the edges of fine stripes.
        cells = encoding.repeat(-(-600 // positions), axis=0).repeat(-(-1500 // dimensions), axis=1)
        limits = -limit, limit
        signed = HeatMap(cells, (), (), limits, title=name, color_map=SIGNED_COLOR_MAP)
        draw_heat_map(axes, signed, cell_aspect="auto", interpolation="auto")
        axes.images[0].set_extent((-0.5, dimensions - 0.5, positions - 0.5, -0.5))
        style.name_axes(axes, "dimension", "position")
        axes.tick_params(labeltop=False, labelbottom=True)
        for set_ticks, count in ((axes.set_xticks, dimensions), (axes.set_yticks, positions)):
            # Up to 8 ticks, a power of two apart: so 256 has one, where cosines begin in 512.
            ticks = range(0, count, 2 ** max(0, math.ceil(math.log2(count / 8))))
            set_ticks(ticks, list(map(str, ticks)), **style.SMALL)
    add_color_bar(panels[0], "value", height)
    return figure
