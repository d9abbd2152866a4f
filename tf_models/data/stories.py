"""Stories with questions: sets of them, bAbI's format, and batches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from tf_models.data.pairs import join_words, split_words
from tf_models.data.text_files import fingerprint, read_lines, stream_lines
from tf_models.errors import InputError


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


STORIES = "stories"  # name of the embedded set
EMBEDDED_FILE = Path(__file__).parent / "embedded" / "stories.tsv.xz"
COLUMNS = ("split", "kind", "facts", "question", "answer", "support")
FACT_BREAK = " | "  # between the facts of a story
HELD_OUT_FRACTION = 0.1  # of the stories of files, to validate


@dataclass(frozen=True)
class QuestionSet:
    """Questions of three splits; `name` says where they come from."""

    name: str
    train: list[Question]
    validation: list[Question]
    test: list[Question]

    def fingerprint(self) -> str:
        """16 hexadecimal digits that tell all questions and their order from others."""
        splits = (self.train, self.validation, self.test)
        return fingerprint(
            *(("\t".join((*q.facts, q.question, q.answer)) for q in split) for split in splits)
        )

    def describe(self) -> str:
        """Sizes and kinds, on one line."""
        kinds = dict.fromkeys(question.kind for question in self.test)
        return (
            f"{self.name}: {len(self.train):,} training, {len(self.validation):,} validation and "
            f"{len(self.test):,} test questions; {', '.join(kinds)}"
        )


def embedded_questions(count: int | None = None) -> QuestionSet:
    """The embedded questions, the first `count` of them to train on; no story stands in two splits
    with the same question.
    """
    splits: dict[str, list[Question]] = {"train": [], "validation": [], "test": []}
    for line in islice(stream_lines(EMBEDDED_FILE), 1, None):
        split, kind, facts, question, answer, support = line.split("\t")
        indices = tuple(map(int, support.split()))
        told = tuple(facts.split(FACT_BREAK))
        splits[split].append(Question(told, question, answer, indices, kind))
    splits["train"] = splits["train"][:count]
    return QuestionSet(STORIES, **splits)


def questions_of_files(train: Sequence[Path], test: Sequence[Path], seed: int = 0) -> QuestionSet:
    """Questions of files in the format of bAbI, one or more to train on and to test on; some of the
    training stories, chosen by the seed, validate.

    Raises:
        InputError: a file cannot be read, is in another format, or there are too few stories.
    """
    stories = [story for path in train for story in _stories(read_babi(path))]
    if len(stories) < 2:
        raise InputError(f"{train[0]} has one story only; a second one is needed to validate")
    held_out = max(1, int(HELD_OUT_FRACTION * len(stories)))
    chosen = set(np.random.default_rng(seed).permutation(len(stories))[:held_out].tolist())
    sides: tuple[list[Question], list[Question]] = ([], [])
    for i, story in enumerate(stories):
        sides[i in chosen].extend(story)
    name = ", ".join(path.stem for path in train)
    return QuestionSet(name, *sides, [question for path in test for question in read_babi(path)])


def _stories(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Questions in a row whose facts are those of the one before, or some more."""
    story: list[Question] = []
    for question in questions:
        if story and question.facts[: len(story[-1].facts)] != story[-1].facts:
            yield story
            story = []
        story.append(question)
    yield story


def read_babi(path: Path) -> list[Question]:
    """Questions of a file, in order, of the kind that its name says.

    Raises:
        InputError: it cannot be read, has no question, or a line is not in the format.
    """
    questions: list[Question] = []
    facts: dict[int, str] = {}  # line number in the story -> fact
    for count, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        number, _, text = line.strip(" ").partition(" ")  # a tab at the end has a meaning
        try:
            if int(number) == 1:
                facts = {}
            if "\t" in text:
                questions.append(_question(text, facts, path.stem))
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


def _question(text: str, facts: dict[int, str], kind: str) -> Question:
    question, answer, *support = (part.strip() for part in text.split("\t"))
    answer = join_words(split_words(answer))  # as a model writes it: "apple, milk"
    if not (facts and answer):
        raise ValueError("no fact before a question, or no answer")
    places = {number: i for i, number in enumerate(facts)}
    indices = tuple(places[int(number)] for number in " ".join(support[:1]).split())
    return Question(tuple(facts.values()), question, answer, indices, kind)
