"""The words of training sentences, by which a word that a model never met is known as such."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tf_models.data.sentences import split_words

_DIGIT = re.compile(r"\d")
_POSSESSIVE = re.compile(r"(?<=\w)['’][sS]?$")


@dataclass(frozen=True)
class WordList:
    """Words and marks as `split_words` has them.

    text: the words, with spaces between them. Each is in its own case and has 0 for every digit:
        "0:00" stands for all such times of day. A word that only began sentences is in lower case,
        since its capital says nothing.
    """

    text: str

    @classmethod
    def of(cls, sentences: Iterable[str]) -> "WordList":
        """The list of all words of some sentences."""
        first, others = set(), set()
        for sentence in sentences:
            word, *more = map(_form, split_words(sentence) or [""])
            first.add(word)
            others.update(more)
        others.update(w.lower() for w in first if others.isdisjoint((w, w.lower())))
        return cls(" ".join(sorted(others - {""})))

    @cached_property
    def words(self) -> frozenset[str]:
        """All of them."""
        return frozenset(self.text.split())

    @cached_property
    def _by_lower_case(self) -> dict[str, str]:
        return {word.lower(): word for word in self.text.split()}

    def knows(self, word: str) -> bool:
        """Whether a word was met: as it stands, or without a possessive 's; with a capital also if
        its lower case was; all in capitals also if any form of it was.

        In lower case it is another word than a name: "bill" was not met where "Bill" was.
        """
        form = _form(word)
        lower = form.lower()
        met = form in self.words or (form[0].isupper() and lower in self.words)
        if met or (form.isupper() and lower in self._by_lower_case):
            return True
        base = _POSSESSIVE.sub("", form)
        return base != form and self.knows(base)

    def unknown(self, sentence: str) -> dict[str, str | None]:
        """Words and marks of a sentence that were never met, in order, each with a form of it that
        was, in another case: {"petrified": None, "anna": "Anna"}."""
        unknown = (word for word in split_words(sentence) if not self.knows(word))
        return {word: self._by_lower_case.get(_form(word).lower()) for word in unknown}


def _form(word: str) -> str:
    return _DIGIT.sub("0", word)
