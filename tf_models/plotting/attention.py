"""Attention maps: one head, all heads of a layer, all layers of a model, and what a story got.

Weights are arrays (..., queries, keys): a row says what one query attends to, so it sums to one.
Heads and layers are counted from one, on the figures and in the arguments.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    HeatMap,
    MapSize,
    darkest_weight,
    draw_heat_maps,
    frame_cells,
)
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, text_style, widest
from tf_models.plotting.page import (
    GAP,
    MAX_WIDTH,
    MIN_BAR_HEIGHT,
    add_color_bar,
    best_columns,
    fit_page,
)
from tf_models.plotting.words import NOTHING_LEFT, shortened

CAPTION = "Each row is a query and shows how its attention is shared among the keys above."
_NORMS_CAPTION = (
    "Each row is a query. A number is the weight of a key times the norm of the value that the "
    "head carries from there, (x W^V + b^V) W^O: how far the key moves the query (Kobayashi et al. "
    "2020). Rows need not sum to one."
)
_SHARED_ANEW = (
    f"Each row is divided by what is left; one with less than {NOTHING_LEFT:.0%} left is empty."
)
_BLOCKED_CAPTION = " Hatched keys are blocked."
_LAYERS_GAP = 0.14  # inches
_SMALL, _LINE_HEIGHT = 5.5, 1.2  # points of the labels of many maps, and of a line in font sizes
_MAX_WORDS, _MAX_NUMBERS = 24, 12  # labels of a side of many maps
_MAPS_WIDTH = 8.4  # inches of all maps of a layer whose tokens have numbers
_STORY_CAPTION = "Each column is a step of attention and shows how it is shared among the facts."
_MARK = "→ "
_MARK_CAPTION = f" The answer follows from the facts with an arrow ({_MARK.strip()})."


class Reading(NamedTuple):
    """How the numbers of a map are read.

    name: of the colour bar.
    caption: below the figure.
    sums: whether each row sums to one.
    """

    name: str = "attention weight"
    caption: str = CAPTION
    sums: bool = True


WEIGHTS = Reading()


def reading_of(*, value_norms: bool = False, left_out: float | None = None) -> Reading:
    """How maps are read whose weights are multiplied by the norms of the values that they carry, or
    which leave out start, end and punctuation with the share `left_out`.
    """
    name, caption = ("weight × norm", _NORMS_CAPTION) if value_norms else WEIGHTS[:2]
    if left_out is not None:
        whole = "these norms." if value_norms else f"the attention. {_SHARED_ANEW}"
        caption += f" Start, end and punctuation are left out; they had {left_out:.0%} of {whole}"
    return Reading(name, caption, sums=not value_norms and left_out is None)


def check_attention(
    weights: np.ndarray, rows: int, columns: int, causal: bool = False, sums: bool = True
) -> np.ndarray:
    """Return `weights` (..., rows, columns) as float64 if they can be attention.

    They must be finite and not negative, and with `sums` each row must sum to one (within 1e-3, or
    2e-2 for 16-bit floats); with `causal`, no query may attend to a later key.

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
    of_rows = weights.sum(axis=-1)
    if sums and np.abs(of_rows - 1).max() > tolerance:
        raise ValueError(
            "each row of attention must sum to one; received sums between "
            f"{of_rows.min():.6g} and {of_rows.max():.6g}"
        )
    if causal and (ahead := np.triu(weights, k=1).max()) >= 1e-6:
        raise ValueError(
            "causal attention must not look ahead; received a weight of "
            f"{ahead:.6g} above the diagonal"
        )
    return weights


