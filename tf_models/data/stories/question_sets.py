"""Questions to train on, to validate and to test: embedded ones, or those of files.

Files are in the text format of bAbI (Weston et al. 2016): numbered facts, and questions with tabs.

    1 Mary moved to the bathroom.
    2 Where is Mary?<tab>bathroom<tab>1

A line numbered 1 begins a new story. A question is about all facts before it in its story; behind
the second tab stand the numbers of the lines that it follows from, which may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from tf_models.data.sentences import join_words, split_words
from tf_models.data.stories.story import Question
from tf_models.data.text_files import fingerprint, read_lines, stream_lines
from tf_models.errors import InputError

STORIES = "stories"  # name of the embedded set
EMBEDDED_FILE = Path(__file__).with_name("stories.tsv.xz")
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
        kinds = dict.fromkeys(one.kind for one in self.test)
        return (
            f"{self.name}: {len(self.train):,} training, {len(self.validation):,} validation and "
            f"{len(self.test):,} test questions; {', '.join(kinds)}"
        )


def embedded_questions(count: int | None = None) -> QuestionSet:
    """The embedded questions; no story stands in two splits with the same question.

    Only the first `count` training questions, if it is given. docs/corpus.md says how they were
    made. Raises InputError: there are fewer.
    """
    splits: dict[str, list[Question]] = {"train": [], "validation": [], "test": []}
    for line in islice(stream_lines(EMBEDDED_FILE), 1, None):
        split, kind, facts, question, answer, support = line.split("\t")
        told, indices = tuple(facts.split(FACT_BREAK)), tuple(map(int, support.split()))
        splits[split].append(Question(told, question, answer, indices, kind))
    most = len(splits["train"])
    if count is not None and count > most:
        raise InputError(f"there are {most:,} embedded questions to train on; received {count:,}")
    if count is not None:
        del splits["train"][count:]
    return QuestionSet(STORIES, **splits)


def questions_of_files(train: Sequence[Path], test: Sequence[Path], seed: int = 0) -> QuestionSet:
    """Questions of files in the format of bAbI, one or more to train on and to test on; some of the
    training stories, chosen by the seed, validate. Raises InputError: a file cannot be read, is in
    another format, or there are too few stories.
    """
    stories = [story for path in train for story in _stories(read_babi(path))]
    if len(stories) < 2:
        raise InputError(
            f"{train[0]} has one story only; two are needed, one to train and one to validate"
        )
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
    """The questions of a file, in order, of the kind that its name says; an InputError if it cannot
    be read, or a line is not in the format.
    """
    questions: list[Question] = []
    facts: dict[int, str] = {}  # line number in the story -> fact
    for count, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        number, text = _numbered(line, f"line {count} of {path}")
        if number == 1:
            facts = {}
        if "\t" not in text:
            facts[number] = text
            continue
        questions.append(_question(text, facts, path.stem, f"line {count} of {path}"))
    if not questions:
        raise InputError(f"{path} has no question; one is a line with a tab before its answer")
    return questions


def _numbered(line: str, place: str) -> tuple[int, str]:
    number, _, text = line.strip(" ").partition(" ")  # a tab at the end has a meaning
    if not re.fullmatch(r"\d{1,9}", number) or not text.strip():
        raise InputError(f"{place} must be a number, a space and a sentence; received {line!r}")
    return int(number), text.strip(" ")


def _question(text: str, facts: dict[int, str], kind: str, place: str) -> Question:
    question, answer, *support = (part.strip() for part in text.split("\t"))
    answer = join_words(split_words(answer))  # as a model writes it: "apple, milk"
    if not answer:
        raise InputError(f"{place} has a question without an answer: {question!r}")
    if not facts:
        raise InputError(f"{place} asks {question!r} with no fact before it in its story")
    places = {number: i for i, number in enumerate(facts)}
    named = support[0].split() if support else []
    try:
        indices = tuple(places[int(number)] for number in named)
    except (ValueError, KeyError) as error:
        raise InputError(f"{place} names {error} as a fact that it follows from") from error
    return Question(tuple(facts.values()), question, answer, indices, kind)
