"""Word alignment in cross-attention, beside the true alignment."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from research.heads.forced_attention import ForcedAttention, forced_attention
from tf_models.data.pairs import SentencePair
from tf_models.data.words import split_words
from tf_models.translation.translate import Translator
from tf_models.word_attention import WORD_START

Link = tuple[int, int]  # source word, target word, counted from 0


def alignment_errors(
    translator: Translator,
    validation: Sequence[SentencePair],
    test: Sequence[SentencePair],
    gold: Mapping[str, Collection[Link]],
) -> float:
    """The alignment error rate of cross-attention on the reference translations, in percent.

    The translator is forced to write the reference. Each target word is linked to the source word
    that it attends to most, in the mean of the heads of a layer; to none if that is the start or
    the end token. (Bahdanau et al. 2015, section 5.2.1, read the same matrices.)

    Args:
        translator: whose model has cross-attention.
        validation: pairs to choose the layer on.
        test: pairs to measure on.
        gold: of the pairs of both, by source sentence.
    """
    by_layer = _error_rates(translator, validation, gold)
    layer = int(np.argmin(by_layer))
    return 100 * _error_rates(translator, test, gold)[layer]


def alignment_error_rate(
    found: Sequence[Collection[Link]], gold: Sequence[Collection[Link]]
) -> float:
    """1 - 2 |A and G| / (|A| + |G|) over all sentences (Och & Ney 2003, equation 26).

    All links of the gold alignment are sure ones.
    """
    both = sum(len(set(a) & set(g)) for a, g in zip(found, gold, strict=True))
    return 1 - 2 * both / (sum(map(len, found)) + sum(map(len, gold)))


def word_attention(
    weights: np.ndarray, source: Sequence[int | None], target: Sequence[int | None]
) -> np.ndarray:
    """Attention between words: sums over the pieces of a source word, means over a target word's.

    Args:
        weights: (..., rows, columns) between pieces.
        source, target: the word that each column and each row is a piece of, counted from 0; None
            for start and end token.

    Returns:
        (..., target words, source words + 1), the last column being start and end token.
    """
    words = 1 + max(word for word in source if word is not None)
    columns = _members([words if word is None else word for word in source], words + 1)
    rows = _members(target, 1 + max(word for word in target if word is not None))
    rows = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)  # a word may share its only piece
    return rows @ weights @ columns.T


def words_of_pieces(pieces: Sequence[str], words: Sequence[str]) -> list[int | None]:
    """The word that each piece belongs to; None for <start>, <end> and the like.

    A piece of several words belongs to the first of them.
    """
    ends = np.cumsum([len(word) for word in words])
    found: list[int | None] = []
    place = 0
    for piece in pieces:
        if piece.startswith("<") and piece.endswith(">") and len(piece) > 2:
            found.append(None)
            continue
        found.append(min(int(np.searchsorted(ends, place, side="right")), len(words) - 1))
        place += len(piece.replace(WORD_START, ""))
    return found


def _members(words: Sequence[int | None], count: int) -> np.ndarray:
    """1 where a piece is of a word: (count, pieces)."""
    return np.array([[word == i for word in words] for i in range(count)], np.float64)


def _error_rates(
    translator: Translator, pairs: Sequence[SentencePair], gold: Mapping[str, Collection[Link]]
) -> list[float]:
    """Of each layer, 0 to 1."""
    found = [_links(forced) for forced in forced_attention(translator, pairs)]
    truth = [gold[pair.source] for pair in pairs]
    return [alignment_error_rate(of_layer, truth) for of_layer in zip(*found, strict=True)]


def word_links(between: np.ndarray) -> list[list[Link]]:
    """Each target word with the source word that it attends to most, for each head or layer.

    Args:
        between: (heads, target words, source words + 1), see `word_attention`.
    """
    nothing = between.shape[-1] - 1  # start and end token
    return [
        [(int(row.argmax()), j) for j, row in enumerate(of_head) if 0 < row.max() > row[nothing]]
        for of_head in between
    ]


def places_of_pieces(forced: ForcedAttention) -> tuple[list[int | None], list[int | None]]:
    """The words of all source pieces and of all target pieces (see `words_of_pieces`)."""
    pair = forced.pair
    return (
        words_of_pieces(forced.source, split_words(pair.source)),
        words_of_pieces(forced.target, split_words(pair.target)),
    )


def _links(forced: ForcedAttention) -> list[list[Link]]:
    """Of each layer, in the mean of its heads."""
    source, target = places_of_pieces(forced)
    mean = forced.weights["cross"].mean(axis=1)  # (layers, written pieces, source pieces)
    return word_links(word_attention(mean, source, target[1:]))
