"""Source sentences as every model reads them; target text is never normalised."""

import unicodedata

PLAIN_MARKS = {
    **dict.fromkeys("’‘‚‛ʼ´`′‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
"""Typographic marks, and the plain ones that mean the same."""

_TABLE = str.maketrans(PLAIN_MARKS)


def single_spaced(sentence: str) -> str:
    """A sentence in Unicode's NFC, with one space between words."""
    return " ".join(unicodedata.normalize("NFC", sentence).split())


def normalize_source(sentence: str) -> str:
    """A sentence in Unicode's NFC, with plain marks and one space between words.

    Example:
        >>> normalize_source("“It’s  late …”")
        '"It\\'s late ..."'
    """
    return single_spaced(sentence).translate(_TABLE)


def without_accents(char: str) -> str:
    """The plain letters of a character: e for é, fi for the ligature ﬁ."""
    parts = unicodedata.normalize("NFKD", char)
    return "".join(part for part in parts if not unicodedata.combining(part))
