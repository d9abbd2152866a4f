"""Attention maps of a head, a layer, all layers, and a story's facts.

Weights are arrays (..., queries, keys): a row says what one query attends to, so it sums to one.
Heads and layers are counted from one, on the figures and in the arguments.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting import style
from tf_models.plotting.heat_map import (
    HeatMap,
    as_weights,
    darkest_weight,
    draw_heat_maps,
    label_points,
)
from tf_models.plotting.style import shortened
from tf_models.word_attention import NOTHING_LEFT

CAPTION = "Each row is a query and shows how its attention is shared among the keys above."
WEIGHT = "attention weight"  # name of a colour bar
_MAX_WORDS = 24  # most labels along a side where there are many maps
_SMALL = 6.0  # points of these labels
_MAPS_WITH_LABELS = 3  # more maps share their labels, or the page is too high
_STORY_CAPTION = "Each column is a step of attention and shows how it is shared among the facts."
_MARK = "→ "
_MARK_CAPTION = f" The answer follows from the facts with an arrow ({_MARK.strip()})."


def caption_without_marks(left_out: float) -> str:
    """Caption of maps without marks, whose share of attention was `left_out`."""
    return (
        f"{CAPTION} Start, end and punctuation are left out; they had {left_out:.0%} of the "
        "attention. Each row is divided by what is left; one with less than "
        f"{NOTHING_LEFT:.0%} left is empty."
    )


def plot_attention_head(
    in_tokens: Sequence[str], translated_tokens: Sequence[str], attention: np.ndarray
) -> Figure:
    """The tutorial's map of one head, from translated to input tokens.

    The weights `attention` are (translated_tokens, in_tokens).
    """
    weights = as_weights(attention, translated_tokens, in_tokens, heads=False)
    return plot_attention_maps(weights[np.newaxis], translated_tokens, in_tokens, names=[""])


def plot_attention_maps(
    weights: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    row_word: str = "",
    caption: str = CAPTION,
    names: Sequence[str] = (),
    darkest: float | None = None,
    framed: int | None = None,
) -> Figure:
    """The tutorial's figure: a labelled map of each head, in the same colours.

    Args:
        weights: (heads, queries, keys), or those of a batch of one sentence.
        row_labels: the queries, `column_labels`: the keys; pieces or (`merge_pieces`) words.
        title: title of the figure, such as "cross-attention, layer 4"; `caption`: text below it.
        heads: numbers of the heads to draw, counted from one; None draws all.
        row_word: verb for what the model does with the tokens at the left, such as "writes"; it and
            "attends to" then name the axes.
        names: names of the maps, in place of the heads' numbers.
        darkest: the number that is drawn darkest, in place of the largest (see `darkest_weight`).
        framed: index of a query whose row has a frame.

    Raises:
        InputError: the weights have another shape than the labels, or are no numbers.

    Example:
        >>> weights = np.stack([np.eye(3), np.full((3, 3), 1 / 3)])  # two heads
        >>> figure = plot_attention_maps(weights, ["der", "Hund", "."], ["the", "dog", "."])
    """
    row_labels, column_labels = shortened(row_labels), shortened(column_labels)
    weights = as_weights(weights, row_labels, column_labels)
    heads = heads or range(1, len(weights) + 1)
    weights = weights[[i - 1 for i in heads]]
    names = names or [f"head {i}" for i in heads]
    titles = [f"{name} attends to" if row_word else name for name in names]
    limits = 0.0, darkest or darkest_weight(weights)
    maps = [
        HeatMap(matrix, row_labels, column_labels, limits, name)
        for name, matrix in zip(titles, weights, strict=True)
    ]
    shared = len(maps) > _MAPS_WITH_LABELS
    return draw_heat_maps(
        maps,
        bars=[WEIGHT],
        row_names=[row_word] * len(maps),
        shared=shared,
        gap=0.18 if shared else 0.28,
        framed=framed,
        title=title,
        caption=caption,
    )


def plot_attention_side_by_side(
    maps: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    **options: Any,
) -> Figure:
    """Attention maps of several models side by side, for the same tokens.

    Maps are (queries, keys), by name; colours go from 0 to 1. See `plot_attention_maps`.
    """
    options |= {"names": list(maps), "darkest": 1.0}
    return plot_attention_maps(np.stack(list(maps.values())), row_labels, column_labels, **options)


def plot_attention_layers(
    weights_by_layer: Sequence[np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
    heads: Sequence[int] | None = None,
    row_word: str = "",
    caption: str = CAPTION,
    framed: int | None = None,
) -> Figure:
    """All heads of all layers: a row for each layer, a column for each head.

    The weights are (layers, heads, queries, keys), the first layer on top. Labels stand once at the
    left and once on top; with more than 24 tokens, only every second or third has one. The rest is
    as in `plot_attention_maps`.
    """
    weights = np.stack([as_weights(layer, row_labels, column_labels) for layer in weights_by_layer])
    limits = 0.0, darkest_weight(weights)  # all heads count, so that pages have the same colours
    heads = heads or range(1, weights.shape[1] + 1)
    weights = weights[:, [i - 1 for i in heads]]
    layers, columns, rows, keys = weights.shape
    longest = max(rows, keys)
    points = min(_SMALL, label_points(longest))
    step = math.ceil(longest / _MAX_WORDS)
    cell = points * style.LINE_HEIGHT / 72 / step
    row_labels, column_labels = (
        [label if i % step == 0 else "" for i, label in enumerate(shortened(side))]
        for side in (row_labels, column_labels)
    )
    if row_word:
        caption += f" At the left stands what the model {row_word}, above what it attends to."
    maps = [
        HeatMap(
            weights[layer, head],
            row_labels,
            column_labels,
            limits,
            title=f"head {heads[head]}" if layer == 0 else "",
        )
        for layer, head in np.ndindex(layers, columns)
    ]
    return draw_heat_maps(
        maps,
        columns,
        cell=(cell, cell),
        points=points,
        bars=[WEIGHT],
        shared=True,
        row_names=[f"layer {layer + 1}" for layer in range(layers)],
        framed=framed,
        gap=0.14,
        title=title,
        caption=caption,
    )


def plot_story(
    weights: np.ndarray,
    steps: Sequence[str],
    facts: Sequence[str],
    *,
    marked: Collection[int] = (),
    title: str = "",
) -> Figure:
    """Attention to a story: a row for each fact, a column for each step.

    `weights` are (steps, facts); steps are "hop 1" …, then the words of the answer. Facts stand in
    their order; those with the indices `marked` have an arrow: the answer follows from them.
    """
    weights = as_weights(weights, steps, facts, heads=False)
    labels = [f"{_MARK if i in marked else ''}{fact}" for i, fact in enumerate(facts)]
    heat_map = HeatMap(weights.T, labels, steps, (0.0, darkest_weight(weights)))  # (facts, steps)
    caption = _STORY_CAPTION + (_MARK_CAPTION if marked else "")
    return draw_heat_maps([heat_map], bars=[WEIGHT], title=title, caption=caption)
