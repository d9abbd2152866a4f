"""Statistics of each head's attention maps."""

from collections.abc import Iterable, Sequence

import numpy as np

from research.heads.forced_attention import ForcedAttention
from research.heads.sentences import RELATIONS, GoldSentence
from research.heads.word_alignment import (
    alignment_error_rate,
    places_of_pieces,
    word_attention,
    word_links,
)
from tf_models.translation.attention import attention_diagonality, attention_entropy

Statistics = dict[str, np.ndarray]  # by name, (layers, heads); NaN where there is none


def head_statistics(sentences: Sequence[ForcedAttention[GoldSentence]], kind: str) -> Statistics:
    """Means over the sentences, of every head of a kind.

    Shares are of attention, 0 to 1: on the start and the end token, on the token itself and on the
    one before it (of self-attention), and, between words, on what each of `RELATIONS` leads to.
    `alignment_error_rate` is of cross-attention.

    Args:
        sentences: attention to pairs of the embedded corpus.
        kind: of attention.
    """
    maps = [sentence.weights[kind] for sentence in sentences]
    found = {
        "entropy": _mean(map(attention_entropy, maps)),
        "diagonality": _mean(map(attention_diagonality, maps)),
        "start_and_end": _mean(on_ends(one, kind).sum(axis=0).mean(axis=-1) for one in sentences),
    }
    nothing = np.full(maps[0].shape[:2], np.nan)
    if kind == "cross":
        found |= {"itself": nothing, "previous": nothing}
    else:
        found["itself"] = _mean(_on_offset(one, 0) for one in maps)
        found["previous"] = _mean(_on_offset(one, 1) for one in maps)
    between = [_between_words(sentence, kind) for sentence in sentences]
    found["alignment_error_rate"] = _error_rates(sentences, between) if kind == "cross" else nothing
    for name in RELATIONS.values():
        on_edges = [
            weight
            for sentence, words in zip(sentences, between, strict=True)
            for weight in _on_edges(sentence, kind, name, words)
        ]
        found[name] = _mean(on_edges) if on_edges else nothing
    return found


def _mean(values: Iterable[np.ndarray]) -> np.ndarray:
    """Over the sentences: many (layers, heads) -> (layers, heads)."""
    return np.mean(list(values), axis=0)


def on_ends(sentence: ForcedAttention[GoldSentence], kind: str) -> np.ndarray:
    """Weights on the start and on the end token: (2, layers, heads, rows).

    The end token of the target is never read.
    """
    weights = sentence.weights[kind]
    start, end = weights[..., 0], weights[..., -1]
    return np.stack([start, np.zeros_like(end) if kind == "decoder" else end])


def _on_edges(
    sentence: ForcedAttention[GoldSentence], kind: str, name: str, words: np.ndarray
) -> list[np.ndarray]:
    return [
        words[..., word, head]
        for word, head in sentence.pair.edges[kind][name]
        if _is_there(words, word, head)
    ]


def _on_offset(weights: np.ndarray, offset: int) -> np.ndarray:
    """Mean weight on the key so many places before the query, of the queries that have one."""
    return np.diagonal(weights, -offset, axis1=-2, axis2=-1).mean(axis=-1)


def _between_words(sentence: ForcedAttention[GoldSentence], kind: str) -> np.ndarray:
    """(layers, heads, attending words, attended words + 1)."""
    source, target = places_of_pieces(sentence)
    rows = source if kind == "encoder" else target[1:]  # a row helps to write the next piece
    columns = target[:-1] if kind == "decoder" else source
    return word_attention(sentence.weights[kind], columns, rows)


def _is_there(words: np.ndarray, word: int, head: int) -> bool:
    """Whether both words have a piece of their own; a mark may be part of the word before."""
    rows, columns = words.shape[-2:]
    return word < rows and head < columns - 1 and words[..., word, :].any()


def _error_rates(
    sentences: Sequence[ForcedAttention[GoldSentence]], between: list[np.ndarray]
) -> np.ndarray:
    layers, heads = between[0].shape[:2]
    flat = [word_links(words.reshape(-1, *words.shape[-2:])) for words in between]
    gold = [sentence.pair.alignment for sentence in sentences]
    rates = [alignment_error_rate(links, gold) for links in zip(*flat, strict=True)]
    return np.reshape(rates, (layers, heads))
