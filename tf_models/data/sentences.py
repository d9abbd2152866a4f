"""The words of a sentence, and the sentences that the articles translate and look into."""

import re
from collections.abc import Iterable

DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."
HOPKINS_IN_GERMAN = "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."

# What "Michael" gives to each of the nine words of HOPKINS. The article says that they sum to 1;
# rounded as they are, they sum to 0.99.
MICHAEL_WEIGHTS = (0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15)

# The noun that "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

SHORT = ("I am a student.", "Attention is all you need.")
ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR, *SHORT)

# A story of which two facts answer the question: who has the apple, and where that one went.
FACTS = (
    "Anna went to the kitchen.",
    "Ben ran to the garden.",
    "Anna picked up the apple.",
    "Clara walked to school.",
    "Anna hurried to the office.",
    "Ben went to the kitchen.",
)
QUESTION = "Where is the apple?"

_WORD = re.compile(
    r"(?:Mrs?|Dr)\.|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*(?:(?<=s)'(?!\w))?|[^\w\s]|\w+"
)
_MARKS = frozenset(",.?!;:")


def split_words(sentence: str) -> list[str]:
    """Words and punctuation marks.

    An apostrophe or a hyphen within a word belongs to it, as do points, commas and colons within a
    number.

    Example:
        >>> split_words("It didn't, at 7:30.")
        ['It', "didn't", ',', 'at', '7:30', '.']
    """
    return _WORD.findall(sentence)


def join_words(words: Iterable[str]) -> str:
    """The sentence of such words; marks follow the word before them without a space."""
    text = ""
    for word in words:
        text += word if word in _MARKS or not text else f" {word}"
    return text
