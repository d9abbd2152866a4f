"""Attention maps: one head, all heads of a layer, all layers of a model, and one query alone.

Weights are arrays (..., queries, keys): a row says where one query looks, so it sums to one.
Heads and layers are counted from one, on the figures and in the arguments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from tf_models.errors import InputError
from tf_models.plotting.heat_map import (
    MapSize,
    darkest_weight,
    draw_heat_map,
    hide_labels,
    shade_blocked,
)
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, widest
from tf_models.plotting.page import WIDEST_PAGE, Layout, Page, best_columns, columns_side_by_side

_LAYERS_GAP = 0.14  # inches
_MAPS_WIDTH, _WIDEST_CELL = 8.4, 0.2  # inches of all maps of a layer, and of a cell
_NUMBER_SIZE, _MOST_NUMBERS = 5.5, 12
CAPTION = "Each row is a query and shows how its attention is shared among the keys above."


def check_attention(
    weights: np.ndarray, rows: int, columns: int, causal: bool = False
) -> np.ndarray:
    """Return `weights` (..., rows, columns) as float64 if they can be attention, else complain.

    They must be finite and not negative, and each row must sum to one (within 1e-3, or 2e-2 for
    16-bit floats); with `causal`, no query may look at a later key.

    Raises:
        ValueError: what is wrong, and what was received.
    """
    received = np.asarray(weights)
    weights = received.astype(np.float64)
    if weights.shape[-2:] != (rows, columns):
        raise ValueError(
            f"attention must have one row for each of the {rows} query labels and one column for "
            f"each of the {columns} key labels; received shape {weights.shape}"
        )
    if weights.size == 0:
        raise ValueError(f"attention has no weights; received shape {weights.shape}")
    if not np.isfinite(weights).all() or weights.min() < 0:
        raise ValueError(
            "attention weights must be finite and not negative; received values between "
            f"{weights.min()} and {weights.max()}"
        )
    tolerance = 1e-3 if received.dtype.itemsize >= 4 else 2e-2
    sums = weights.sum(axis=-1)
    if np.abs(sums - 1).max() > tolerance:
        raise ValueError(
            "each row of attention must sum to one; received sums between "
            f"{sums.min():.6g} and {sums.max():.6g}"
        )
    if causal and (ahead := np.triu(weights, k=1).max()) >= 1e-6:
        raise ValueError(
            "causal attention must not look ahead; received a weight of "
            f"{ahead:.6g} above the diagonal"
        )
    return weights


def plot_attention_head(
    axes: Axes,
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    title: str = "",
    *,
    max_weight: float | None = None,
    label_size: float | None = None,
) -> AxesImage:
    """Draw the weights (queries, keys) of one head into `axes`; return the image for a colour bar.

    Query labels stand at the left, key labels on top. `max_weight` is drawn darkest, by default
    the largest weight, rounded up. `label_size` is in points; by default it suits a map of the
    size that `plot_attention_weights` gives it.
    """
    weights = check_attention(weights, len(row_labels), len(column_labels))
    return draw_heat_map(
        axes,
        weights,
        row_labels,
        column_labels,
        limits=(0.0, max_weight or darkest_weight(weights)),
        label_size=label_size or MapSize.for_labels(row_labels, column_labels).label_size,
        title=title,
    )


def plot_attention_weights(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    causal: bool = False,
    max_weight: float | None = None,
    row_word: str = "",
    mask: np.ndarray | None = None,
) -> Figure:
    """A figure with one labelled map a head, all in the same colours.

    Args:
        weights: (heads, queries, keys).
        row_labels: the queries, `column_labels`: the keys; pieces or (`merge_pieces`) words.
        title: of the figure, such as "cross-attention, layer 4".
        heads: numbers of the heads to draw, counted from one; None draws all.
        causal: assert that no query looks at a later key (decoder self-attention).
        max_weight: the weight drawn darkest, by default the largest one in the figure
            (and no less than 4 times an equal share), rounded up; give 1.0 to compare figures
            with each other.
        row_word: what the model does with the tokens at the left, such as "writes"; then the axes
            have names, this one and "looks at".
        mask: 1 where a key is blocked, broadcastable to (queries, keys): hatched.
    """
    _check_dimensions(weights, "(heads, queries, keys)")
    weights = check_attention(weights, len(row_labels), len(column_labels), causal)
    weights, names = _choose_heads(weights, heads)
    layout = _heads_layout(row_labels, column_labels, names, title, row_word, mask is not None)
    return _draw_maps(layout, weights, row_labels, column_labels, max_weight, mask=mask)


def plot_attention_side_by_side(
    maps: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Maps of several models, of the same queries and keys, each under its name.

    Args:
        maps: by name, (queries, keys).
        row_labels, column_labels, title: as in `plot_attention_weights`.
    """
    weights = check_attention(np.stack(list(maps.values())), len(row_labels), len(column_labels))
    layout = _heads_layout(row_labels, column_labels, tuple(maps), title)
    return _draw_maps(layout, weights, row_labels, column_labels, 1.0)


