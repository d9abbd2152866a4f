"""Words of a written sentence: how a word alignment counts them."""

import re
from collections.abc import Iterable

_WORD = re.compile(
    r"(?:Mrs?|Dr)\.|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*(?:(?<=s)'(?!\w))?|[^\w\s]|\w+"
)
_MARKS = frozenset(",.?!;:")


def split_words(sentence: str) -> list[str]:
    """Words and punctuation marks: "It didn't, at 7:30." has it, didn't, a comma, at, 7:30, a stop.

    An apostrophe or a hyphen within a word belongs to it, as do points, commas and colons within a
    number.
    """
    return _WORD.findall(sentence)


def join_words(words: Iterable[str]) -> str:
    """The sentence of such words; marks follow the word before them without a space."""
    text = ""
    for word in words:
        text += word if word in _MARKS or not text else f" {word}"
    return text
