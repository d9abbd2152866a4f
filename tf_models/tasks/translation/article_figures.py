"""The figures of the articles, one registry entry each: with the articles' own sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from tf_models.data.text.article_sentences import (
    DIRECTOR,
    HOPKINS,
    HOPKINS_IN_GERMAN,
    IT_STANDS_FOR,
    MICHAEL_WEIGHTS,
)
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import (
    layer_number,
    plot_attention_layers,
    plot_attention_side_by_side,
    plot_attention_weights,
)
from tf_models.plotting.attention_lines import plot_attention_lines
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.masks import LabeledMask, plot_masked_softmax, plot_masks
from tf_models.plotting.multi_head import MultiHeadStages, plot_multi_head_attention
from tf_models.plotting.positional_encoding import plot_position_products, plot_positional_encoding
from tf_models.plotting.probabilities import plot_probabilities
from tf_models.plotting.query import plot_query_histogram
from tf_models.plotting.six_steps import plot_six_steps
from tf_models.plotting.spaced_words import keep_spaced_words
from tf_models.plotting.words import is_special, merge_pieces
from tf_models.tasks.translation.attention import Attention, attention_maps, axis_labels
from tf_models.tasks.translation.epochs import kept_epochs
from tf_models.tasks.translation.figure_options import FILM, FigureOptions
from tf_models.tasks.translation.figures import (
    ROW_WORDS,
    check_head,
    draw_maps,
    draw_statistics,
    row_number,
)
from tf_models.tasks.translation.protocol import ATTENTION_KINDS, inner_transformer
from tf_models.tasks.translation.settings import TransformerSettings
from tf_models.tasks.translation.six_words import PAIRS, WORDS, train_six_words
from tf_models.tasks.translation.transformer_model import build_transformer
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Encoder
from tf_models.transformer.positional_encoding import positional_encoding
from tf_models.transformer.schedule import CustomSchedule

SHORT_PADDED = 12, 13  # English and German words, padding included: enough to see what a mask does
LONG_PADDED = 41, 42  # as in the article
DEPTH = 64  # numbers of a query in one head
SCORES = 112, 96  # of The Illustrated Transformer's query with its two keys
TIRED = next(iter(IT_STANDS_FOR))
MOST_FRAMES = 8  # of a film strip: more would not fit a page


Load = Callable[[], tuple[Translator, Path]]  # a translator, and the run directory that it is of


@dataclass(frozen=True)
class ArticleFigure:
    """A figure of an article.

    draw: () -> the figure; of a checkpoint (translator, options) -> the figure; of the epochs of
        a run (translator, options, run_dir) -> the figure.
    defaults: of the options that it heeds; None where it needs no checkpoint.
    of_epochs: whether it needs a run that keeps its epochs.
    """

    draw: Callable[..., Figure]
    defaults: Mapping[str, object] | None = None
    of_epochs: bool = False


def draw_article_figure(name: str, load: Load, given: Mapping[str, object] | None = None) -> Figure:
    """One of `ARTICLE_FIGURES` by its name.

    Args:
        name: of the figure.
        load: what loads a translator, called only where the figure shows one.
        given: options in place of the article's, named as in `FigureOptions`; None is none.

    Raises:
        InputError: no such figure, an option that it does not heed, or a model without what the
            figure shows.
    """
    if name not in ARTICLE_FIGURES:
        known = ", ".join(ARTICLE_FIGURES)
        raise InputError(f"--figure must be one of {known}; received {name}")
    figure, options = ARTICLE_FIGURES[name], _options(name, given or {})
    if options is None:
        return figure.draw()
    translator, run_dir = load()
    return figure.draw(translator, options, *([run_dir] if figure.of_epochs else []))


def draw_frames(load: Load, given: Mapping[str, object] | None = None) -> list[Figure]:
    """The figure `FILM` as a figure for each epoch, all of one size; see `draw_article_figure`."""
    options = _options(FILM, given or {})
    maps, rows, columns = _maps_of_epochs(*load(), options)
    title = _film_title(options)
    return [
        plot_attention_side_by_side({name: one}, rows, columns, title=title)
        for name, one in maps.items()
    ]


# --- masks


def draw_three_masks() -> Figure:
    """The three masks of the article's pair, with some padding behind."""
    return plot_masks(_article_masks(*SHORT_PADDED), title="masks of a padded sentence pair")


def draw_one_mask(index: int, lengths: tuple[int, int] = SHORT_PADDED) -> Figure:
    """What one of the three does to scores; those of random queries and keys show it, too."""
    name, mask, rows, columns = _article_masks(*lengths)[index]
    random = np.random.default_rng(1)
    q, k = random.normal(size=(len(rows), DEPTH)), random.normal(size=(len(columns), DEPTH))
    scores = q @ k.T / np.sqrt(DEPTH)  # (rows, columns)
    title = f"{name}, {len(rows)} x {len(columns)}; scores of random queries and keys"
    return plot_masked_softmax(scores, mask, rows, columns, title=title)