def plot_attention_layers(
    weights_by_layer: Sequence[np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    causal: bool = False,
    max_weight: float | None = None,
    row_word: str = "",
) -> Figure:
    """All heads of all layers on one page: a row of maps a layer, a column of maps a head.

    Args:
        weights_by_layer: (layers, heads, queries, keys), the first layer on top; the labels stand
            once at the left and once on top. The rest is as in `plot_attention_weights`.

    Where many maps with labels would not fit a page, the tokens have numbers, with a key below.
    """
    weights = np.stack([np.asarray(layer) for layer in weights_by_layer])
    _check_dimensions(weights, "(layers, heads, queries, keys)")
    weights = check_attention(weights, len(row_labels), len(column_labels), causal)
    chosen, names = _choose_heads(weights, heads)
    labels, key = (row_labels, column_labels), ""
    layout = _layers_layout(*labels, len(weights), names, title, row_word)
    if layout.width > WIDEST_PAGE:
        key = _key(row_labels, column_labels)
        labels = _numbers(len(row_labels)), _numbers(len(column_labels))
        layout = _layers_layout(*labels, len(weights), names, title, row_word, key)
    size = _NUMBER_SIZE if key else None
    return _draw_maps(layout, chosen, *labels, max_weight, size)


def layer_number(layer: str | None, layers: int, also: str = "") -> int:
    """The layer that an option --layer names, from 1; the last one if it is left out.

    Args:
        layer: as it was typed.
        layers: how many there are.
        also: what else may be typed, for the message.

    Raises:
        InputError: there is no such layer.
    """
    number = str(layers) if layer is None else layer
    if not number.isdecimal() or not 1 <= int(number) <= layers:
        raise InputError(f"--layer must be 1 to {layers}{also}; received {layer}")
    return int(number)


def _draw_maps(
    layout: Layout,
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    max_weight: float | None,
    label_size: float | None = None,
    mask: np.ndarray | None = None,
) -> Figure:
    """Each map of `weights` (..., queries, keys) in a panel of its own, all in the same colours."""
    page = Page(layout)
    max_weight = max_weight or darkest_weight(weights)
    for index, head in enumerate(weights.reshape(-1, *weights.shape[-2:])):
        axes = page.panel(index)
        image = plot_attention_head(
            axes,
            head,
            row_labels,
            column_labels,
            layout.title_of(index),
            max_weight=max_weight,
            label_size=label_size,
        )
        if mask is not None:
            shade_blocked(image, np.broadcast_to(mask == 1, head.shape))
        if layout.shared_labels:
            row, column = divmod(index, layout.columns)
            hide_labels(axes, rows=column > 0, columns=row > 0)
    page.add_color_bar(image, "attention weight")
    return page.figure


def _heads_layout(
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    titles: tuple[str, ...],
    title: str,
    row_word: str = "",
    masked: bool = False,
) -> Layout:
    size = MapSize.for_labels(row_labels, column_labels)
    width = size.left + size.width
    columns = min(
        best_columns(len(titles), width, size.top + size.height),
        columns_side_by_side(len(titles), width),
    )
    rows = -(-len(titles) // columns)
    return Layout(
        rows=rows,
        columns=columns,
        panel_width=size.width,
        panel_height=size.height,
        left=size.left,
        top=size.top,
        title=title,
        caption=CAPTION + (" Hatched keys are blocked." if masked else ""),
        panel_titles=tuple(f"{name} looks at" for name in titles) if row_word else titles,
        row_names=(row_word,) * rows if row_word else (),
    )


def _layers_layout(
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    layers: int,
    heads: tuple[str, ...],
    title: str,
    row_word: str,
    key: str = "",
) -> Layout:
    """With a `key` to numbers that stand for tokens the maps are as large as the page allows."""
    size = MapSize.for_labels(row_labels, column_labels, cell=0.0)  # as small as labels allow
    if key:
        width = (_MAPS_WIDTH - _LAYERS_GAP * (len(heads) - 1)) / len(heads)
        cell = min(_WIDEST_CELL, width / len(column_labels))
        size = replace(
            size, width=cell * len(column_labels), height=cell * len(row_labels), left=0.2, top=0.2
        )
    words = f" At the left stands what the model {row_word}, above what it looks at."
    names = tuple(f"layer {number}" for number in range(1, layers + 1))
    return Layout(
        rows=layers,
        columns=len(heads),
        panel_width=size.width,
        panel_height=max(size.height, widest(names, PANEL_TITLE_SIZE)),
        left=size.left,
        top=size.top,
        title=title,
        caption=CAPTION + (words if row_word else "") + key,
        panel_titles=heads,
        row_names=names,
        shared_labels=True,
        gap=_LAYERS_GAP,
    )


def _numbers(count: int) -> list[str]:
    """Labels of tokens, counted from one: so many of them that they stand apart."""
    step = -(-count // _MOST_NUMBERS)
    return [str(i + 1) if i % step == 0 else "" for i in range(count)]


def _key(row_labels: Sequence[str], column_labels: Sequence[str]) -> str:
    """What the numbers stand for; a number and its token stay on one line."""

    def sentence(labels: Sequence[str]) -> str:
        numbered = (f"{i}\N{NO-BREAK SPACE}{label}" for i, label in enumerate(labels, start=1))
        return " · ".join(numbered)

    if list(row_labels) == list(column_labels):
        return f" Tokens: {sentence(row_labels)}"
    return f" Rows: {sentence(row_labels)} Columns: {sentence(column_labels)}"


def _check_dimensions(weights: np.ndarray, expected: str) -> None:
    if np.ndim(weights) != expected.count(",") + 1:
        raise ValueError(f"weights must be {expected}; received shape {np.shape(weights)}")


def _choose_heads(
    weights: np.ndarray, heads: Sequence[int] | None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Of `weights` (..., heads, queries, keys) those with the numbers `heads`, and their names."""
    count = weights.shape[-3]
    numbers = list(range(1, count + 1)) if heads is None else list(heads)
    if not numbers or not all(1 <= number <= count for number in numbers):
        raise ValueError(f"heads must be numbers from 1 to {count}; received {numbers}")
    chosen = weights[..., [number - 1 for number in numbers], :, :]
    return chosen, tuple(f"head {number}" for number in numbers)
