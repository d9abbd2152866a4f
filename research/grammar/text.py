"""Words of a sentence that know which nodes of the tree they come from; the same in both languages.

A node is named by its path from the root: "subject", "subject/adjective0", "subordinate/verb".
Words of the two languages that share a node are translations of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tf_models.data.sentences import join_words

FINAL_MARK = "final mark"


class Word(NamedTuple):
    """A word or a punctuation mark of a sentence.

    text: as it is written.
    nodes: paths of the nodes that it stands for; none for what the other language lacks.
    """

    text: str
    nodes: tuple[str, ...] = ()


COMMA = Word(",")


def words(text: str, *nodes: str) -> list[Word]:
    """The words of a text, all of them from the same nodes; none for an empty text."""
    return [Word(part, nodes) for part in text.split()]


def spell(written: Sequence[Word]) -> str:
    """The words as a sentence is written: marks follow the word before them without a space."""
    return join_words([word.text for word in written])


def sentence(written: Sequence[Word], mark: str) -> list[Word]:
    """Settle the commas, capitalise the first letter and add the final mark.

    Embedded clauses put a comma on both sides; where two meet only one is kept, and none before
    the final mark.
    """
    settled: list[Word] = []
    for word in written:
        if word.text != "," or (settled and settled[-1].text != ","):
            settled.append(word)
    if settled[-1].text == ",":
        settled.pop()
    return [*capitalised(settled), Word(mark, (FINAL_MARK,))]


def capitalised(written: Sequence[Word]) -> list[Word]:
    """The words, the first of them with a capital letter."""
    first, *rest = written
    return [first._replace(text=first.text[0].upper() + first.text[1:]), *rest]