def _article_masks(source_length: int, target_length: int) -> list[LabeledMask]:
    """Encoder padding, look-ahead and padding, decoder padding; a word is a token."""
    source, inp = _padded_words(HOPKINS, source_length)
    target, tar = _padded_words(HOPKINS_IN_GERMAN, target_length)
    enc_padding_mask, combined_mask, dec_padding_mask = create_masks(inp, tar)
    return [
        LabeledMask("encoder padding mask", enc_padding_mask.numpy(), source, source),
        LabeledMask("look-ahead and padding mask", combined_mask.numpy(), target, target),
        LabeledMask("decoder padding mask", dec_padding_mask.numpy(), target, source),
    ]


def _padded_words(sentence: str, length: int) -> tuple[list[str], tf.Tensor]:
    """Labels, and ids (1, length): 1, 2 … for the words, 0 for padding."""
    words = sentence.split()
    padding = length - len(words)
    ids = [*range(1, len(words) + 1), *[PADDING_ID] * padding]
    return [*words, *["<pad>"] * padding], tf.constant([ids])


def draw_padded(translator: Translator, options: FigureOptions, kind: str) -> Figure:
    """One head's map of a pair that is padded as the article pads it."""
    longest = (min(length, translator.longest) for length in LONG_PADDED)
    source_length, target_length = longest
    source = _pad(translator.source.encode(options.sentence), source_length)
    target = translator.target.encode(options.target)
    read, written = _pad(target[:-1], target_length), _pad(target[1:], target_length)
    names = translator.tokenizers
    attention = Attention(
        names.source.tokens(source),
        names.target.tokens(read),
        names.target.tokens(written),
        translator.weights(source, read),
    )
    weights = _of_kind(attention.weights, kind)
    layer = layer_number(options.layer, len(weights))
    check_head(options.head, weights.shape[1])
    rows, columns = axis_labels(attention, kind)
    return plot_attention_weights(
        weights[layer - 1],
        rows,
        columns,
        heads=[options.head],
        title=f"{ATTENTION_KINDS[kind]}, layer {layer}, {len(rows)} x {len(columns)}",
        row_word=ROW_WORDS[kind],
        mask=np.equal(source, PADDING_ID)[np.newaxis],  # (1, inp_len)
    )


def _pad(ids: list[int], length: int) -> list[int]:
    if len(ids) > length:
        raise InputError(f"the sentence must have at most {length} tokens; received {len(ids)}")
    return [*ids, *[PADDING_ID] * (length - len(ids))]


# --- positions, schedule


def draw_positions(positions: int, d_model: int) -> Figure:
    """Positional encoding in both layouts."""
    layouts = {"interleaved (Vaswani et al.)": True, "concatenated (Tensor2Tensor)": False}
    encodings = {
        name: positional_encoding(positions, d_model, interleaved).numpy()
        for name, interleaved in layouts.items()
    }
    return plot_positional_encoding(encodings, title=f"{positions} positions x {d_model} numbers")


def draw_position_products() -> Figure:
    """How near two positions are, for vectors of 512 numbers."""
    encoding = positional_encoding(50, 512).numpy()
    return plot_position_products(encoding, title="dot products of 50 positions, d_model 512")


def draw_learning_rate() -> Figure:
    """The paper's schedule, a narrower model, and a longer warm-up."""
    steps = np.arange(1, 40_001, 100)
    lines = {
        f"d_model {d_model}, {warmup:,} warm-up steps": (
            steps,
            CustomSchedule(d_model, warmup)(steps).numpy(),
        )
        for d_model, warmup in ((128, 4000), (512, 4000), (512, 8000))
    }
    return plot_lines(lines, axis_names=("step", "learning rate"), title="learning rate")


# --- attention by hand


def draw_michael() -> Figure:
    """The article's nine weights, which are rounded and so miss its sum of 1."""
    weights = np.array(MICHAEL_WEIGHTS)
    title = f"where “Michael” looks: {weights.sum():.2f} in all, not 1"
    return plot_query_histogram(weights, HOPKINS.split(), "Michael", title=title)


def draw_six_steps() -> Figure:
    """Random vectors, but for their scores: 112 and 96, as in The Illustrated Transformer."""
    query, *keys, first, second = np.random.default_rng(0).normal(size=(5, DEPTH))
    keys = [
        key + (score - query @ key) / (query @ query) * query
        for key, score in zip(keys, SCORES, strict=True)
    ]
    title = "the six steps of attention, for the word Thinking"
    words = ("Thinking", "Machines")
    return plot_six_steps(query, np.stack(keys), np.stack([first, second]), words, title=title)


