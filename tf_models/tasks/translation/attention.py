"""Attention of a sentence pair, ready to be drawn: weights and the tokens on their axes."""

from typing import NamedTuple

import numpy as np

from tf_models.errors import InputError
from tf_models.plotting.words import merge_pieces
from tf_models.tasks.translation.protocol import ATTENTION_KINDS
from tf_models.tasks.translation.translator import Translator


class Attention(NamedTuple):
    """Attention of one sentence pair, without padding.

    source_tokens: with start and end, inp_len of them.
    target_tokens: from start token to the last piece, tar_len of them: what the decoder reads.
    next_tokens: from the first piece to the end token: what it writes at the same positions.
    weights: by kind, (layers, heads, rows, columns) each.
    """

    source_tokens: list[str]
    target_tokens: list[str]
    next_tokens: list[str]
    weights: dict[str, np.ndarray]


class AttentionMaps(NamedTuple):
    """Attention of one kind, with the labels of its axes.

    weights: (layers, heads, rows, columns). rows: what attends. columns: what is attended to.
    """

    weights: np.ndarray
    rows: list[str]
    columns: list[str]


def attention_of(translator: Translator, sentence: str, target: str | None = None) -> Attention:
    """Attention while translating `sentence` greedily, or while being forced to write `target`.

    Raises:
        InputError: one of them is empty or too long.
    """
    source = translator.source.encode(sentence)
    tokenizers = translator.tokenizers
    if target is None:
        target_ids = translator.greedy_sequence(source)
    else:
        target_ids = translator.target.encode(target)
    tokens = tokenizers.target.tokens(target_ids)
    weights = translator.weights(source, target_ids[:-1])
    return Attention(tokenizers.source.tokens(source), tokens[:-1], tokens[1:], weights)


def attention_maps(
    translator: Translator,
    sentence: str,
    target: str | None = None,
    *,
    kind: str = "cross",
    words: bool = False,
) -> AttentionMaps:
    """Attention of one kind in all layers.

    Args:
        translator: whose model has that kind.
        sentence: in the source language.
        target: the translation to force; the model's own if left out.
        kind: one of `ATTENTION_KINDS`.
        words: whether to merge pieces into words (see `merge_pieces`).

    Raises:
        InputError: the model has no such attention, or a sentence is empty or too long.
    """
    kinds = translator.model.attention_kinds
    if not kinds:
        raise InputError("this model has no attention, so there is nothing to draw")
    if kind not in kinds:
        names = ", ".join(f"{kind} ({ATTENTION_KINDS[kind]})" for kind in kinds)
        raise InputError(f"this model has no {kind} attention; it has {names}")
    attention = attention_of(translator, sentence, target)
    maps = (attention.weights[kind], *axis_labels(attention, kind))
    return AttentionMaps(*(merge_pieces(*maps) if words else maps))


def axis_labels(attention: Attention, kind: str) -> tuple[list[str], list[str]]:
    """Labels of queries and keys; a row of cross-attention is the token that it helps to write."""
    if kind == "encoder":
        return attention.source_tokens, attention.source_tokens
    if kind == "decoder":
        return attention.target_tokens, attention.target_tokens
    return attention.next_tokens, attention.source_tokens
