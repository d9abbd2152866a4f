"""Figures of question answering: which facts are read for an answer."""

import re
from collections.abc import Callable, Sequence

from matplotlib.figure import Figure

from tf_models.data.stories import Question
from tf_models.errors import InputError
from tf_models.plotting.attention import plot_story
from tf_models.questions.answer import Answer, Answerer

# Two facts of this story answer the question: who has the apple, and where that person went.
FACTS = (
    "Anna went to the kitchen.",
    "Ben ran to the garden.",
    "Anna picked up the apple.",
    "Clara walked to school.",
    "Anna hurried to the office.",
    "Ben went to the kitchen.",
)
QUESTION = "Where is the apple?"


def draw_story(
    answerer: Answerer, *, facts: Sequence[str] = FACTS, question: str = QUESTION
) -> Figure:
    """Attention of a model while it answers a question."""
    example = Question(tuple(facts), question, answer="")
    return draw_answer(example, answerer.answer(example))


def draw_answer(question: Question, answer: Answer) -> Figure:
    """Attention to the facts for an answer, hop by hop and word by word.

    If the reference answer is known and the model wrote another, the title has both. Raises
    InputError: the model that gave the answer has no attention.
    """
    if answer.weights is None:
        raise InputError("a model without attention has no weights to draw")
    title = f"{question.question} {answer.text}"
    if question.answer not in ("", answer.text):
        title += f" (right: {question.answer})"
    return plot_story(
        answer.weights, answer.steps, question.facts, marked=question.support, title=title
    )


def draw_kinds(answerer: Answerer, questions: Sequence[Question]) -> dict[str, Figure]:
    """Figures for the first question of each kind, by file name."""
    first_by_kind = {question.kind: question for question in reversed(questions)}
    figures = {}
    for question_kind, question in first_by_kind.items():
        name = "attention-" + re.sub(r"\W+", "-", question_kind)
        figures[name] = draw_answer(question, answerer.answer(question))
    return figures


FIGURES: dict[str, Callable[..., Figure]] = {"story": draw_story}