def draw_target_grid() -> Figure:
    """The grid aimed at, beside what a Transformer says that learns the pair while one waits."""
    grids = train_six_words()
    source, target = list(PAIRS.items())[-1]
    shown = {"aimed at": grids.target, "trained": grids.trained, "untrained": grids.untrained}
    positions = [f"{i} {word}" for i, word in enumerate(target.split(), start=1)]
    return plot_probabilities(shown, positions, WORDS, title=source)


# --- a checkpoint


def draw_pipeline(translator: Translator, options: FigureOptions) -> Figure:
    """Encoder self-attention of one layer, from its input to its output."""
    layers = _encoder(translator).num_layers
    layer = layer_number(options.layer, layers)
    stages = multi_head_stages(translator, options.sentence, layer)
    title = f"encoder, layer {layer}: multi-head attention of “{options.sentence}”"
    return plot_multi_head_attention(stages, title=title)


def multi_head_stages(translator: Translator, sentence: str, layer: int) -> MultiHeadStages:
    """What the self-attention of an encoder layer, from one, computes of a sentence."""
    encoder = _encoder(translator)
    inp = tf.constant([translator.source.encode(sentence)])
    states, _ = encoder.layer_states(encoder.embed(inp))
    x = states[layer - 1]  # (1, len, d_model)
    mha = encoder.enc_layers[layer - 1].mha
    q, k, v = (mha.split_heads(project(x), 1) for project in (mha.wq, mha.wk, mha.wv))
    output, weights = mha(x, x, x)
    z = tf.matmul(weights, v)  # (1, heads, len, depth)
    concat = tf.reshape(tf.transpose(z, perm=[0, 2, 1, 3]), x.shape)  # (1, len, d_model)
    kernel = mha.dense.kernel.numpy()
    found = (one[0].numpy() for one in (x, q, k, v, weights, z, concat))
    return MultiHeadStages(*found, kernel, output[0].numpy())


def draw_article_maps(translator: Translator, options: FigureOptions) -> Figure:
    """The article's 4 layers of 8 heads, with the tokenizers of a checkpoint."""
    settings = TransformerSettings()
    keras.utils.set_random_seed(0)  # the same figure each time
    network = build_transformer(settings, translator.tokenizers, "float32")
    untrained = Translator(network, translator.tokenizers, settings.positions)
    # Between pieces: a word of three would seem to be looked at three times as much.
    maps = attention_maps(untrained, options.sentence, options.sentence, kind="encoder")
    layers, heads = maps.weights.shape[:2]
    title = f"encoder self-attention: {layers} layers of {heads} heads, untrained"
    return plot_attention_layers(*maps, title=title, row_word=ROW_WORDS["encoder"])


def draw_lines(translator: Translator, options: FigureOptions) -> Figure:
    """One head, two, and all: those first that look most surely at a word."""
    maps = attention_maps(
        translator, options.sentence, options.target, kind=options.kind, words=True
    )
    layer = layer_number(options.layer, len(maps.weights))
    weights = maps.weights[layer - 1]  # (heads, rows, columns)
    query = row_number(options, maps.rows)
    surest = weights[:, query, [not is_special(column) for column in maps.columns]].max(axis=-1)
    heads = [int(head) + 1 for head in np.argsort(-surest, kind="stable")]
    panels = [sorted(heads[:count]) for count in sorted({1, min(2, len(heads)), len(heads)})]
    title = f"{ATTENTION_KINDS[options.kind]}, layer {layer}: where “{maps.rows[query]}” looks"
    return plot_attention_lines(weights, maps.rows, maps.columns, query, panels=panels, title=title)


def draw_forced_map(translator: Translator, options: FigureOptions) -> Figure:
    """Cross-attention while a given target is written; with `words` nothing but words is left."""
    pieces = attention_maps(translator, options.sentence, options.target, kind="cross")
    layer = layer_number(options.layer, len(pieces.weights))
    check_head(options.head, pieces.weights.shape[1])
    if options.words:
        weights, rows, columns, kept = keep_spaced_words(*pieces, punctuation=False)
        shown = kept[layer - 1] if options.head is None else kept[layer - 1, options.head - 1]
        without = (
            f"; start, end and punctuation are left out, and with them {1 - shown.mean():.0%} of "
            "the attention; each row sums to 1 again"
        )
    else:
        weights, rows, columns = merge_pieces(*pieces)
        without = ""
    return plot_attention_weights(
        weights[layer - 1],
        rows,
        columns,
        heads=options.head and [options.head],
        title=f"inter-language attention, layer {layer}: {len(rows)} x {len(columns)}{without}",
        row_word=ROW_WORDS["cross"],
    )


