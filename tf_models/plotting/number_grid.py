"""Matrices whose cells hold numbers: distributions over words, confusion, codes, normalisation."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    COLOR_MAP,
    MAX_CELLS_WITH_NUMBERS,
    SIGNED_COLOR_MAP,
    HeatMap,
    MapSize,
    checked,
    draw_heat_maps,
    frame_cells,
    with_decimals,
)
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    INK,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    text_style,
    widest,
)
from tf_models.plotting.page import MIN_BAR_HEIGHT, add_color_bar, columns_side_by_side, fit_page

_WORD_SIZE, _NUMBER_SIZE = 8.5, 7.0
_MIN_WIDTH, _MAX_WIDTH, _HEIGHT = 0.46, 0.7, 0.32  # inches of a cell; 0.998 fits
_PROBABILITIES_CAPTION = (
    "Each row is a probability distribution over the words above, and sums to one."
)
_COUNT_CELL = 0.5  # inches; a count of five digits fits
_CONFUSION_CAPTION = (
    "Each row is a right class and shows which classes it was taken for, as shares of it."
)
_CODE_CELL = 0.45  # inches
_HEAD_WIDTH = 0.52  # inches; a label such as "head 12" fits above a cell
_STATISTICS_CAPTION = (
    "Entropy: 0 where each query attends to one key, 0.69 where to two alike, 2.30 where to ten. "
    "Diagonality: 1 on the diagonal, 0 where a query attends to all keys alike, negative if it "
    "avoids the diagonal."
)
FEATURES, TOKENS = 1, 0  # axes of (tokens, features)
EPSILON = 1e-6
CAPTION = (
    "Rows are the token vectors of a batch, columns their features; mean and variance of each row "
    "stand at its right, of each column below. Layer normalisation makes the mean of each row 0 "
    "and its variance 1, whatever else is in the batch. Batch normalisation does so with each "
    "column, so a token's numbers depend on all other tokens. (Without the learnt gain and bias.)"
)
_CELL = 0.41  # inches; a number such as -12.50 fits


def plot_probabilities(
    distributions: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Grids of probabilities with their numbers, such as the target beside those of a model.

    Args:
        distributions: by name, (positions, words); each row sums to one.
        row_labels: the positions, `column_labels`: the words.

    Raises:
        ValueError: no grid, another shape, or rows that are no distributions.
    """
    if not distributions:
        raise ValueError("there must be one grid or more to draw; received none")
    shape = len(row_labels), len(column_labels)
    grids = {name: _checked_distributions(grid, shape) for name, grid in distributions.items()}
    word_width = widest(column_labels, _WORD_SIZE)
    upright = word_width > _MAX_WIDTH  # long words
    cell_width = _MIN_WIDTH if upright else max(_MIN_WIDTH, word_width + 0.1)
    width, height = cell_width * shape[1], _HEIGHT * shape[0]
    width = max(width, widest(list(grids), PANEL_TITLE_SIZE))
    beside = columns_side_by_side(len(grids), widest(row_labels, _WORD_SIZE) + width)
    columns = beside if beside == len(grids) else 1  # in their order, and no place left over
    limits = 0.0, 1.0
    panels = draw_heat_maps(
        [
            HeatMap(grid, row_labels, column_labels, limits, name, texts=with_decimals(grid, 3))
            for name, grid in grids.items()
        ],
        columns,
        label_size=_WORD_SIZE,
        number_size=_NUMBER_SIZE,
        rotation=90 if upright else 0,
        cell_aspect=_HEIGHT / cell_width,
    )
    return fit_page(panels[0, 0], width, height, title=title, caption=_PROBABILITIES_CAPTION)


