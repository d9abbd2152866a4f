"""Characters that a tokenizer's alphabet lacks: each is read as a plainer one, or left out.

A model never trained the embedding of `<unk>`, so reading it would put a random word into the
sentence. tasks/translation/page/web/alphabet.js does the same on a page.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

# Marks as they are printed in one language or another, and the plain ones that mean the same.
PLAIN_MARKS = {
    **dict.fromkeys("’‘‚‛ʼ´`′‹›", "'"),
    **dict.fromkeys("“”„‟″«»「」『』", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("。।۔", "."),
    **dict.fromkeys("，、،", ","),
    **dict(zip("…！？؟：；؛（）⁄", ("...", *"!??:;;()/"), strict=True)),
}
_OUT = "\uffff"  # stands before a character that is left out; no character of Unicode
_LEFT_OUT = re.compile(f"(?:{_OUT}.)+")
_GAP = re.compile(f" *(?:{_OUT}. *)+")


class Alphabet:
    """What a model has learnt to read, and how it reads the rest.

    Any other character is read as a mark that means the same (`PLAIN_MARKS`), as what Unicode holds
    to be compatible (NFKC: `ﬁ` is `fi`), or without its accents. If those are unknown, too, the
    character is left out.

    Args:
        spells: whether the tokenizer has pieces for all of a text.
        never_met: marks that no training sentence had, though there may be pieces for them.
    """

    def __init__(self, spells: Callable[[str], bool], never_met: str = ""):
        self.spells, self.never_met = spells, never_met
        self._reading = lru_cache(maxsize=None)(self._find_reading)

    def read(self, text: str) -> str:
        """The text without what is left out, which takes a space along: "It sleeps 🙂." is read as
        "It sleeps."."""
        marked = self._mark(text)
        return _GAP.sub(_close, marked).strip(" ") if _OUT in marked else marked

    def plainer(self, text: str) -> str:
        """The text as `read` has it, but with what is left out."""
        return self._mark(text).replace(_OUT, "")

    def lacking(self, text: str) -> dict[str, str]:
        """What the reader should know of: what is left out of a text, each with an empty string;
        and letters that lose their accents, each with what is read."""
        accented = {}
        for char in single_spaced(text):
            if self._reading(char) == _without_accents(char) != char:
                accented[char] = self._reading(char)
        return {**dict.fromkeys(self.left_out(text), ""), **accented}

    def left_out(self, text: str) -> list[str]:
        """What is left out of a text, in order: characters that stand side by side are one."""
        return [run.replace(_OUT, "") for run in _LEFT_OUT.findall(self._mark(text))]

    def _mark(self, text: str) -> str:
        """The text as it is read, with `_OUT` before each character that is left out."""
        return "".join(map(self._reading, single_spaced(text)))

    def _find_reading(self, char: str) -> str:
        spelled = self.spells(char)
        if spelled and char not in self.never_met:
            return char
        plain = PLAIN_MARKS.get(char, char)
        candidates = (
            plain,
            *(mark for mark, other in PLAIN_MARKS.items() if other == plain),
            unicodedata.normalize("NFKC", char),
            _without_accents(char),
        )
        for one in candidates:
            if one not in ("", char) and not set(one) & set(self.never_met) and self.spells(one):
                return one
        is_seen = unicodedata.category(char) not in ("Cc", "Cf")
        return char if spelled else f"{_OUT}{char}" if is_seen else ""


def describe_lacking(lacking: Mapping[str, str]) -> str:
    """What `Alphabet.lacking` found, on one line, empty if there is nothing."""
    left_out = " ".join(one for one, plain in lacking.items() if not plain)
    accented = " ".join(one for one, plain in lacking.items() if plain)
    said = (
        left_out and f"not in the tokenizer's alphabet, so left out: {left_out}",
        accented and f"read without accents: {accented}",
    )
    return "; ".join(filter(None, said))


def single_spaced(sentence: str) -> str:
    """A sentence as every model reads it: in Unicode's NFC, with one space between words."""
    return " ".join(unicodedata.normalize("NFC", sentence).split())


def _without_accents(char: str) -> str:
    parts = unicodedata.normalize("NFD", char)
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M")


def _close(gap: re.Match) -> str:
    """The space that remains where something was left out; none before a mark or the end."""
    following = gap.string[gap.end() : gap.end() + 1]
    goes_on = following and unicodedata.category(following)[0] != "P"
    return " " if gap[0].endswith(" ") or (goes_on and " " in gap[0]) else ""
