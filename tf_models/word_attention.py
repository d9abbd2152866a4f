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
NOTHING_LEFT = 0.01  # of a row: what remains below is noise, and would be drawn as if it were all


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
    words = [
        [part for word in _words(pieces) for part in _split_punctuation(pieces, word)]
        for pieces in (row_pieces, column_pieces)
    ]
    rows, columns = (
        np.array([np.isin(range(len(pieces)), word) for word in of_side], float)  # (words, pieces)
        for pieces, of_side in zip((row_pieces, column_pieces), words, strict=True)
    )
    means = rows / rows.sum(axis=1, keepdims=True)
    merged = means @ np.asarray(weights, np.float64) @ columns.T  # (..., row words, column words)
    return merged, _texts(row_pieces, words[0]), _texts(column_pieces, words[1])


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
    whole = np.asarray(weights, np.float64)[..., rows, :]  # (..., rows left, columns)
    part = whole[..., columns]
    left, sums = (values.sum(axis=-1, keepdims=True) for values in (part, whole))
    all_left = left.sum(axis=(-2, -1))
    total = sums.sum(axis=(-2, -1))
    share = np.divide(all_left, total, out=np.ones_like(total), where=total > 0)
    part = np.divide(part, left, out=np.zeros_like(part), where=left > NOTHING_LEFT * sums)
    return WithoutMarks(
        part, [row_labels[i] for i in rows], [column_labels[j] for j in columns], 1 - share
    )


def is_mark(label: str) -> bool:
    """True if a piece or a word is punctuation or a special token."""
    return is_special(label) or _is_punctuation(label)


def is_special(piece: str) -> bool:
    """True for special tokens but `<unk>`, which may be part of a word."""
    return bool(_SPECIAL.fullmatch(piece))


def _words(pieces: Sequence[str]) -> list[list[int]]:
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
    first, last = word.index(spoken[0]), word.index(spoken[-1]) + 1
    if all(pieces[i] == WORD_START for i in word[:first]):
        first = 0  # nothing stands before the word but the sign that opens it
    return [part for part in (word[:first], word[first:last], word[last:]) if part]


def _is_punctuation(piece: str) -> bool:
    """True if it has only punctuation and symbols, or is the word-start mark."""
    return all(unicodedata.category(char)[0] in "PS" for char in piece.removeprefix(WORD_START))


def _texts(pieces: Sequence[str], words: list[list[int]]) -> list[str]:
    texts = ["".join(pieces[i] for i in word) for word in words]
    return [text.removeprefix(WORD_START) or text for text in texts]
