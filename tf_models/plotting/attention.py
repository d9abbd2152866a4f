"""Attention maps: one head, all heads of a layer, all layers of a model, and what a story got.

Weights are arrays (..., queries, keys): a row says what one query attends to, so it sums to one.
Heads and layers are counted from one, on the figures and in the arguments.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting import style
from tf_models.plotting.heat_map import HeatMap, darkest_weight, draw_heat_maps, label_points
from tf_models.plotting.words import NOTHING_LEFT, shortened

CAPTION = "Each row is a query and shows how its attention is shared among the keys above."
_NORMS_CAPTION = (
    "Each row is a query. A number is the weight of a key times the norm of the value that the "
    "head carries from there: how far the key moves the query (Kobayashi et al. 2020). Rows need "
    "not sum to one."
)
_SHARED_ANEW = (
    f"Each row is divided by what is left; one with less than {NOTHING_LEFT:.0%} left is empty."
)
_MAX_WORDS, _SMALL = 24, 6.0  # words along a side of many maps; points of their names
_STORY_CAPTION = "Each column is a step of attention and shows how it is shared among the facts."
_MARK = "→ "
_MARK_CAPTION = f" The answer follows from the facts with an arrow ({_MARK.strip()})."


class Reading(NamedTuple):
    """Legend of a map's numbers: at the colour bar, and below the figure."""

    name: str = "attention weight"
    caption: str = CAPTION


WEIGHTS = Reading()


def reading_of(*, value_norms: bool = False, left_out: float | None = None) -> Reading:
    """Legend of norm-weighted attention (Kobayashi et al. 2020), or of maps that leave out start,
    end and punctuation, which had the share `left_out`.
    """
    name, caption = ("weight × norm", _NORMS_CAPTION) if value_norms else WEIGHTS
    if left_out is not None:
        whole = "these norms." if value_norms else f"the attention. {_SHARED_ANEW}"
        caption += f" Start, end and punctuation are left out; they had {left_out:.0%} of {whole}"
    return Reading(name, caption)


def plot_attention_head(
    in_tokens: Sequence[str], translated_tokens: Sequence[str], attention: np.ndarray
) -> Figure:
    """The tutorial's map of one head: what each translated token attends to in the input.

    The weights `attention` are (translated_tokens, in_tokens).
    """
    return plot_attention_weights(attention[np.newaxis], translated_tokens, in_tokens, names=[""])


def plot_attention_weights(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    row_word: str = "",
    reading: Reading = WEIGHTS,
    names: Sequence[str] = (),
    darkest: float | None = None,
    framed: int | None = None,
) -> Figure:
    """The tutorial's figure: a labelled map of each head, all in the same colours.

    Args:
        weights: (heads, queries, keys).
        row_labels: the queries, `column_labels`: the keys; pieces or (`merge_pieces`) words.
        title: of the figure, such as "cross-attention, layer 4".
        heads: numbers of the heads to draw, counted from one; None draws all.
        row_word: what the model does with the tokens at the left, such as "writes"; then the axes
            have names, this one and "attends to".
        reading: of the numbers, if they are not weights (see `reading_of`).
        names: of the maps, in place of the heads' numbers.
        darkest: the number that is drawn darkest, in place of the largest (see `darkest_weight`).
        framed: index of a query whose row has a frame.

    Example:
        >>> weights = np.stack([np.eye(3), np.full((3, 3), 1 / 3)])  # two heads
        >>> figure = plot_attention_weights(weights, ["der", "Hund", "."], ["the", "dog", "."])
    """
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    heads = heads or range(1, len(weights) + 1)
    weights = np.asarray(weights)[[i - 1 for i in heads]]
    names = names or [f"head {i}" for i in heads]
    titles = [f"{name} attends to" if row_word else name for name in names]
    limits = 0.0, darkest or darkest_weight(weights)
    maps = [
        HeatMap(one, row_labels, column_labels, limits, name)
        for name, one in zip(titles, weights, strict=True)
    ]
    return draw_heat_maps(
        maps,
        bars=[reading.name],
        row_names=[row_word] * len(maps),
        framed=framed,
        title=title,
        caption=reading.caption,
    )


def plot_attention_side_by_side(
    maps: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    **options: Any,
) -> Figure:
    """Maps of several models, (queries, keys) each, of the same tokens, each under its name.

    Colours go from 0 to 1; all else is as in `plot_attention_weights`.
    """
    options |= {"names": list(maps), "darkest": 1.0}
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
    row_word: str = "",
    reading: Reading = WEIGHTS,
    framed: int | None = None,
) -> Figure:
    """All heads of all layers on one page: a row of maps a layer, a column of maps a head.

    The weights are (layers, heads, queries, keys), the first layer on top; the labels stand once at
    the left and once on top; where there are more than 24 tokens, those of every second or third.
    The rest is as in `plot_attention_weights`.
    """
    weights = np.stack(weights_by_layer)
    heads = heads or range(1, weights.shape[1] + 1)
    weights = weights[:, [i - 1 for i in heads]]
    layers, columns, rows, keys = weights.shape
    longest = max(rows, keys)
    points, step = min(_SMALL, label_points(longest)), math.ceil(longest / _MAX_WORDS)
    cell = points * style.LINE_HEIGHT / 72 / step
    row_labels, column_labels = (
        [one if i % step == 0 else "" for i, one in enumerate(shortened(side))]
        for side in (row_labels, column_labels)
    )
    caption = reading.caption
    if row_word:
        caption += f" At the left stands what the model {row_word}, above what it attends to."
    limits = 0.0, darkest_weight(weights)
    maps = [
        HeatMap(
            weights[layer, head],
            row_labels,
            column_labels,
            limits,
            f"head {heads[head]}" if layer == 0 else "",
        )
        for layer, head in np.ndindex(layers, columns)
    ]
    around: dict[str, Any] = {"title": title, "caption": caption, "bars": [reading.name]}
    size: dict[str, Any] = {"cell": (cell, cell), "points": points, "gap": 0.14}
    names = [f"layer {layer + 1}" for layer in range(layers)]
    return draw_heat_maps(
        maps, columns, shared=True, row_names=names, framed=framed, **size, **around
    )


def plot_story(
    weights: np.ndarray,
    steps: Sequence[str],
    facts: Sequence[str],
    *,
    marked: Collection[int] = (),
    title: str = "",
) -> Figure:
    """The facts in their order, from top to bottom, and the weights (steps, facts) of each step.

    The steps are "hop 1" …, then the words of the answer; the facts with the indices `marked` have
    an arrow: the answer follows from them.
    """
    labels = [f"{_MARK if i in marked else ''}{fact}" for i, fact in enumerate(facts)]
    one = HeatMap(weights.T, labels, steps, (0.0, darkest_weight(weights)))  # (facts, steps)
    caption = _STORY_CAPTION + (_MARK_CAPTION if marked else "")
    return draw_heat_maps([one], bars=["attention weight"], title=title, caption=caption)
