"""The text format of bAbI (Weston et al. 2016): numbered facts, and questions with tabs.

    1 Mary moved to the bathroom.
    2 Where is Mary?<tab>bathroom<tab>1

A line numbered 1 begins a new story. A question is about all facts before it in its story; behind
the second tab stand the numbers of the lines that it follows from, which may be missing.
"""

from __future__ import annotations

import re
from pathlib import Path

from tf_models.data.sentences import join_words, split_words
from tf_models.data.stories.story import Question
from tf_models.data.text_files import read_lines
from tf_models.errors import InputError


def read_babi(path: Path) -> list[Question]:
    """The questions of a file, in its order; each has the file's name for its kind.

    Raises:
        InputError: no such file, no text, or a line that is not in the format.
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
