"""Questions about stories become ids, which `TranslationBatches` makes batches of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.data.batches import Gather, Rows
from tf_models.data.pairs import join_words, split_words
from tf_models.data.stories import Question, words_read
from tf_models.data.tokenizers import WordVocabulary
from tf_models.ids import PADDING_ID, UNKNOWN_ID


@dataclass(frozen=True)
class StoryVocabulary:
    """Words that are read, in small letters, and words that are written, as they stand in answers.

    They are apart, so that a network need not choose an answer among words that none has.
    """

    read: WordVocabulary
    written: WordVocabulary

    @classmethod
    def of(cls, questions: Sequence[Question]) -> "StoryVocabulary":
        """The words of these questions, their facts and their answers."""
        texts = {text for question in questions for text in (*question.facts, question.question)}
        answers = {question.answer for question in questions}
        return cls(
            WordVocabulary.of(words_read(text) for text in texts),
            WordVocabulary.of(split_words(answer) for answer in answers),
        )

    @classmethod
    def load(cls, folder: Path) -> "StoryVocabulary":
        """The vocabulary that `save` wrote into a folder."""
        return cls(*(WordVocabulary.load(folder / name) for name in ("read.txt", "written.txt")))

    def save(self, folder: Path) -> None:
        """Write read.txt and then written.txt into `folder`."""
        self.read.save(folder / "read.txt")
        self.written.save(folder / "written.txt")

    def read_ids(self, text: str) -> list[int]:
        """Ids of the words of a fact or a question that are known; without any it is padding."""
        return [i for i in self.read.ids(words_read(text)) if i != UNKNOWN_ID] or [PADDING_ID]

    def answer_ids(self, answer: str) -> list[int]:
        """Ids of an answer, from start to end id."""
        ids = self.written.ids(split_words(answer))
        return [self.written.start_id, *ids, self.written.end_id]

    def answer_of(self, ids: Iterable[int]) -> str:
        """The answer that was written."""
        return join_words(self.written.words_of(ids))

    def unknown(self, text: str) -> list[str]:
        """Words of a fact or a question that are not in the vocabulary."""
        return self.read.unknown(words_read(text))

    def knows_any(self, text: str) -> bool:
        """Whether a word of a fact or a question is in the vocabulary."""
        return self.read_ids(text) != [PADDING_ID]


@dataclass(frozen=True)
class EncodedQuestions:
    """Ids of questions, batched by the number of facts (see `tf_models.data.tokenizers.Pairs`).

    facts: those that any story has, each once; the first one is padding.
    stories: rows of `facts` for each question.
    questions, answers: ids for each question; answers with start and end id.
    support: for each question, 1 for a fact that its answer follows from, else 0.
    """

    facts: Rows
    stories: Rows
    questions: Rows
    answers: Rows
    support: Rows

    def __len__(self) -> int:
        return len(self.stories)

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Facts of each story, (questions,): of both sides, since no other length counts."""
        return self.stories.lengths, self.stories.lengths

    def gather(self, widths: tuple[int | None, int | None] = (None, None)) -> Gather:
        """A function from the numbers of questions to a batch, padded to its longest parts.

        A batch is facts (batch, facts, words), questions (batch, words), answers (batch, len) and
        the support (batch, facts), int32 each.
        """
        facts, stories = self.facts.ragged(), self.stories.ragged()
        sides = [side.ragged() for side in (self.questions, self.answers, self.support)]

        def gather(batch: tf.Tensor) -> tuple[tf.Tensor, ...]:
            rows = tf.gather(stories, batch).to_tensor()  # (batch, facts)
            words = tf.gather(facts, tf.reshape(rows, [-1])).to_tensor()  # (batch * facts, words)
            shape = tf.concat([tf.shape(rows), tf.shape(words)[1:]], axis=0)
            others = (tf.gather(side, batch).to_tensor() for side in sides)
            return (tf.reshape(words, shape), *others)

        return gather


def encode_questions(
    questions: Sequence[Question], vocabulary: StoryVocabulary
) -> EncodedQuestions:
    """Encode questions as ids."""
    facts = list(dict.fromkeys(fact for question in questions for fact in question.facts))
    rows = {fact: row for row, fact in enumerate(facts, start=1)}
    # cuDNN refuses a sequence of padding alone, so a question without a known word is one <unk>.
    asked = [
        [UNKNOWN_ID] if ids == [PADDING_ID] else ids
        for ids in (vocabulary.read_ids(question.question) for question in questions)
    ]
    return EncodedQuestions(
        facts=Rows([[PADDING_ID], *map(vocabulary.read_ids, facts)]),
        stories=Rows([rows[fact] for fact in question.facts] for question in questions),
        questions=Rows(asked),
        answers=Rows(vocabulary.answer_ids(question.answer) for question in questions),
        support=Rows([i in q.support for i in range(len(q.facts))] for q in questions),
    )
