"""The figures of a trained translator, one registry entry each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import (
    layer_number,
    plot_attention_layers,
    plot_attention_weights,
)
from tf_models.plotting.head_statistics import (
    attention_diagonality,
    attention_entropy,
    plot_head_statistics,
)
from tf_models.plotting.masks import plot_mask, plot_masked_softmax
from tf_models.plotting.positional_encoding import plot_positional_encoding
from tf_models.plotting.query import plot_query_histogram, plot_query_in_map
from tf_models.tasks.translation.attention import attention_maps
from tf_models.tasks.translation.figure_options import FigureOptions
from tf_models.tasks.translation.protocol import ATTENTION_KINDS, inner_transformer
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.masks import create_masks, create_padding_mask
from tf_models.transformer.positional_encoding import positional_encoding

PADDING_SHOWN = 3  # positions of padding behind the sentences whose masks are drawn
POSITIONS_SHOWN = 50
# What the model does with the tokens of the rows, by kind of attention.
ROW_WORDS = {"encoder": "reads", "decoder": "reads", "cross": "writes"}


@dataclass(frozen=True)
class TranslatorFigure:
    """A figure that a command can draw.

    draw: (translator, options) -> the figure.
    options: names of the further options that it heeds.
    applies: whether a translator has what the figure shows.
    """

    draw: Callable[[Translator, FigureOptions], Figure]
    options: tuple[str, ...] = ()
    applies: Callable[[Translator], bool] = lambda translator: True


def draw_figure(name: str, translator: Translator, options: FigureOptions) -> Figure:
    """One of `FIGURES` by its name.

    Raises:
        InputError: the model has nothing of that kind, or an option makes no sense for it.
    """
    figure = FIGURES[name]
    for option in ("layer", "head", "words", "query"):
        given = getattr(options, option)
        if given is not None and given is not False and option not in figure.options:
            raise InputError(f"--figure {name} has no --{option}")
    if not figure.applies(translator):
        raise InputError(f"this model has nothing to draw for --figure {name}")
    return figure.draw(translator, options)


def draw_maps(translator: Translator, options: FigureOptions) -> Figure:
    """Heat maps of the heads of one layer (the last by default), of one head, or of all layers."""
    weights, rows, columns = _maps(translator, options)
    name = ATTENTION_KINDS[options.kind]
    check_head(options.head, weights.shape[1])
    shown = {
        "heads": options.head and [options.head],
        "causal": options.kind == "decoder",
        "row_word": ROW_WORDS[options.kind],
    }
    if options.layer == "all":
        return plot_attention_layers(weights, rows, columns, title=name, **shown)
    layer = layer_number(options.layer, len(weights), also=" or all")
    title = f"{name}, layer {layer}"
    return plot_attention_weights(weights[layer - 1], rows, columns, title=title, **shown)


def draw_query(translator: Translator, options: FigureOptions) -> Figure:
    """One head's map, a row of it framed, and the same row as a histogram."""
    weights, rows, columns, row, title = _head_and_query(translator, options)
    return plot_query_in_map(weights, rows, columns, row, title=title)


def draw_histogram(translator: Translator, options: FigureOptions) -> Figure:
    """Where one token looks, and the weighted sum of the values that attention makes of it."""
    weights, rows, columns, row, title = _head_and_query(translator, options)
    return plot_query_histogram(weights[row], columns, rows[row], title=title)


def _head_and_query(translator: Translator, options: FigureOptions):
    """Weights (queries, keys) of one head, its tokens, the number of the query, and a title."""
    weights, rows, columns = _maps(translator, options)
    head = 1 if options.head is None else options.head
    check_head(head, weights.shape[1])
    layer = layer_number(options.layer, len(weights))
    row = row_number(options, rows)
    kind = ATTENTION_KINDS[options.kind]
    title = f"{kind}, layer {layer}, head {head}: where “{rows[row]}” looks"
    return weights[layer - 1, head - 1], rows, columns, row, title


def draw_statistics(translator: Translator, options: FigureOptions) -> Figure:
    """How blurred and how diagonal each head is: early layers beside later ones."""
    weights = _maps(translator, options).weights
    title = f"{ATTENTION_KINDS[options.kind]} of “{options.sentence}”"
    return plot_head_statistics(
        attention_entropy(weights), attention_diagonality(weights), title=title
    )


