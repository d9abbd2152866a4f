"""A story, a question about it, and the answer; their words, and how many a model reads."""

from dataclasses import dataclass

from tf_models.data.sentences import split_words


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


@dataclass(frozen=True)
class StoryLimits:
    """Longest input and output of a model.

    facts: of a story. words: of a fact or a question. answer_words: of an answer.
    """

    facts: int
    words: int = 40
    answer_words: int = 10

    def problem(self, question: Question) -> str | None:
        """A sentence about what is too long; None if all fits."""
        if len(question.facts) > self.facts:
            return f"the story has {len(question.facts)} facts, and the model reads {self.facts}"
        longest = max((*question.facts, question.question), key=lambda text: len(words_read(text)))
        if (words := len(words_read(longest))) > self.words:
            return f"a sentence has {words} words, and the model reads {self.words}: {longest!r}"
        if (words := len(split_words(question.answer))) > self.answer_words:
            return f"the answer has {words} words, and the model writes {self.answer_words}"
        return None


def words_read(text: str) -> list[str]:
    """Words of a fact or a question, in small letters and without the marks between them."""
    return [word.casefold() for word in split_words(text) if any(map(str.isalnum, word))]