def plot_confusion(counts: np.ndarray, classes: Sequence[str], *, title: str = "") -> Figure:
    """Right classes as rows, predicted ones as columns; a row's shares as colours.

    The counts are numbers of texts or images, (classes, classes); few classes show them.

    Raises:
        ValueError: no square of whole numbers from 0 on, one row for each class.
    """
    counts = np.asarray(counts)
    square = (len(classes), len(classes))
    if counts.shape != square or counts.min() < 0 or np.any(counts != counts.astype(int)):
        raise ValueError(f"counts must be whole numbers of shape {square}; received {counts}")
    size = MapSize.of(*square, _COUNT_CELL)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    texts = counts.astype(int).astype(str) if len(classes) <= MAX_CELLS_WITH_NUMBERS else None
    one = HeatMap(shares, classes, classes, (0.0, 1.0), texts=texts)
    upright = widest(classes, size.label_size) > 0.8 * size.width / len(classes)
    rotation = 90 if upright else 0
    ((axes,),) = draw_heat_maps([one], 1, label_size=size.label_size, rotation=rotation)
    height = max(size.height, MIN_BAR_HEIGHT)
    add_color_bar([axes], "share of the row", size.width, height)
    return fit_page(axes, size.width, height, title=title, caption=_CONFUSION_CAPTION)


def plot_codes(
    codes: np.ndarray, names: Sequence[str], *, row_word: str = "", title: str = ""
) -> Figure:
    """Draw codes (rows, code_size) with a name for each row; few have their numbers in the cells.

    The shades are around 0 if some numbers are negative. `row_word` is what the names are. Raises
    ValueError: another number of names, or codes of another shape.
    """
    if codes.ndim != 2 or len(codes) != len(names):
        raise ValueError(f"codes must be ({len(names)}, code_size); received {codes.shape}")
    few = codes.shape[1] <= MAX_CELLS_WITH_NUMBERS
    columns = [str(i + 1) if few or i % 8 == 0 else "" for i in range(codes.shape[1])]
    size = MapSize.of(len(codes), codes.shape[1], _CODE_CELL if few else None)
    signed, largest = codes.min() < 0, float(np.abs(codes).max()) or 1.0
    colors = SIGNED_COLOR_MAP if signed else COLOR_MAP
    limits, texts = (-largest * signed, largest), with_decimals(codes) if few else None
    name = "number of the code"
    one = HeatMap(codes, names, columns, limits, name, colors, texts)
    ((axes,),) = draw_heat_maps([one], 1, label_size=size.label_size, rotation=0)
    axes.set_ylabel(row_word, **text_style(PANEL_TITLE_SIZE))
    height = max(size.height, MIN_BAR_HEIGHT)
    add_color_bar([axes], "value", size.width, height)
    return fit_page(axes, size.width, height, title=title)


def plot_head_statistics(
    entropy: np.ndarray, diagonality: np.ndarray, *, title: str = ""
) -> Figure:
    """Both statistics as grids of numbers, one below the other, the first layer on top.

    The mean of each layer stands at the right: early layers are said to be blurred (high entropy)
    and later ones concentrated.

    Args:
        entropy: (layers, heads), in nats; of one sentence, or the mean over several.
        diagonality: (layers, heads), 1 on the diagonal, 0 of uniform attention.
        title: which attention of which sentence.

    Raises:
        ValueError: other shapes, or numbers that are not finite.
    """
    if np.ndim(entropy) != 2 or not np.size(entropy):
        raise ValueError(f"entropy must be (layers, heads); received shape {np.shape(entropy)}")
    layers, heads = np.shape(entropy)
    entropy = checked("entropy", entropy, (layers, heads))
    diagonality = checked("diagonality", diagonality, (layers, heads))
    names = _names("layer", layers), _names("head", heads)
    highest, texts = max(entropy.max(), 1e-9), with_decimals(entropy)
    signed = (-1.0, 1.0), "diagonality", SIGNED_COLOR_MAP, with_decimals(diagonality)
    panels = draw_heat_maps(
        [
            HeatMap(entropy, *names, (0.0, highest), "entropy (nats)", texts=texts),
            HeatMap(diagonality, *names, *signed),
        ],
        1,
        label_size=_WORD_SIZE,
        number_size=CAPTION_SIZE,
        rotation=0,
        cell_aspect=_HEIGHT / _HEAD_WIDTH,
    )
    for (axes,), values in zip(panels, (entropy, diagonality), strict=True):
        for layer, mean in enumerate(values.mean(axis=1)):
            style = {"va": "center", **text_style(CAPTION_SIZE, QUIET_INK)}
            axes.text(heads - 0.35, layer, f"mean {mean:z.2f}", **style)
    size = _HEAD_WIDTH * heads, _HEIGHT * layers
    first, last = ((entropy[i].mean(), diagonality[i].mean()) for i in (0, -1))
    caption = _STATISTICS_CAPTION
    if layers > 1:
        caption += (
            f" From the first layer to the last the mean entropy goes from {first[0]:.2f} to "
            f"{last[0]:.2f}, the mean diagonality from {first[1]:z.2f} to {last[1]:z.2f}."
        )
    return fit_page(panels[0, 0], *size, title=title, caption=caption)


