"""Questions to train on, to validate and to test: embedded ones, or those of files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from tf_models.data.stories.babi import read_babi
from tf_models.data.stories.story import Question
from tf_models.data.text_files import fingerprint, stream_lines
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

    research/stories says how they were made.

    Args:
        count: training questions, the first ones; None: all.

    Raises:
        InputError: there are fewer.
    """
    splits: dict[str, list[Question]] = {"train": [], "validation": [], "test": []}
    for line in islice(stream_lines(EMBEDDED_FILE), 1, None):
        split, kind, facts, question, answer, support = line.split("\t")
        told, indices = tuple(facts.split(FACT_BREAK)), tuple(map(int, support.split()))
        splits[split].append(Question(told, question, answer, indices, kind))
    most = len(splits["train"])
    if count is not None and count > most:
        raise InputError(f"there are {most:,} embedded questions to train on; received {count:,}")
    del splits["train"][count:]
    return QuestionSet(STORIES, **splits)


def questions_of_files(train: Sequence[Path], test: Sequence[Path], seed: int = 0) -> QuestionSet:
    """Questions of files in the format of bAbI; some of the training stories validate.

    Args:
        train, test: one or more files each.
        seed: of the choice of stories to validate.

    Raises:
        InputError: a file cannot be read, is in another format, or there are too few stories.
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