def draw_mask(translator: Translator, options: FigureOptions) -> Figure:
    """The mask of one kind of attention, for a sentence pair with some padding behind it."""
    source, target = _padded_pair(translator, options)
    masks = create_masks(tf.constant([source]), tf.constant([target]))
    kinds = ("encoder", "decoder", "cross")  # in the order of `create_masks`
    mask = dict(zip(kinds, masks, strict=True))[options.kind][0, 0].numpy()  # (1 or rows, columns)
    read = translator.tokenizers.source.tokens(source)
    written = translator.tokenizers.target.tokens(target)
    rows = read if options.kind == "encoder" else written
    columns = written if options.kind == "decoder" else read
    return plot_mask(mask, rows, columns, title=f"mask of {ATTENTION_KINDS[options.kind]}")


def draw_masked_softmax(translator: Translator, options: FigureOptions) -> Figure:
    """What the padding mask does to a head's scores: before the softmax and after it."""
    source = _padded(translator.source.encode(options.sentence), translator)
    encoder, inp = inner_transformer(translator.model).encoder, tf.constant([source])
    scores = encoder.scores(inp, create_padding_mask(inp))[0].numpy()
    head = 1 if options.head is None else options.head
    check_head(head, scores.shape[1])
    layer = layer_number(options.layer, len(scores))
    mask = np.equal(source, PADDING_ID)[np.newaxis].astype(float)  # (1, inp_len)
    tokens = translator.tokenizers.source.tokens(source)
    title = f"encoder self-attention, layer {layer}, head {head}: what the padding mask does"
    return plot_masked_softmax(scores[layer - 1, head - 1], mask, tokens, tokens, title=title)


def draw_positions(translator: Translator, options: FigureOptions) -> Figure:
    """Positional encodings as wide as the model: sines and cosines in turn, and side by side."""
    width = inner_transformer(translator.model).encoder.d_model
    layouts = {"interleaved (Vaswani et al.)": True, "concatenated (Tensor2Tensor)": False}
    encodings = {
        name: positional_encoding(POSITIONS_SHOWN, width, interleaved)[0].numpy()
        for name, interleaved in layouts.items()
    }
    return plot_positional_encoding(encodings, title=f"positional encoding, d_model {width}")


def _maps(translator: Translator, options: FigureOptions):
    return attention_maps(
        translator, options.sentence, options.target, kind=options.kind, words=options.words
    )


def _padded_pair(translator: Translator, options: FigureOptions) -> tuple[list[int], list[int]]:
    """Source ids, and target ids as the decoder reads them, with padding behind."""
    source = translator.source.encode(options.sentence)
    if options.target is None:
        target = translator.greedy_ids(source)
    else:
        target = translator.target.encode(options.target)[:-1]
    return _padded(source, translator), _padded(target, translator)


def _padded(ids: list[int], translator: Translator) -> list[int]:
    """With padding behind, as far as the model has positions."""
    return ids + [PADDING_ID] * min(PADDING_SHOWN, translator.longest - len(ids))


def check_head(head: int | None, heads: int) -> None:
    """Refuse a head that a layer of so many does not have.

    Raises:
        InputError: it is not 1 to `heads`, nor None for all of them.
    """
    if head is not None and not 1 <= head <= heads:
        raise InputError(f"--head must be 1 to {heads}; received {head}")


def row_number(options: FigureOptions, rows: list[str]) -> int:
    """The first row of that name; of a piece the mark of a word's beginning may be left out."""
    query = options.query
    if query is None:
        raise InputError(f"this figure needs --query, one of {' '.join(rows)}")
    names = [row.removeprefix("▁") for row in rows]
    if query.removeprefix("▁") not in names:
        raise InputError(f"--query must be one of {' '.join(rows)}; received {query}")
    return names.index(query.removeprefix("▁"))


def _is_transformer(translator: Translator) -> bool:
    return inner_transformer(translator.model) is not None


FIGURES = {  # described in `figure_options.FIGURE_NAMES`
    "maps": TranslatorFigure(draw_maps, ("layer", "head", "words")),
    "query": TranslatorFigure(draw_query, ("layer", "head", "words", "query")),
    "histogram": TranslatorFigure(draw_histogram, ("layer", "head", "words", "query")),
    "statistics": TranslatorFigure(draw_statistics, ("words",)),
    "mask": TranslatorFigure(draw_mask, applies=_is_transformer),
    "masked-softmax": TranslatorFigure(draw_masked_softmax, ("layer", "head"), _is_transformer),
    "positions": TranslatorFigure(draw_positions, applies=_is_transformer),
}
