"""Attention of a sentence pair: weights, the tokens on their axes, and numbers about both."""

from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.plotting.words import WithoutMarks, leave_out_marks, merge_pieces
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Decoder, Encoder
from tf_models.translation.model import ATTENTION_KINDS
from tf_models.translation.translate import Translator


class AttentionMaps(NamedTuple):
    """Attention of one kind, with the labels of its axes.

    weights: (layers, heads, rows, columns). rows: what attends. columns: what is attended to.
    """

    weights: np.ndarray
    rows: list[str]
    columns: list[str]


def attention_of(
    translator: Translator, sentence: str, target: str | None = None, *, value_norms: bool = False
) -> dict[str, AttentionMaps]:
    """Attention while translating `sentence` greedily, or while being forced to write `target`, by
    kind; a row of cross-attention is the token that it helps to write.

    With `value_norms` each weight is multiplied by the norm of the value that it carries. Raises
    InputError: a sentence is empty or too long, or the model has no value norms.
    """
    source = translator.source.encode(sentence)
    target_ids = translator.target_ids(source, target)
    tokens = translator.tokenizers.target.tokens(target_ids)
    weights = translator.weights(source, target_ids[:-1])
    if value_norms:
        norms = value_norms_of(translator, source, target_ids[:-1])
        weights = {kind: weights[kind] * norms[kind][..., np.newaxis, :] for kind in weights}
    source_tokens = translator.tokenizers.source.tokens(source)
    labels = {
        "encoder": (source_tokens, source_tokens),
        "decoder": (tokens[:-1], tokens[:-1]),
        "cross": (tokens[1:], source_tokens),
    }
    return {kind: AttentionMaps(values, *labels[kind]) for kind, values in weights.items()}


def value_norms_of(
    translator: Translator, source: list[int], target: list[int]
) -> dict[str, np.ndarray]:
    """||f(x)|| of each key (see `value_norms`) while target ids are read.

    It is (layers, heads, columns) by kind. An InputError if the model is not the article's.
    """
    network = translator.article_transformer("--value-norms")
    encoder, decoder = network.encoder, network.decoder
    inp, tar = tf.constant([source]), tf.constant([target])
    padding_mask, look_ahead_mask, _ = create_masks(inp, tar)
    masks = {"look_ahead_mask": look_ahead_mask, "padding_mask": padding_mask}
    *read, enc_output = layer_inputs(encoder, inp, padding_mask=padding_mask)
    *written, _ = layer_inputs(decoder, tar, enc_output, **masks)
    carried = {  # what each layer's keys are made of
        "encoder": zip((layer.mha for layer in encoder.enc_layers), read, strict=True),
        "decoder": zip((layer.mha1 for layer in decoder.dec_layers), written, strict=True),
        "cross": ((layer.mha2, enc_output) for layer in decoder.dec_layers),
    }
    return {
        kind: np.stack([value_norms(mha, x)[0] for mha, x in layers])
        for kind, layers in carried.items()
    }


def layer_inputs(
    stack: Encoder | Decoder, ids: tf.Tensor, *enc_output: tf.Tensor, **masks: tf.Tensor
) -> list[tf.Tensor]:
    """Inputs of all layers of a stack without dropout, and the output of the last one.

    Arguments are those of a call; num_layers + 1 tensors (batch, len, d_model).
    """
    states = [stack.embed(ids)]
    for layer in stack.stack:
        states.append(layer(states[-1], *enc_output, **masks)[0])
    return states


def value_norms(mha: MultiHeadAttention, v: tf.Tensor) -> tf.Tensor:
    """||f(x)|| of each head, f(x) = (x W^V + b^V) W^O with that head's rows of W^O.

    The output is the sum of weight * f(x) over all heads and keys, plus the bias of W^O. So weight
    * ||f(x)|| says how far a key moves a query (Kobayashi et al. 2020, "Attention is Not Only a
    Weight", section 3). Of v (batch, len_k, d_model): (batch, num_heads, len_k).
    """
    v = mha.split_heads(mha.wv(v), tf.shape(v)[0])  # (batch, num_kv_heads, len_k, depth)
    v = tf.repeat(v, mha.num_heads // mha.num_kv_heads, axis=1)
    kernel = tf.reshape(mha.dense.kernel, (mha.num_heads, mha.depth, mha.d_model))
    moved = tf.matmul(v, tf.cast(kernel, v.dtype))  # (batch, num_heads, len_k, d_model)
    return tf.norm(moved, axis=-1)


def attention_maps(
    translator: Translator,
    sentence: str,
    target: str | None = None,
    *,
    kind: str = "cross",
    words: bool = False,
    without_marks: bool = False,
    value_norms: bool = False,
) -> AttentionMaps | WithoutMarks:
    """Attention in all layers while a sentence is translated (see `attention_of`).

    Args:
        translator: any that has attention.
        sentence: the source.
        target: a translation to be read, in place of the greedy one.
        kind: one of the `ATTENTION_KINDS`.
        words: whether to merge pieces into words (see `merge_pieces`).
        without_marks: whether to leave out start, end and punctuation (see `leave_out_marks`).
        value_norms: multiply each weight by the norm of the value that it carries; a word has the
            sum of its pieces' numbers.

    Raises:
        InputError: the model has no such attention, or a sentence is empty or too long.

    Example:
        >>> from tf_models.translation.translate import ready_made
        >>> maps = attention_maps(ready_made(), "The old dog sleeps.", "Der alte Hund schläft.")
        >>> print(maps.weights.shape, maps.rows)
        (4, 8, 6, 7) ['▁Der', '▁alte', '▁Hund', '▁schläft', '.', '<end>']
    """
    kinds = translator.model.attention_kinds
    if kind not in kinds:
        has = ", ".join(f"{kind} ({ATTENTION_KINDS[kind]})" for kind in kinds) or "none"
        raise InputError(f"this model has no {kind} attention to draw; it has {has}")
    maps = attention_of(translator, sentence, target, value_norms=value_norms)[kind]
    if words:
        maps = AttentionMaps(*merge_pieces(*maps))
    return leave_out_marks(*maps, share_anew=not value_norms) if without_marks else maps


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """Entropy of attention in nats, the mean over the queries: (..., queries, keys) -> (...).

    H = -sum_j w_ij ln w_ij with 0 ln 0 = 0: 0 for a query that attends to one key, ln n for one
    that attends to all n keys alike.

    Example:
        >>> print(attention_entropy(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3))  # (0 + ln 2) / 2
        0.347
    """
    weights = np.asarray(weights, np.float64)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def attention_diagonality(weights: np.ndarray) -> np.ndarray:
    """How near attention is to the diagonal: (..., queries, keys) -> (...).

    With the diagonal d_i = i (keys - 1) / (queries - 1), which ends in the corner of any map, and
    D = the mean over the queries of sum_j w_ij |j - d_i|: 1 - D / (D of uniform attention). It is 1
    on the diagonal of a square map, 0 for uniform weights; a single query stands in the middle.

    Example:
        >>> print(attention_diagonality(np.eye(4)), attention_diagonality(np.full((4, 4), 0.25)))
        1.0 0.0
    """
    rows, columns = weights.shape[-2:]
    if columns == 1:
        return np.ones(weights.shape[:-2])
    diagonal = np.linspace(0, columns - 1, rows) if rows > 1 else np.array([(columns - 1) / 2])
    distance = np.abs(np.arange(columns) - diagonal[:, np.newaxis])  # (queries, keys)
    return 1 - (weights * distance).sum(axis=-1).mean(axis=-1) / distance.mean()
