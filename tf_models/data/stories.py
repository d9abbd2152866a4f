"""Questions about stories: data sets, bAbI's format, and ids for batches."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.data.annotated import embedded_file
from tf_models.data.batches import Gather, Rows
from tf_models.data.text_files import read_lines, stream_lines
from tf_models.data.words import WordVocabulary, join_words, split_words
from tf_models.errors import InputError, StrPath, counted
from tf_models.ids import PADDING_ID, UNKNOWN_ID


@dataclass(frozen=True)
class Question:
    """A question about the facts before it."""

    facts: tuple[str, ...]  # sentences, in the order of the events
    question: str
    answer: str  # a word or a few
    support: tuple[int, ...] = ()  # indices of the facts that the answer follows from, if known
    kind: str = "question"  # "where is", "who has" …; the file's name if it comes from a file


STORIES = "stories"  # name of the embedded set
HELD_OUT_SHARE_OF_STORIES = 0.1  # stories of training files that become the validation split


@dataclass(frozen=True)
class QuestionSet:
    """Questions for training, validation and test; `name` is their source."""

    name: str
    train: list[Question]
    validation: list[Question]
    test: list[Question]

    def describe(self) -> str:
        """Sizes and kinds, on one line."""
        kinds = dict.fromkeys(question.kind for question in self.test)
        return (
            f"{self.name}: {len(self.train):,} training, {len(self.validation):,} validation and "
            f"{counted(len(self.test), 'test question')}; {', '.join(kinds)}"
        )


def embedded_questions(count: int | None = None) -> QuestionSet:
    """Embedded questions, the first `count` of them to train on."""
    splits: dict[str, list[Question]] = {"train": [], "validation": [], "test": []}
    for line in islice(stream_lines(embedded_file(STORIES)), 1, None):
        split, question_kind, facts, question, answer, support = line.split("\t")
        example = Question(
            facts=tuple(facts.split(" | ")),
            question=question,
            answer=answer,
            support=tuple(map(int, support.split())),
            kind=question_kind,
        )
        splits[split].append(example)
    splits["train"] = splits["train"][:count]
    return QuestionSet(STORIES, **splits)


def questions_of_files(
    train: Sequence[StrPath], test: Sequence[StrPath], seed: int = 0
) -> QuestionSet:
    """Questions of bAbI files; the seed chooses training stories to validate.

    Raises:
        InputError: a file cannot be read, or there are too few stories.
    """
    stories = [story for path in train for story in _stories(read_babi(path))]
    if len(stories) < 2:
        raise InputError(f"{train[0]} has one story only; a second one is needed to validate")
    count = max(1, int(HELD_OUT_SHARE_OF_STORIES * len(stories)))
    held_out = set(np.random.default_rng(seed).permutation(len(stories))[:count].tolist())
    return QuestionSet(
        name=", ".join(Path(path).stem for path in train),
        train=[
            question for i, story in enumerate(stories) if i not in held_out for question in story
        ],
        validation=[question for i in sorted(held_out) for question in stories[i]],
        test=[question for path in test for question in read_babi(path)],
    )


def _stories(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Group consecutive questions whose facts begin with the same ones."""
    story: list[Question] = []
    for question in questions:
        if story and question.facts[: len(story[-1].facts)] != story[-1].facts:
            yield story
            story = []
        story.append(question)
    yield story


def read_babi(path: StrPath) -> list[Question]:
    """Questions of a bAbI file; an InputError if it has none or is malformed."""
    path = Path(path)
    questions: list[Question] = []
    facts: dict[int, str] = {}  # line number in the story -> fact
    for count, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        number, _, text = line.strip(" ").partition(
            " "
        )  # but no tab: one at the end makes an empty cell
        try:
            if int(number) == 1:
                facts = {}
            if "\t" in text:
                questions.append(_question(text, facts, Path(path).stem))
            else:
                facts[int(number)] = text.strip()
        except (ValueError, KeyError) as error:
            raise InputError(
                f"{path}, line {count}: expected a number and a fact, or a number, a question, its "
                f"answer and the numbers of earlier facts between tabs; received {line[:60]!r}"
            ) from error
    if not questions:
        raise InputError(f"{path} has no question; one is a line with a tab before its answer")
    return questions


def _question(text: str, facts: dict[int, str], question_kind: str) -> Question:
    question, answer, *support = (part.strip() for part in text.split("\t"))
    answer = join_words(split_words(answer))  # spaced as a model writes it: "apple, milk"
    if not (facts and answer):
        raise ValueError("no fact before a question, or no answer")
    index_of = {number: i for i, number in enumerate(facts)}
    indices = tuple(index_of[int(number)] for number in " ".join(support[:1]).split())
    return Question(tuple(facts.values()), question, answer, indices, question_kind)


