"""Questions about stories become ids, and batches of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.data.epochs import EpochBatches, prefetched
from tf_models.data.sentences import join_words, split_words
from tf_models.data.stories.limits import words_read
from tf_models.data.stories.story import Question
from tf_models.data.text.batches import chunks, dataset_of, ragged, ragged_of, shuffled_by_length
from tf_models.data.text.vocabulary import WordVocabulary
from tf_models.errors import InputError
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
        texts = {text for one in questions for text in (*one.facts, one.question)}
        answers = {one.answer for one in questions}
        return cls(
            WordVocabulary.of(words_read(text) for text in texts),
            WordVocabulary.of(split_words(answer) for answer in answers),
        )

    @classmethod
    def load(cls, folder: Path) -> "StoryVocabulary":
        """What `save` wrote.

        Raises:
            InputError: a file is missing or damaged.
        """
        return cls(*(WordVocabulary.load(folder / name) for name in ("read.txt", "written.txt")))

    def save(self, folder: Path) -> None:
        """Write read.txt and, when it stands, written.txt into `folder`."""
        self.read.save(folder / "read.txt")
        self.written.save(folder / "written.txt")

    def read_ids(self, text: str) -> list[int]:
        """Ids of a fact or a question; one without any word is one unknown word."""
        return self.read.ids(words_read(text)) or [UNKNOWN_ID]

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
        return set(self.read_ids(text)) != {UNKNOWN_ID}

    def can_write(self, answer: str) -> bool:
        """Whether each word of an answer is in the vocabulary."""
        return not self.written.unknown(split_words(answer))


@dataclass(frozen=True)
class EncodedQuestions:
    """Ids of questions.

    facts: those that any story has, each once, int32 arrays; the first one is padding.
    stories: rows of `facts` for each question, int32 arrays.
    questions, answers: ids for each question, int32 arrays; answers with start and end id.
    support: for each question, 1 for a fact that its answer follows from, else 0, int32 arrays.
    """

    facts: list[np.ndarray]
    stories: list[np.ndarray]
    questions: list[np.ndarray]
    answers: list[np.ndarray]
    support: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.stories)


def encode_questions(
    questions: Sequence[Question], vocabulary: StoryVocabulary
) -> EncodedQuestions:
    """Questions as ids.

    Raises:
        InputError: there are none.
    """
    if not questions:
        raise InputError("there are no questions")
    rows = {fact: 0 for one in questions for fact in one.facts}
    for row, fact in enumerate(rows, start=1):
        rows[fact] = row
    return EncodedQuestions(
        [np.array([PADDING_ID], np.int32), *(_ids(vocabulary.read_ids(fact)) for fact in rows)],
        [_ids([rows[fact] for fact in one.facts]) for one in questions],
        [_ids(vocabulary.read_ids(one.question)) for one in questions],
        [_ids(vocabulary.answer_ids(one.answer)) for one in questions],
        [_ids([i in one.support for i in range(len(one.facts))]) for one in questions],
    )


class QuestionBatches(EpochBatches):
    """Batches of one split, epoch by epoch: stories with about as many facts stand together.

    A batch is facts (batch, facts, words), questions (batch, words) and answers (batch, len), ids
    in int32, padded to the longest ones of the batch, and the support (batch, facts), int32.

    Args:
        encoded: the questions.
        batch_size: questions in a batch.
        seed: 0 or greater.
    """

    def __init__(self, encoded: EncodedQuestions, batch_size: int, seed: int):
        self._count, self._batch_size, self._seed = len(encoded), batch_size, seed
        self._facts, self._stories = ragged(encoded.facts), ragged(encoded.stories)
        sides = (encoded.questions, encoded.answers, encoded.support)
        self._sides = [ragged(side) for side in sides]
        self._lengths = np.array([len(story) for story in encoded.stories])

    def __len__(self) -> int:
        """Batches in an epoch."""
        return -(-self._count // self._batch_size)

    def in_order(self) -> tf.data.Dataset:
        """Every question once, in the order that `places` says."""
        batches = ragged(chunks(self.places(), self._batch_size))
        return prefetched(dataset_of(batches, self._gather))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        return dataset_of(ragged_of(self._shuffled, epoch), self._gather)

    def _shuffled(self, epoch: int) -> list[np.ndarray]:
        seed = [self._seed, epoch]
        return shuffled_by_length(self._count, self._by_length, self._batch_size, seed)

    def places(self) -> np.ndarray:
        """Numbers of the questions as `in_order` has them, (questions,)."""
        return self._by_length(np.arange(self._count))

    def _by_length(self, indices: np.ndarray) -> np.ndarray:
        return indices[np.argsort(self._lengths[indices], kind="stable")]

    def _gather(self, batch: tf.Tensor) -> tuple[tf.Tensor, ...]:
        rows = tf.gather(self._stories, batch).to_tensor()  # (batch, facts)
        facts = tf.gather(self._facts, tf.reshape(rows, [-1])).to_tensor()  # (batch * facts, words)
        shape = tf.concat([tf.shape(rows), tf.shape(facts)[1:]], axis=0)
        sides = (tf.gather(side, batch).to_tensor() for side in self._sides)
        return (tf.reshape(facts, shape), *sides)


def _ids(ids: Sequence[int]) -> np.ndarray:
    return np.array(ids, np.int32)