def draw_film_strip(translator: Translator, options: FigureOptions, run_dir: Path) -> Figure:
    """One head's map after some epochs, the first and the last among them, beside each other."""
    maps, rows, columns = _maps_of_epochs(translator, run_dir, options)
    names = list(maps)
    chosen = np.unique(np.linspace(0, len(names) - 1, MOST_FRAMES).round().astype(int))
    shown = {names[i]: maps[names[i]] for i in chosen}
    return plot_attention_side_by_side(shown, rows, columns, title=_film_title(options))


def _maps_of_epochs(
    translator: Translator, run_dir: Path, options: FigureOptions
) -> tuple[dict[str, np.ndarray], list[str], list[str]]:
    """The map of one head by the name of the epoch, and its labels; the target stays the same."""
    target = options.target or translator.translate([options.sentence], compiled=False)[0][0].text
    read = partial(attention_maps, translator, options.sentence, target, words=True)
    maps, labels = {}, ([], [])
    for epoch in kept_epochs(translator, run_dir):
        found = read(kind=options.kind)
        layer = layer_number(options.layer, len(found.weights))
        check_head(options.head, found.weights.shape[1])
        maps[f"epoch {epoch}"] = found.weights[layer - 1, options.head - 1]
        labels = found.rows, found.columns
    if not maps:
        raise InputError(f"{run_dir} keeps no epochs; train with --average-last-n 10, say")
    return maps, *labels


def _film_title(options: FigureOptions) -> str:
    layer = f"layer {options.layer}" if options.layer else "last layer"
    return f"{ATTENTION_KINDS[options.kind]}, {layer}, head {options.head}, epoch by epoch"


def _of_kind(weights: Mapping[str, np.ndarray], kind: str) -> np.ndarray:
    if kind not in weights:
        raise InputError(f"this model has no {kind} attention")
    return weights[kind]


def _encoder(translator: Translator) -> Encoder:
    transformer = inner_transformer(translator.model)
    if transformer is None:
        raise InputError("this figure needs a Transformer; the run has another model")
    return transformer.encoder


def _options(name: str, given: Mapping[str, object]) -> FigureOptions | None:
    """The article's options, those that were given in their place."""
    defaults = ARTICLE_FIGURES[name].defaults
    given = {option: value for option, value in given.items() if value is not None}
    for option in given:
        if option not in (defaults or {}):
            raise InputError(f"--figure {name} has no --{option}")
    return None if defaults is None else FigureOptions(**{**defaults, **given})


_PAIR = {"sentence": HOPKINS, "target": HOPKINS_IN_GERMAN, "layer": None}
ARTICLE_FIGURES = {  # described in `figure_options.ARTICLE_FIGURE_NAMES`
    "masks": ArticleFigure(draw_three_masks),
    "encoder-mask": ArticleFigure(partial(draw_one_mask, 0)),
    "look-ahead-mask": ArticleFigure(partial(draw_one_mask, 1)),
    "decoder-mask": ArticleFigure(partial(draw_one_mask, 2)),
    "decoder-mask-42x41": ArticleFigure(partial(draw_one_mask, 2, LONG_PADDED)),
    "padded-encoder": ArticleFigure(partial(draw_padded, kind="encoder"), {**_PAIR, "head": 1}),
    "padded-cross": ArticleFigure(partial(draw_padded, kind="cross"), {**_PAIR, "head": 1}),
    "positions-20x512": ArticleFigure(partial(draw_positions, 20, 512)),
    "positions-50x128": ArticleFigure(partial(draw_positions, 50, 128)),
    "position-products": ArticleFigure(draw_position_products),
    "michael": ArticleFigure(draw_michael),
    "six-steps": ArticleFigure(draw_six_steps),
    "pipeline": ArticleFigure(draw_pipeline, {"sentence": DIRECTOR, "layer": None}),
    "32-maps": ArticleFigure(draw_article_maps, {"sentence": DIRECTOR}),
    "all-maps": ArticleFigure(
        draw_maps,
        {"sentence": DIRECTOR, "target": None, "kind": "encoder", "layer": "all", "words": True},
    ),
    "lines": ArticleFigure(
        draw_lines,
        {"sentence": TIRED, "target": None, "kind": "encoder", "layer": None, "query": "it"},
    ),
    "forced-map": ArticleFigure(draw_forced_map, {**_PAIR, "head": None, "words": False}),
    "target-grid": ArticleFigure(draw_target_grid),
    "learning-rate": ArticleFigure(draw_learning_rate),
    "statistics": ArticleFigure(
        draw_statistics, {"sentence": DIRECTOR, "target": None, "kind": "encoder"}
    ),
    "film": ArticleFigure(
        draw_film_strip,
        {"sentence": DIRECTOR, "target": None, "kind": "cross", "layer": None, "head": 1},
        of_epochs=True,
    ),
}
