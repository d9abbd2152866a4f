"""A story, a question about it, and the answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A question about the facts before it.

    facts: sentences, in the order in which they happened.
    question, answer: the answer is a word or a few.
    support: indices of the facts that the answer follows from; none where nobody said.
    kind: what is asked: "where is", "who has" …; a file's name for those of a file.
    """

    facts: tuple[str, ...]
    question: str
    answer: str
    support: tuple[int, ...] = ()
    kind: str = "question"
