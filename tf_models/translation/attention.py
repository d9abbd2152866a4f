"""Attention of a sentence pair: weights, tokens of the axes, statistics."""

from typing import NamedTuple

import numpy as np

from tf_models.errors import InputError
from tf_models.translation.model import ATTENTION_KINDS
from tf_models.translation.translate import Translator
from tf_models.word_attention import WithoutMarks, leave_out_marks, merge_pieces


class AttentionMaps(NamedTuple):
    """Attention of one kind, with the labels of its axes.

    weights: (layers, heads, rows, columns). rows: tokens that attend. columns: tokens attended to.
    """

    weights: np.ndarray
    rows: list[str]
    columns: list[str]


def attention_of(
    translator: Translator, sentence: str, target: str | None = None
) -> dict[str, AttentionMaps]:
    """Attention by kind, of the greedy translation or of a forced `target`.

    A row of cross-attention is the token that it helps to write.

    Raises:
        InputError: a sentence is empty or too long.
    """
    source = translator.source.encode(sentence)
    target_ids = translator.target_ids(source, target)
    tokens = translator.tokenizers.target.tokens(target_ids)
    weights = translator.weights(source, target_ids[:-1])
    source_tokens = translator.tokenizers.source.tokens(source)
    labels = {
        "encoder": (source_tokens, source_tokens),
        "decoder": (tokens[:-1], tokens[:-1]),
        "cross": (tokens[1:], source_tokens),
    }
    return {kind: AttentionMaps(values, *labels[kind]) for kind, values in weights.items()}


def attention_maps(
    translator: Translator,
    sentence: str,
    target: str | None = None,
    *,
    kind: str = "cross",
    words: bool = False,
    without_marks: bool = False,
) -> AttentionMaps | WithoutMarks:
    """Attention of one kind in all layers (see `attention_of`).

    Args:
        translator: any that has attention.
        sentence: the source.
        target: a translation that is forced, in place of the greedy one.
        kind: one of the `ATTENTION_KINDS`.
        words: True merges pieces into words (see `merge_pieces`).
        without_marks: True leaves out start, end and punctuation (see `leave_out_marks`).

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
    maps = attention_of(translator, sentence, target)[kind]
    if words:
        maps = AttentionMaps(*merge_pieces(*maps))
    return leave_out_marks(*maps) if without_marks else maps


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """Mean entropy of attention in nats: (..., queries, keys) -> (...).

    The mean over the queries of H = -sum_j w_ij ln w_ij with 0 ln 0 = 0: 0 for a query that attends
    to one key, ln n for one that attends to all n keys alike.

    Example:
        >>> print(attention_entropy(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3))  # (0 + ln 2) / 2
        0.347
    """
    weights = np.asarray(weights, np.float64)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def attention_diagonality(weights: np.ndarray) -> np.ndarray:
    """Closeness of attention to the diagonal: (..., queries, keys) -> (...).

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
