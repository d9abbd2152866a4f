"""From subword pieces to words: labels, and attention between words.

A model reads pieces of words, punctuation, and the tokens that open and close a sentence.
`merge_pieces` keeps them all; `leave_out_marks` keeps what articles draw attention between: words
and pieces of words, without marks (punctuation, and special tokens such as `<start>`, `<end>`).
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tf_models.errors import InputError

WORD_START = "▁"  # U+2581, with which a BPE model marks the piece that opens a word
_SPECIAL = re.compile(r"<(?!unk>)[^<>\s]+>")
NOTHING_LEFT = 0.01  # share of a row; less is noise, which would be drawn as if it were all


class WithoutMarks(NamedTuple):
    """Attention map without marks; `left_out` is their share of attention."""

    weights: np.ndarray  # (..., rows, columns)
    rows: list[str]
    columns: list[str]
    left_out: np.ndarray  # (...), of the attention of the remaining rows


def merge_pieces(
    weights: np.ndarray, row_pieces: Sequence[str], column_pieces: Sequence[str]
) -> tuple[np.ndarray, list[str], list[str]]:
    """Attention between words, not pieces: `▁An th ony` becomes `Anthony`.

    A word receives what its pieces receive together, and attends to what they attend to on average:
    rows that sum to one still do. A piece with `▁` opens a word; `<start>`, `<end>` and their like,
    and punctuation at the beginning or the end of a word, are words of their own.

    Returns:
        the weights (..., row words, column words), from those (..., row pieces, column pieces);
        the row words; the column words.

    Example:
        >>> pieces = ["▁An", "th", "ony"]
        >>> print(merge_pieces(np.eye(3), pieces, pieces))
        (array([[1.]]), ['Anthony'], ['Anthony'])
    """
    row_words = _words(row_pieces)
    column_words = _words(column_pieces)
    rows = _membership(row_words, len(row_pieces))
    columns = _membership(column_words, len(column_pieces))
    means = rows / rows.sum(axis=1, keepdims=True)
    merged = means @ np.asarray(weights, np.float64) @ columns.T  # (..., row words, column words)
    return merged, _texts(row_pieces, row_words), _texts(column_pieces, column_words)


def leave_out_marks(
    weights: np.ndarray, row_labels: Sequence[str], column_labels: Sequence[str]
) -> WithoutMarks:
    """Leave punctuation and special tokens out of the rows and columns.

    Each row is divided by its remaining sum, so that it sums to one again; a row that keeps no more
    than the share `NOTHING_LEFT` becomes zeros. Weights are (..., rows, columns).

    Raises:
        InputError: no row or no column is left.
    """
    rows, columns = (
        [i for i, label in enumerate(labels) if not is_mark(label)]
        for labels in (row_labels, column_labels)
    )
    if not rows or not columns:
        labels = " ".join([*row_labels, *column_labels])
        raise InputError(f"a map without marks needs a word on each side; received {labels}")
    with_marks = np.asarray(weights, np.float64)[..., rows, :]  # (..., rows left, columns)
    without = with_marks[..., columns]  # (..., rows left, columns left)
    all_sums = with_marks.sum(axis=-1, keepdims=True)  # (..., rows left, 1)
    sums = without.sum(axis=-1, keepdims=True)
    total = all_sums.sum(axis=(-2, -1))
    share = np.divide(sums.sum(axis=(-2, -1)), total, out=np.ones_like(total), where=total > 0)
    has_words = sums > NOTHING_LEFT * all_sums
    return WithoutMarks(
        weights=np.divide(without, sums, out=np.zeros_like(without), where=has_words),
        rows=[row_labels[i] for i in rows],
        columns=[column_labels[j] for j in columns],
        left_out=1 - share,
    )


def is_mark(label: str) -> bool:
    """True if a piece or a word is punctuation or a special token."""
    return is_special(label) or _is_punctuation(label)


def is_special(piece: str) -> bool:
    """True for special tokens but `<unk>`, which may be part of a word."""
    return bool(_SPECIAL.fullmatch(piece))


def _words(pieces: Sequence[str]) -> list[list[int]]:
    """Indices of the pieces of each word; marks are words of their own."""
    return [part for word in _opened_words(pieces) for part in _split_punctuation(pieces, word)]


def _membership(words: Sequence[Sequence[int]], pieces: int) -> np.ndarray:
    """1 where a piece belongs to a word, else 0: (words, pieces)."""
    return np.array([np.isin(range(pieces), word) for word in words], float)


def _opened_words(pieces: Sequence[str]) -> list[list[int]]:
    """Indices of the pieces of each word; a special token is its own word."""
    words: list[list[int]] = []
    for i, piece in enumerate(pieces):
        after_special = i > 0 and is_special(pieces[i - 1])
        if not words or piece.startswith(WORD_START) or is_special(piece) or after_special:
            words.append([])
        words[-1].append(i)
    return words


def _split_punctuation(pieces: Sequence[str], word: list[int]) -> list[list[int]]:
    """Non-empty parts: punctuation before, the word, and punctuation after."""
    spoken = [i for i in word if not _is_punctuation(pieces[i])]
    if not spoken:
        return [word]
    first = word.index(spoken[0])
    end = word.index(spoken[-1]) + 1
    if all(pieces[i] == WORD_START for i in word[:first]):
        first = 0  # only the sign that opens a word stands before it
    return [part for part in (word[:first], word[first:end], word[end:]) if part]


def _is_punctuation(piece: str) -> bool:
    """True if it has only punctuation and symbols, or is the word-start mark."""
    return all(unicodedata.category(char)[0] in "PS" for char in piece.removeprefix(WORD_START))


def _texts(pieces: Sequence[str], words: list[list[int]]) -> list[str]:
    texts = ["".join(pieces[i] for i in word) for word in words]
    return [text.removeprefix(WORD_START) or text for text in texts]
