"""Attention between words as they stand between spaces: "director." is one, `<start>` is none.

Articles draw attention between such words. A model reads more: pieces of words, punctuation, and
the tokens that open and close a sentence.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tf_models.plotting.lettering import WORD_START
from tf_models.plotting.words import is_punctuation, is_special


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


def keep_spaced_words(
    weights: np.ndarray,
    row_pieces: Sequence[str],
    column_pieces: Sequence[str],
    *,
    punctuation: bool = True,
) -> SpacedWords:
    """Merge pieces into words, leave tokens such as `<start>` out, and let rows sum to one again.

    As in `tf_models.plotting.words.merge_pieces` a word receives what its pieces receive together,
    and looks where they look on average.

    Args:
        weights: (..., rows, columns), one row and one column a piece.
        row_pieces, column_pieces: as a tokenizer gives them, `▁` before each word.
        punctuation: whether "director." keeps its full stop; else pieces that are punctuation are
            left out, too.

    Raises:
        ValueError: another shape, or a sentence without words.
    """
    weights = np.asarray(weights, np.float64)
    shape = len(row_pieces), len(column_pieces)
    if weights.shape[-2:] != shape:
        raise ValueError(
            f"weights need {shape[0]} rows and {shape[1]} columns, one for each piece; "
            f"received shape {weights.shape}"
        )
    rows, row_groups = _words(row_pieces, punctuation)
    columns, column_groups = _words(column_pieces, punctuation)
    means = row_groups / row_groups.sum(axis=1, keepdims=True)  # (row words, rows)
    merged = means @ weights @ column_groups.T  # (..., row words, column words)
    sums = merged.sum(axis=-1, keepdims=True)
    equal = np.full_like(merged, 1 / len(columns))  # of a row that looked at no word at all
    spread = np.divide(merged, sums, out=equal, where=sums > 0)
    return SpacedWords(spread, rows, columns, sums[..., 0].mean(axis=-1))


def _words(pieces: Sequence[str], punctuation: bool) -> tuple[list[str], np.ndarray]:
    """The words, and which piece belongs to which: (words, pieces) of zeros and ones."""
    words: list[list[int]] = []
    for i, piece in enumerate(pieces):
        if is_special(piece):
            continue
        if piece.startswith(WORD_START) or not words:
            words.append([])
        words[-1].append(i)
    if not punctuation:
        words = [spoken for word in words if (spoken := _spoken(pieces, word))]
    if not words:
        raise ValueError(f"there is no word among the pieces; received {list(pieces)}")
    texts = ["".join(pieces[i] for i in word).removeprefix(WORD_START) for word in words]
    groups = np.zeros((len(words), len(pieces)))
    for row, word in zip(groups, words, strict=True):
        row[word] = 1
    return texts, groups


def _spoken(pieces: Sequence[str], word: Sequence[int]) -> list[int]:
    """The pieces of a word without punctuation; none if it is nothing else.

    A `▁` alone belongs to the word that it opens, such as one that begins with `<unk>`.
    """
    kept = [i for i in word if pieces[i] == WORD_START or not is_punctuation(pieces[i])]
    return kept if any(pieces[i] != WORD_START for i in kept) else []