def _names(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]


def _checked_distributions(grid: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    grid = checked("each grid", grid, shape)
    if grid.min() < 0 or np.abs(grid.sum(axis=1) - 1).max() > 1e-3:
        raise ValueError(
            "each row must be a distribution: not negative, with a sum of one; received sums "
            f"{grid.sum(axis=1).tolist()}"
        )
    return grid


def normalized(x: np.ndarray, axis: int) -> np.ndarray:
    """(x - mean) / sqrt(variance + epsilon), both along `axis`.

    Over the features of each token it is layer normalisation (Ba et al. 2016, equation 4), over
    the tokens of a batch batch normalisation (Ioffe & Szegedy 2015, algorithm 1).
    """
    mean, variance = x.mean(axis=axis, keepdims=True), x.var(axis=axis, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON)


def plot_normalization(
    x: np.ndarray, tokens: Sequence[str], features: Sequence[str], *, title: str = ""
) -> Figure:
    """Token vectors as they are, after layer normalisation, and after batch normalisation.

    Args:
        x: (tokens, features), few of each: all numbers are written.
        tokens: names of the rows.
        features: names of the columns.

    Raises:
        ValueError: the names do not fit x.
    """
    if x.shape != (len(tokens), len(features)):
        raise ValueError(
            f"x must be ({len(tokens)} tokens, {len(features)} features); received {x.shape}"
        )
    panels = {
        "a batch of token vectors": None,
        "layer normalisation": FEATURES,
        "batch normalisation": TOKENS,
    }
    limits = -float(np.abs(x).max()), float(np.abs(x).max())
    matrices = [x if axis is None else normalized(x, axis) for axis in panels.values()]
    maps = [
        HeatMap(one, tokens, features, limits, name, SIGNED_COLOR_MAP, with_decimals(one))
        for name, one in zip(panels, matrices, strict=True)
    ]
    size = MapSize.of(len(x), x.shape[1], _CELL)
    style: dict[str, Any] = {
        "label_size": size.label_size,
        "number_size": CAPTION_SIZE,
        "rotation": 0,
    }
    (row,) = draw_heat_maps(maps, len(maps), **style)
    for axes, values, axis in zip(row, matrices, panels.values(), strict=True):
        _write_statistics(axes, values, axis)
        if axis is not None:  # the first numbers that have mean and variance in common
            rows, columns = values.shape
            frame_cells(axes, *((1, columns) if axis == FEATURES else (rows, 1)))
    return fit_page(row[0], size.width, size.height, title=title, caption=CAPTION)


def _write_statistics(axes: Axes, values: np.ndarray, normalized_axis: int | None) -> None:
    """Mean and variance of each row at its right, of each column below; the normalised in ink."""
    rows, columns = values.shape

    def write(x: float, y: float, text: str, axis: int) -> None:
        style = text_style(CAPTION_SIZE, INK if axis == normalized_axis else QUIET_INK)
        axes.text(x, y, text, ha="center", va="center", **style)

    for offset, (name, measure) in enumerate((("mean", np.mean), ("var.", np.var))):
        right, below = columns + 0.1 + offset, rows + offset
        write(right, -0.8, name, FEATURES)
        for row, number in enumerate(measure(values, axis=FEATURES)):
            write(right, row, f"{number:z.2f}", FEATURES)
        write(-0.9, below, name, TOKENS)
        for column, number in enumerate(measure(values, axis=TOKENS)):
            write(column, below, f"{number:z.2f}", TOKENS)