def words_read(text: str) -> list[str]:
    """Words of a text in lower case, without punctuation marks."""
    return [word.casefold() for word in split_words(text) if any(map(str.isalnum, word))]


@dataclass(frozen=True)
class StoryVocabulary:
    """Vocabularies of facts and questions, in lower case, and of answers.

    They are apart, so that a network does not choose an answer among words that no answer has.
    """

    read: WordVocabulary
    written: WordVocabulary

    @classmethod
    def of(cls, questions: Sequence[Question]) -> "StoryVocabulary":
        """The words of these questions, their facts and their answers."""
        texts = {text for question in questions for text in (*question.facts, question.question)}
        answers = {question.answer for question in questions}
        read = WordVocabulary.of(words_read(text) for text in texts)
        written = WordVocabulary.of(split_words(answer) for answer in answers)
        return cls(read, written)

    @classmethod
    def load(cls, folder: StrPath) -> "StoryVocabulary":
        """The vocabulary that `save` wrote into a folder."""
        read = WordVocabulary.load(Path(folder, "read.txt"))
        written = WordVocabulary.load(Path(folder, "written.txt"))
        return cls(read, written)

    def save(self, folder: StrPath) -> None:
        """Write read.txt and then written.txt into `folder`."""
        self.read.save(Path(folder, "read.txt"))
        self.written.save(Path(folder, "written.txt"))

    def read_ids(self, text: str) -> list[int]:
        """Ids of known words in a fact or a question; padding if there are none."""
        return [i for i in self.read.ids(words_read(text)) if i != UNKNOWN_ID] or [PADDING_ID]

    def answer_ids(self, answer: str) -> list[int]:
        """Ids of an answer, from start to end id."""
        ids = self.written.ids(split_words(answer))
        return [self.written.start_id, *ids, self.written.end_id]

    def answer_of(self, ids: Iterable[int]) -> str:
        """Text of an answer's ids."""
        return join_words(self.written.words_of(ids))

    def unknown(self, text: str) -> list[str]:
        """Words of a fact or a question that are not in the vocabulary."""
        return self.read.unknown(words_read(text))


@dataclass(frozen=True)
class EncodedQuestions:
    """Ids of questions, bucketed by number of facts (see `BucketedBatches`)."""

    facts: Rows  # each different fact once, after a first row of padding
    stories: Rows  # indices of each question's facts in `facts`
    questions: Rows
    answers: Rows  # start and end id included
    support: Rows  # 1 for each fact that the answer follows from, else 0

    def __len__(self) -> int:
        return len(self.stories)

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Facts of each story, (questions,), as lengths of both sides."""
        return self.stories.lengths, self.stories.lengths

    def gather(self, widths: tuple[int | None, int | None] = (None, None)) -> Gather:
        """Function from indices of questions to a batch of padded parts.

        A batch is ((facts, questions), (answers, support)), int32 each: (batch, facts, words),
        (batch, words), (batch, len) and (batch, facts).
        """
        facts = self.facts.ragged()
        stories = self.stories.ragged()
        sides = [side.ragged() for side in (self.questions, self.answers, self.support)]

        def gather(batch: tf.Tensor) -> tuple[tuple[tf.Tensor, ...], ...]:
            rows = tf.gather(stories, batch).to_tensor()  # (batch, facts)
            words = tf.gather(facts, tf.reshape(rows, [-1])).to_tensor()  # (batch * facts, words)
            shape = tf.concat([tf.shape(rows), tf.shape(words)[1:]], axis=0)
            questions, answers, support = (tf.gather(side, batch).to_tensor() for side in sides)
            return (tf.reshape(words, shape), questions), (answers, support)

        return gather


def encode_questions(
    questions: Sequence[Question], vocabulary: StoryVocabulary
) -> EncodedQuestions:
    """Encode questions as ids."""
    facts = list(dict.fromkeys(fact for question in questions for fact in question.facts))
    rows = {fact: row for row, fact in enumerate(facts, start=1)}
    # cuDNN refuses a sequence of padding alone, so a question without a known word is one <unk>.
    question_ids = [vocabulary.read_ids(question.question) for question in questions]
    question_ids = [[UNKNOWN_ID] if ids == [PADDING_ID] else ids for ids in question_ids]
    return EncodedQuestions(
        facts=Rows([[PADDING_ID], *map(vocabulary.read_ids, facts)]),
        stories=Rows([rows[fact] for fact in question.facts] for question in questions),
        questions=Rows(question_ids),
        answers=Rows(vocabulary.answer_ids(question.answer) for question in questions),
        support=Rows(
            [int(i in question.support) for i in range(len(question.facts))]
            for question in questions
        ),
    )
