"""Figures of a trained translator: its attention, in maps and by query."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from tf_models.data.annotated import DIRECTOR, HOPKINS, HOPKINS_IN_GERMAN, IT_STANDS_FOR
from tf_models.errors import InputError, check_number
from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import (
    CAPTION,
    caption_without_marks,
    plot_attention_layers,
    plot_attention_maps,
)
from tf_models.plotting.attention_steps import MultiHeadStages, plot_multi_head_attention
from tf_models.plotting.masks import plot_masked_softmax
from tf_models.plotting.number_grid import plot_head_statistics
from tf_models.plotting.query import plot_attention_lines, plot_query_in_map
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Encoder
from tf_models.translation.attention import (
    AttentionMaps,
    attention_diagonality,
    attention_entropy,
    attention_maps,
)
from tf_models.translation.model import ATTENTION_KINDS
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs
from tf_models.translation.translate import Translator
from tf_models.word_attention import WithoutMarks, is_special

PRONOUNS = ("it", "es", "sie")  # for the noun of these sentences
TIRED = next(iter(IT_STANDS_FOR))
PADDING_SHOWN = 3  # positions of padding behind a sentence whose mask is drawn
# What the model does with the tokens of the rows, by kind of attention.
ROW_WORDS = {"encoder": "reads", "decoder": "reads", "cross": "writes"}


def draw_maps(
    translator: Translator,
    *,
    sentence: str = DIRECTOR,
    target: str | None = None,
    kind: str = "cross",
    layer: str | None = None,
    head: int | None = None,
    query: str | None = None,
    words: bool = False,
    without_marks: bool = False,
) -> Figure:
    """Heat maps of a layer's heads, of one head, or of all layers.

    The default is the last layer; the row of `query` is framed.
    """
    changes = {"words": words, "without_marks": without_marks}
    maps = attention_maps(translator, sentence, target, kind=kind, **changes)
    place: list[Any] = [slice(None)]
    plot: Callable[..., Figure] = plot_attention_layers
    title = ATTENTION_KINDS[kind]
    if layer != "all":
        number = check_number("--layer", layer, len(maps.weights), alternative=" or all")
        place = [number - 1]
        plot = plot_attention_maps
        title = f"{title}, layer {number}"
    heads = None
    if head is not None:
        heads = [check_number("--head", head, maps.weights.shape[1])]
    return plot(
        maps.weights[place[0]],
        maps.rows,
        maps.columns,
        title=f"{title}: “{sentence}”",
        heads=heads,
        row_word=ROW_WORDS[kind],
        caption=_caption(maps, *place, *(number - 1 for number in heads or ())),
        framed=None if query is None else _row_of(query, maps, kind),
    )


def _caption(maps: AttentionMaps | WithoutMarks, *place: int | slice) -> str:
    if isinstance(maps, WithoutMarks):
        return caption_without_marks(float(maps.left_out[place].mean()))
    return CAPTION


# Cross-attention between words while a given target is written.
draw_forced_map = partial(draw_maps, sentence=HOPKINS, target=HOPKINS_IN_GERMAN, words=True)
# Of the article's 4 layers of 8 heads: that is the shape of the translator of the package.
draw_32_maps = partial(draw_maps, kind="encoder", layer="all")


def draw_query(
    translator: Translator,
    *,
    sentence: str = TIRED,
    target: str | None = None,
    kind: str | None = None,
    layer: str | None = None,
    head: int | None = None,
    words: bool = True,
    query: str | None = None,
    without_marks: bool = False,
    lines: bool = False,
    report: Callable[[str], None] | None = None,
) -> Figure:
    """Attention of one word: in the map of one head, or as `lines`.

    Lines are of one head, two, and all of a layer.
    If neither target, layer nor head is given, "it", or the pronoun that is written for it, is
    shown in the heads that are for it in other sentences (see `pronoun_contrasts`). Any other word
    is shown in the head of the layer (default: the last) that attends most to a word: in
    cross-attention if the word is written, else in the encoder. `report` is called with a line that
    says which head is shown, and why.
    """
    query_maps = partial(
        attention_maps, translator, sentence, target, words=words, without_marks=without_marks
    )
    known = None
    if target is None and layer is None and head is None and query in (None, *PRONOUNS):
        known = _heads_of_it(translator, sentence, kind, query)
    if known:
        kind = known.kind
        query = known.query
    query = query or "it"
    kind = kind or _kind_of(query, translator.model.attention_kinds, query_maps)
    maps = query_maps(kind=kind)
    row = _row_of(query, maps, kind)
    known = known or _heads_of_layer(kind, query, maps, row, layer, head)
    number, head = known.places[0]
    attends = f"what “{maps.rows[row]}” attends to in “{sentence}”"
    if report:
        report(f"{ATTENTION_KINDS[kind]}, layer {number}, head {head}: {known.why}")
    if lines:
        return _plot_lines(maps, row, known.places, title=f"{ATTENTION_KINDS[kind]}: {attends}")
    return plot_query_in_map(
        maps.weights[number - 1, head - 1],
        maps.rows,
        maps.columns,
        row,
        title=f"{ATTENTION_KINDS[kind]}, layer {number}, head {head}: {attends}",
        caption=_caption(maps, number - 1, head - 1),
    )


def _heads_of_layer(
    kind: str,
    query: str,
    maps: AttentionMaps | WithoutMarks,
    row: int,
    layer: str | None,
    head: int | None,
) -> "KnownHeads":
    """All heads of a layer: the one asked for first, or the surest of a word."""
    number = check_number("--layer", layer, len(maps.weights))
    heads = _surest_heads(maps.weights[number - 1, :, row], maps.columns)
    why = f"of the {len(heads)} heads of this layer it attends most to one word"
    if head is not None:
        heads.remove(check_number("--head", head, len(heads)))
        heads = [head, *heads]
        why = "as asked for"
    return KnownHeads(kind, query, [(number, head) for head in heads], why)


def _plot_lines(
    maps: AttentionMaps | WithoutMarks, row: int, places: Sequence[tuple[int, int]], title: str
) -> Figure:
    """Lines of the first place, of the first two, and of the whole layer."""
    number, _ = places[0]
    whole_layer = [(number, head + 1) for head in range(maps.weights.shape[1])]
    shown = list(dict.fromkeys([*whole_layer, *places[:2]]))
    two = [shown.index(place) + 1 for place in places[:2]]
    panels = [two[:1], two, range(1, len(whole_layer) + 1)]
    return plot_attention_lines(
        np.stack([maps.weights[layer - 1, head - 1] for layer, head in shown]),
        maps.rows,
        maps.columns,
        row,
        panels=panels[: len(whole_layer) + 1],  # a layer of one head has no pair
        names=[f"{layer}.{head}" for layer, head in shown],
        title=title,
        caption=_caption(maps, number - 1),
    )


class KnownHeads(NamedTuple):
    """Kind of attention, row, heads as (layer, number) from 1, and why these."""

    kind: str
    query: str
    places: list[tuple[int, int]]
    why: str


def _heads_of_it(
    translator: Translator, sentence: str, kind: str | None, query: str | None
) -> KnownHeads | None:
    """The head for "it", and one for the adjective that decides, or None."""
    languages = translator.source.tokenizer.language, translator.target.tokenizer.language
    if languages != ("en", "de"):
        return None
    pairs = pronoun_pairs()
    found = {}
    for name, contrast in pronoun_contrasts(translator, pairs).items():
        maps = attention_maps(translator, sentence, kind=name, words=True)
        row = next((row for row in maps.rows if row in PRONOUNS), None)
        if row and "it" in maps.columns and kind in (None, name) and query in (None, row):
            layer, head = contrast.best
            why = f"it {contrast.verdict(layer, head)}, in {len(pairs)} other sentences with “it”"
            both = contrast.best, contrast.ranking_by_adjective[0]
            places = [(layer + 1, head + 1) for layer, head in dict.fromkeys(both)]
            margin = contrast.right[layer, head] - contrast.other[layer, head]
            found[margin] = KnownHeads(name, row, places, why)
    return found[max(found)] if found else None


def _kind_of(query: str, kinds: Collection[str], maps_of: Callable[..., Any]) -> str:
    """Kind of attention whose rows have the word: cross, if it is written."""
    candidates = [kind for kind in ("cross", "encoder") if kind in kinds]
    fitting = (kind for kind in candidates if _plain(query) in map(_plain, maps_of(kind=kind).rows))
    return next(fitting, candidates[0])


def _surest_heads(weights: np.ndarray, columns: Sequence[str]) -> list[int]:
    """Heads, from 1, by their greatest weight on a word: (heads, columns)."""
    to_words = weights[:, [not is_special(column) for column in columns]]
    surest = to_words.max(axis=-1, initial=0)  # 0 where no column is a word
    return (np.argsort(-surest, kind="stable") + 1).tolist()


draw_lines = partial(draw_query, lines=True)


def draw_statistics(
    translator: Translator,
    *,
    sentence: str = DIRECTOR,
    target: str | None = None,
    kind: str = "encoder",
    words: bool = False,
) -> Figure:
    """Entropy and diagonality of each head, layer by layer."""
    weights = attention_maps(translator, sentence, target, kind=kind, words=words).weights
    title = f"{ATTENTION_KINDS[kind]}: “{sentence}”"
    return plot_head_statistics(
        attention_entropy(weights), attention_diagonality(weights), title=title
    )


def draw_masked_softmax(
    translator: Translator, *, sentence: str = DIRECTOR, layer: str | None = None, head: int = 1
) -> Figure:
    """Effect of the padding mask on a head's scores and their softmax."""
    source = translator.source.encode(sentence)
    source += [PADDING_ID] * min(PADDING_SHOWN, translator.max_length - len(source))
    encoder = translator.article_transformer("this figure").encoder
    number = check_number("--layer", layer, encoder.num_layers)
    check_number("--head", head, encoder.num_heads)
    stages = multi_head_stages(encoder, source, number)
    q, k = stages.q[head - 1], stages.k[head - 1]  # (inp_len, depth)
    scores = q @ k.T / np.sqrt(q.shape[1])
    mask = np.equal(source, PADDING_ID)[np.newaxis].astype(float)  # (1, inp_len)
    tokens = translator.tokenizers.source.tokens(source)
    place = f"{ATTENTION_KINDS['encoder']}, layer {number}, head {head}"
    title = f"{place}: what the padding mask does to “{sentence}”"
    return plot_masked_softmax(scores, mask, tokens, tokens, title=title)