def plot_attention_weights(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    causal: bool = False,
    row_word: str = "",
    mask: np.ndarray | None = None,
    reading: Reading = WEIGHTS,
    names: Sequence[str] = (),
    darkest: float | None = None,
    framed: int | None = None,
) -> Figure:
    """A figure with one labelled map a head, all in the same colours up to the largest weight.

    Args:
        weights: (heads, queries, keys).
        row_labels: the queries, `column_labels`: the keys; pieces or (`merge_pieces`) words.
        title: of the figure, such as "cross-attention, layer 4".
        heads: numbers of the heads to draw, counted from one; None draws all.
        causal: assert that no query attends to a later key (decoder self-attention).
        row_word: what the model does with the tokens at the left, such as "writes"; then the axes
            have names, this one and "attends to".
        mask: 1 where a key is blocked, broadcastable to (queries, keys): hatched.
        reading: how the numbers are read, if they are not weights (see `reading_of`).
        names: of the maps, in place of the heads' numbers.
        darkest: the number that is drawn darkest, in place of the largest (see `darkest_weight`).
        framed: index of a query whose row has a frame.

    Raises:
        ValueError: the weights cannot be attention (see `check_attention`), or have no such head.

    Example:
        >>> weights = np.stack([np.eye(3), np.full((3, 3), 1 / 3)])  # two heads
        >>> figure = plot_attention_weights(weights, ["der", "Hund", "."], ["the", "dog", "."])
    """
    _check_dimensions(weights, "(heads, queries, keys)")
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    shape = len(row_labels), len(column_labels)
    weights, numbered = _choose_heads(check_attention(weights, *shape, causal, reading.sums), heads)
    size = MapSize.of(*shape)
    titles = [f"{name} attends to" if row_word else name for name in names or numbered]
    whole = size.with_labels(row_labels, column_labels)
    width = max(size.width, widest(titles, PANEL_TITLE_SIZE))
    columns = best_columns(len(weights), max(whole[0], width), whole[1])
    blocked = None if mask is None else np.broadcast_to(mask == 1, shape)
    limits = 0.0, darkest or darkest_weight(weights)
    maps = [
        HeatMap(np.ma.array(one, mask=blocked), row_labels, column_labels, limits, name)
        for name, one in zip(titles, weights, strict=True)
    ]
    panels = draw_heat_maps(maps, columns, label_size=size.label_size)
    _frame(panels.flat[: len(maps)], framed, shape[1])
    for axes in panels[:, 0] if row_word else ():
        axes.set_ylabel(row_word, **text_style(PANEL_TITLE_SIZE))
    height = max(size.height, MIN_BAR_HEIGHT if len(panels) == 1 else 0.0)
    _add_weight_bar(panels, reading.name, width, height, whole[1] - size.height + GAP)
    caption = reading.caption + ("" if mask is None else _BLOCKED_CAPTION)
    return fit_page(panels[0, 0], width, height, title=title, caption=caption)


def plot_attention_side_by_side(
    maps: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    darkest: float = 1.0,
    **options: Any,
) -> Figure:
    """Maps of several models, (queries, keys) each, of the same queries and keys, each under its
    name.

    All else is as in `plot_attention_weights`.
    """
    options |= {"names": list(maps), "darkest": darkest}
    return plot_attention_weights(
        np.stack(list(maps.values())), row_labels, column_labels, **options
    )


