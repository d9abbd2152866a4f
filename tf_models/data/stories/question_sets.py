"""Questions to train on, to validate and to test: generated ones, or those of files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tf_models.data.resources import check_memory
from tf_models.data.stories.babi import read_babi
from tf_models.data.stories.generated import generated_questions
from tf_models.data.stories.story import Question
from tf_models.data.text_files import fingerprint
from tf_models.errors import InputError

STORIES = "stories"  # name of the generated set
VALIDATION_QUESTIONS, TEST_QUESTIONS = 1000, 2000
BYTES_OF_A_QUESTION = 5 << 10
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


def embedded_questions(count: int, seed: int = 0) -> QuestionSet:
    """Generated questions; no story stands in two splits with the same question.

    Args:
        count: training questions.
        seed: of the stories.

    Raises:
        InputError: memory has no room for them.
    """
    check_memory(count * BYTES_OF_A_QUESTION, "make fewer of them")
    counts = {"train": count, "validation": VALIDATION_QUESTIONS, "test": TEST_QUESTIONS}
    return QuestionSet(STORIES, **generated_questions(counts, seed))


def held_out_questions(seed: int = 0) -> list[Question]:
    """Generated questions to test on: those of `embedded_questions` with the same seed."""
    return generated_questions({"test": TEST_QUESTIONS}, seed)["test"]


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
