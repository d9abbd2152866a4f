"""From subword pieces back to words: labels that people read, and attention between words.

A model reads pieces of words, punctuation, and the tokens that open and close a sentence.
`merge_pieces` keeps them all; `keep_spaced_words` keeps what articles draw attention between:
words as they stand between spaces, "director." among them, and neither `<start>` nor `<end>`.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tf_models.plotting.lettering import WORD_START

_SPECIAL = re.compile(r"<(?!unk>)[^<>\s]+>")


class SpacedWords(NamedTuple):
    """Attention between words.

    weights: (..., row words, column words); each row sums to one.
    kept: (...), the share of the rows' attention that fell on words, the mean over the rows. The
        rest fell on tokens such as `<start>`, and is not in `weights`.
    """

    weights: np.ndarray
    rows: list[str]
    columns: list[str]
    kept: np.ndarray


def merge_pieces(
    weights: np.ndarray, row_pieces: Sequence[str], column_pieces: Sequence[str]
) -> tuple[np.ndarray, list[str], list[str]]:
    """Attention between words instead of pieces; `▁An th ony` becomes `Anthony`.

    A word receives what its pieces receive together, and attends to what they attend to on average:
    rows that sum to one still do. A piece with `▁` opens a word; `<start>`, `<end>` and their like,
    and punctuation at the beginning or the end of a word, are words of their own.

    Args:
        weights: (..., rows, columns), one row and one column a piece.
        row_pieces, column_pieces: as a tokenizer gives them, `▁` before each word.

    Returns:
        weights (..., row words, column words), the row words, the column words.
    """
    words = [
        [part for word in _words(pieces) for part in _split_punctuation(pieces, word)]
        for pieces in (row_pieces, column_pieces)
    ]
    merged = _merge(weights, row_pieces, column_pieces, *words)
    return merged, _texts(row_pieces, words[0]), _texts(column_pieces, words[1])


def keep_spaced_words(
    weights: np.ndarray,
    row_pieces: Sequence[str],
    column_pieces: Sequence[str],
    *,
    punctuation: bool = True,
) -> SpacedWords:
    """Merge pieces into words, leave tokens such as `<start>` out, and let rows sum to one again.

    Args:
        weights: (..., rows, columns), one row and one column a piece.
        row_pieces, column_pieces: as a tokenizer gives them, `▁` before each word.
        punctuation: whether "director." keeps its full stop; else pieces that are punctuation are
            left out, too.

    Raises:
        ValueError: another shape, or a sentence without words.
    """
    words = [_spaced(pieces, punctuation) for pieces in (row_pieces, column_pieces)]
    merged = _merge(weights, row_pieces, column_pieces, *words)
    sums = merged.sum(axis=-1, keepdims=True)
    equal = np.full_like(merged, 1 / len(words[1]))  # for a row that attended to no word at all
    spread = np.divide(merged, sums, out=equal, where=sums > 0)
    rows, columns = _texts(row_pieces, words[0]), _texts(column_pieces, words[1])
    return SpacedWords(spread, rows, columns, sums[..., 0].mean(axis=-1))


def is_special(piece: str) -> bool:
    """Whether it is `<start>`, `<end>` or their like; `<unk>` may be a part of a word."""
    return bool(_SPECIAL.fullmatch(piece))


def _merge(
    weights: np.ndarray,
    row_pieces: Sequence[str],
    column_pieces: Sequence[str],
    row_words: list[list[int]],
    column_words: list[list[int]],
) -> np.ndarray:
    """Sums over the columns of a word, means over its rows: (..., row words, column words)."""
    weights, shape = np.asarray(weights, np.float64), (len(row_pieces), len(column_pieces))
    if weights.shape[-2:] != shape:
        raise ValueError(
            f"weights need {shape[0]} rows and {shape[1]} columns, one for each piece; "
            f"received shape {weights.shape}"
        )
    rows, columns = _membership(row_words, shape[0]), _membership(column_words, shape[1])
    means = rows / rows.sum(axis=1, keepdims=True)
    return means @ weights @ columns.T  # (..., row words, column words)


def _membership(words: list[list[int]], pieces: int) -> np.ndarray:
    """Which piece belongs to which word: (words, pieces) of zeros and ones."""
    members = np.zeros((len(words), pieces))
    for row, word in zip(members, words, strict=True):
        row[word] = 1
    return members


def _words(pieces: Sequence[str]) -> list[list[int]]:
    """Indices of the pieces of each word; tokens such as `<start>` are words of their own."""
    words: list[list[int]] = []
    for i, piece in enumerate(pieces):
        after_special = i > 0 and is_special(pieces[i - 1])
        if not words or piece.startswith(WORD_START) or is_special(piece) or after_special:
            words.append([])
        words[-1].append(i)
    return words


def _split_punctuation(pieces: Sequence[str], word: list[int]) -> list[list[int]]:
    """Punctuation before, the word, punctuation after; what is empty is left out."""
    spoken = [i for i in word if not _is_punctuation(pieces[i])]
    if not spoken:
        return [word]
    first, last = word.index(spoken[0]), word.index(spoken[-1]) + 1
    if all(pieces[i] == WORD_START for i in word[:first]):
        first = 0  # nothing stands before the word but the sign that opens it
    return [part for part in (word[:first], word[first:last], word[last:]) if part]


def _spaced(pieces: Sequence[str], punctuation: bool) -> list[list[int]]:
    """The words between spaces, with or without their punctuation; no tokens such as `<start>`."""
    words = [word for word in _words(pieces) if not is_special(pieces[word[0]])]
    if not punctuation:
        words = [spoken for word in words if (spoken := _without_punctuation(pieces, word))]
    if not words:
        raise ValueError(f"there is no word among the pieces; received {list(pieces)}")
    return words


def _without_punctuation(pieces: Sequence[str], word: list[int]) -> list[int]:
    """A `▁` alone belongs to the word that it opens, such as one that begins with `<unk>`."""
    kept = [i for i in word if pieces[i] == WORD_START or not _is_punctuation(pieces[i])]
    return kept if any(pieces[i] != WORD_START for i in kept) else []


def _is_punctuation(piece: str) -> bool:
    """Whether it holds neither letters nor numbers: `.`, `,` and their like."""
    return all(unicodedata.category(char)[0] in "PS" for char in piece.removeprefix(WORD_START))


def _texts(pieces: Sequence[str], words: list[list[int]]) -> list[str]:
    texts = ["".join(pieces[i] for i in word) for word in words]
    return [text.removeprefix(WORD_START) or text for text in texts]
