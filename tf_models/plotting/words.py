"""From subword pieces back to words: labels that people read, and attention between words."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from tf_models.plotting.lettering import WORD_START

_SPECIAL = re.compile(r"<(?!unk>)[^<>\s]+>")


def merge_pieces(
    weights: np.ndarray, row_pieces: Sequence[str], column_pieces: Sequence[str]
) -> tuple[np.ndarray, list[str], list[str]]:
    """Attention between words instead of pieces; `▁An th ony` becomes `Anthony`.

    What a word receives is the sum over its pieces, where it looks is their mean, so that rows
    that sum to one still do. A piece with `▁` opens a word; `<start>`, `<end>` and their like, and
    punctuation at the beginning or the end of a word, are words of their own.

    Args:
        weights: (..., rows, columns), one row and one column a piece.

    Returns:
        weights (..., row words, column words), the row words, the column words.
    """
    weights = np.asarray(weights)
    if weights.shape[-2:] != (len(row_pieces), len(column_pieces)):
        raise ValueError(
            f"weights need {len(row_pieces)} rows and {len(column_pieces)} columns, one for each "
            f"piece; received shape {weights.shape}"
        )
    row_starts, column_starts = word_starts(row_pieces), word_starts(column_pieces)
    lengths = np.diff([*row_starts, len(row_pieces)])
    merged = np.add.reduceat(weights, column_starts, axis=-1)  # (..., rows, column words)
    merged = np.add.reduceat(merged, row_starts, axis=-2)  # (..., row words, column words)
    merged = merged / lengths[:, np.newaxis]
    return merged, _join(row_pieces, row_starts), _join(column_pieces, column_starts)


def word_starts(pieces: Sequence[str]) -> list[int]:
    """Indices of the pieces that open a word."""
    opened = [index for index in range(len(pieces)) if _opens(pieces, index)]
    spans = zip(opened, [*opened[1:], len(pieces)], strict=True)
    return [start for first, end in spans for start in _split_span(pieces, first, end)]


def is_special(piece: str) -> bool:
    """Whether it is `<start>`, `<end>` or their like; `<unk>` may be a part of a word."""
    return bool(_SPECIAL.fullmatch(piece))


def _opens(pieces: Sequence[str], index: int) -> bool:
    piece, before = pieces[index], pieces[index - 1] if index else None
    if before is None or piece.startswith(WORD_START):
        return True
    return is_special(piece) or is_special(before)


def _split_span(pieces: Sequence[str], first: int, end: int) -> list[int]:
    """Starts of the words between two spaces: punctuation before, the word, punctuation after."""
    spoken = [index for index in range(first, end) if not is_punctuation(pieces[index])]
    if not spoken:
        return [first]
    begin, after = spoken[0], spoken[-1] + 1
    if not _join(pieces[first:begin], [0])[0].strip(WORD_START):
        begin = first  # nothing stands before the word but the sign that opens it
    return sorted({first, begin, after} - {end})


def is_punctuation(piece: str) -> bool:
    """Whether it holds neither letters nor numbers: `.`, `,` and their like."""
    return all(unicodedata.category(char)[0] in "PS" for char in piece.removeprefix(WORD_START))


def _join(pieces: Sequence[str], starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], len(pieces)]
    texts = ["".join(pieces[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [text.removeprefix(WORD_START) or text for text in texts]