def draw_pipeline(
    translator: Translator, *, sentence: str = DIRECTOR, layer: str | None = None
) -> Figure:
    """Encoder self-attention of one layer, from its input to its output."""
    encoder = translator.article_transformer("this figure").encoder
    source = translator.source.encode(sentence)
    number = check_number("--layer", layer, encoder.num_layers)
    title = f"encoder, layer {number}: multi-head attention of “{sentence}”"
    words = translator.tokenizers.source.tokens(source)
    return plot_multi_head_attention(multi_head_stages(encoder, source, number), words, title=title)


def multi_head_stages(encoder: Encoder, source: list[int], layer: int) -> MultiHeadStages:
    """Intermediate arrays of self-attention in encoder layer `layer` (from 1)."""
    inp = tf.constant([source])
    mask, x = create_padding_mask(inp), encoder.embed(inp)  # x: (1, len, d_model)
    for below in encoder.enc_layers[: layer - 1]:
        x, _ = below(x, padding_mask=mask)
    mha = encoder.enc_layers[layer - 1].mha
    q, k, v = (mha.split_heads(project(x), 1) for project in (mha.wq, mha.wk, mha.wv))
    output, weights = mha(x, x, x, mask)
    z = tf.matmul(weights, v)  # (1, heads, len, depth)
    concat = tf.reshape(tf.transpose(z, perm=[0, 2, 1, 3]), x.shape)  # (1, len, d_model)
    stages = (stage[0].numpy() for stage in (x, q, k, v, weights, z, concat))
    return MultiHeadStages._make((*stages, mha.dense.kernel.numpy(), output[0].numpy()))


def _row_of(query: str, maps: AttentionMaps | WithoutMarks, kind: str) -> int:
    """The first row of that name, with or without the ▁ of a word's start."""
    word = _plain(query)
    (rows, columns) = (list(map(_plain, side)) for side in maps[1:3])
    if word in rows:
        return rows.index(word)
    is_source_word = kind == "cross" and word in columns
    hint = ", a word of the source: add --kind encoder" if is_source_word else ""
    raise InputError(f"--query must be one of {' '.join(maps.rows)}; received {query}{hint}")


def _plain(name: str) -> str:
    return name.removeprefix("▁")


FIGURES: dict[str, Callable[..., Any]] = {
    "maps": draw_maps,
    "query": draw_query,
    "lines": draw_lines,
    "forced-map": draw_forced_map,
    "masked-softmax": draw_masked_softmax,
    "statistics": draw_statistics,
    "pipeline": draw_pipeline,
    "32-maps": draw_32_maps,
}
