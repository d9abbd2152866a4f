"""The words of the training sentences, by which a new sentence's unknown words are named.

They are compared in lower case, with 0 for every digit and without a possessive 's: "7:30" is known
by "8:15", "Anna's" by "Anna".
"""

import re
from collections.abc import Iterable
from pathlib import Path

from tf_models.data.pairs import split_words
from tf_models.data.text_files import read_lines
from tf_models.files import write_text


def words_of(sentences: Iterable[str]) -> frozenset[str]:
    """The words of training sentences."""
    return frozenset(_form(word) for one in sentences for word in split_words(one))


def save_known_words(path: Path, words: Iterable[str]) -> None:
    """Write words, a line each, in order."""
    write_text(path, "".join(f"{word}\n" for word in sorted(words)))


def load_known_words(path: Path) -> frozenset[str]:
    """Read what `save_known_words` wrote; empty if there is no such file."""
    return frozenset(read_lines(path)) if path.exists() else frozenset()


def unknown_words(sentence: str, known: frozenset[str]) -> list[str]:
    """Words of a sentence that are not among the known ones, each once, in order.

    Example:
        >>> unknown_words("Zoe's dog, the dog.", frozenset({"the", "dog", ",", "."}))
        ["Zoe's"]
    """
    words = dict.fromkeys(split_words(sentence)) if known else ()
    return [word for word in words if _form(word) not in known]


def _form(word: str) -> str:
    return re.sub(r"\d", "0", re.sub(r"(?<=\w)['’]s?$", "", word.lower()))