def plot_attention_layers(
    weights_by_layer: Sequence[np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    causal: bool = False,
    row_word: str = "",
    reading: Reading = WEIGHTS,
    framed: int | None = None,
) -> Figure:
    """All heads of all layers on one page: a row of maps a layer, a column of maps a head.

    The weights are (layers, heads, queries, keys), the first layer on top; the labels stand once at
    the left and once on top. The rest is as in `plot_attention_weights`.

    Many maps have small labels and a page as wide as it must be. Where a side has more than 24, the
    tokens have numbers, with a key below.
    """
    weights = np.stack([np.asarray(layer) for layer in weights_by_layer])
    _check_dimensions(weights, "(layers, heads, queries, keys)")
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    weights = check_attention(weights, len(row_labels), len(column_labels), causal, reading.sums)
    weights, names = _choose_heads(weights, heads)
    layers, columns = weights.shape[:2]
    size, labels, key = _layer_maps(columns, row_labels, column_labels)
    if widest(names, PANEL_TITLE_SIZE) > size.width:  # then the first name explains the numbers
        names = names[0], *(name.removeprefix("head ") for name in names[1:])
    limits = 0.0, darkest_weight(weights)
    maps = [
        HeatMap(weights[layer, head], *labels, limits, names[head] if layer == 0 else "")
        for layer, head in np.ndindex(layers, columns)
    ]
    panels = draw_heat_maps(maps, columns, gap=_LAYERS_GAP, label_size=size.label_size)
    _frame(panels.flat, framed, len(column_labels))
    for axes in panels.flat:
        axes.label_outer()  # all maps have the same labels
    layer_names = [f"layer {number}" for number in range(1, layers + 1)]
    for axes, name in zip(panels[:, 0], layer_names, strict=True):
        axes.set_ylabel(name, **text_style(PANEL_TITLE_SIZE))
    width = max(size.width, widest(names[1:], PANEL_TITLE_SIZE))
    height = max(size.height, widest(layer_names, PANEL_TITLE_SIZE), MIN_BAR_HEIGHT / layers)
    _add_weight_bar(panels, reading.name, width, height, _LAYERS_GAP)
    words = f" At the left stands what the model {row_word}, above what it attends to."
    caption = reading.caption + (words if row_word else "") + key
    return fit_page(panels[0, 0], width, height, title=title, caption=caption)


def plot_story(
    weights: np.ndarray,
    steps: Sequence[str],
    facts: Sequence[str],
    *,
    marked: Collection[int] = (),
    title: str = "",
) -> Figure:
    """The facts in their order, from top to bottom, and what each step attends to.

    Args:
        weights: (steps, facts); those of a step sum to one.
        steps: their names: "hop 1" …, then the words of the answer.
        facts: of the story.
        marked: indices of the facts from which the answer follows.
        title: question and answer.
    """
    weights = check_attention(weights, len(steps), len(facts))
    labels = [f"{_MARK if i in marked else ''}{fact}" for i, fact in enumerate(facts)]
    size = MapSize.of(*weights.T.shape)
    one = HeatMap(weights.T, labels, steps, (0.0, darkest_weight(weights)))  # (facts, steps)
    ((axes,),) = draw_heat_maps([one], 1, label_size=size.label_size)
    height = max(size.height, MIN_BAR_HEIGHT)
    add_color_bar([axes], "attention weight", size.width, height)
    caption = _STORY_CAPTION + (_MARK_CAPTION if marked else "")
    return fit_page(axes, size.width, height, title=title, caption=caption)


def _add_weight_bar(
    panels: np.ndarray, name: str, width: float, height: float, between: float
) -> None:
    """A colour bar beside as many rows of panels, `between` inches apart, as it needs."""
    rows = min(len(panels), math.ceil(MIN_BAR_HEIGHT / height))
    whole = rows * height + (rows - 1) * between
    add_color_bar(panels[:rows, -1], name, width, whole)


def _layer_maps(
    columns: int, row_labels: Sequence[str], column_labels: Sequence[str]
) -> tuple[MapSize, tuple[Sequence[str], Sequence[str]], str]:
    """Size, labels and, if they are numbers, a key of the maps of which `columns` make a row."""
    rows, keys = len(row_labels), len(column_labels)
    for label_size in (MapSize.of(rows, keys).label_size, _SMALL):
        cell = label_size * _LINE_HEIGHT / 72  # as small as labels allow
        size = MapSize(cell * keys, cell * rows, label_size)
        labels_width = size.with_labels(row_labels, column_labels)[0] - size.width
        if 1.0 + labels_width + columns * (size.width + _LAYERS_GAP) <= MAX_WIDTH:
            return size, (row_labels, column_labels), ""
    if max(rows, keys) <= _MAX_WORDS:
        return size, (row_labels, column_labels), ""
    cell = (_MAPS_WIDTH - _LAYERS_GAP * (columns - 1)) / columns / keys
    size = MapSize(cell * keys, cell * rows, _SMALL)
    return size, (_numbers(rows, cell), _numbers(keys, cell)), _key(row_labels, column_labels)


def _numbers(count: int, cell: float) -> list[str]:
    """Labels of tokens in cells of that many inches: so many of them that they stand apart."""
    step = math.ceil(max(count / _MAX_NUMBERS, _SMALL / 72 / cell))
    return [str(i + 1) if i % step == 0 else "" for i in range(count)]


def _frame(panels: Iterable[Axes], row: int | None, columns: int) -> None:
    if row is not None:
        for axes in panels:
            frame_cells(axes, 1, columns, first_row=row)


def _key(row_labels: Sequence[str], column_labels: Sequence[str]) -> str:
    """What the numbers stand for; a number and its token stay on one line."""

    def sentence(labels: Sequence[str]) -> str:
        numbered = (f"{i}\N{NO-BREAK SPACE}{label}" for i, label in enumerate(labels, start=1))
        return " · ".join(numbered)

    if list(row_labels) == list(column_labels):
        return f"\nTokens: {sentence(row_labels)}"
    return f"\nRows: {sentence(row_labels)}\nColumns: {sentence(column_labels)}"


def _check_dimensions(weights: np.ndarray, expected: str) -> None:
    if np.ndim(weights) != expected.count(",") + 1:
        raise ValueError(f"weights must be {expected}; received shape {np.shape(weights)}")


def _choose_heads(
    weights: np.ndarray, heads: Sequence[int] | None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The heads of `weights` (..., heads, queries, keys) with the numbers `heads`, and names."""
    count = weights.shape[-3]
    numbers = list(range(1, count + 1)) if heads is None else list(heads)
    if not numbers or not all(1 <= number <= count for number in numbers):
        raise ValueError(f"heads must be numbers from 1 to {count}; received {numbers}")
    chosen = weights[..., [number - 1 for number in numbers], :, :]
    return chosen, tuple(f"head {number}" for number in numbers)
