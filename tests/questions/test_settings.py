"""Limits of stories, questions and answers."""

import pytest

from tf_models.data.stories import Question
from tf_models.questions.settings import StoryLimits

ANNA, BEN = "Anna went to the garden.", "Ben ran home!"


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (Question((BEN,) * 4, "Who?", ""), "the story has 4 facts, and the model reads 3"),
        (Question((ANNA,), "Who?", ""), f"a sentence has 5 words, and the model reads 4: '{ANNA}'"),
        (Question((BEN,), "Who?", "a b c"), "the answer has 3 words, and the model writes 2"),
        (Question((BEN,), "Who?", "Ben"), None),
    ],
)
def test_what_is_too_long(question, problem):
    assert StoryLimits(facts=3, words=4, answer_words=2).problem(question) == problem
