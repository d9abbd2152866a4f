"""How many questions are answered exactly, and of which kind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tf_models.data.stories.story import Question
from tf_models.errors import InputError
from tf_models.search.free_running import ForcedAndFree
from tf_models.tasks.question_answering.answerer import Answerer


@dataclass(frozen=True)
class QuestionEvaluation:
    """What became of some questions.

    questions: all of them. answers: what was written, "" to a question that is too long.
    exact: which answers are right word by word, (questions,) bool.
    never_seen: questions whose right answer has a word that no training answer has.
    too_long: questions that the model cannot read or whose answer it cannot write.
    comparison: teacher forcing beside free running, of those that are not too long.
    """

    questions: list[Question]
    answers: list[str]
    exact: np.ndarray
    never_seen: int
    too_long: int
    comparison: ForcedAndFree

    def by_kind(self) -> dict[str, tuple[float, int]]:
        """Share of exact answers, 0 to 1, and number of questions of each kind."""
        kinds = np.array([one.kind for one in self.questions])
        chosen = {kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())}
        return {k: (float(self.exact[of].mean()), int(of.sum())) for k, of in chosen.items()}


def evaluate_answerer(
    answerer: Answerer, questions: Sequence[Question], *, progress: bool = False
) -> QuestionEvaluation:
    """Answer questions and compare the answers with the right ones.

    Args:
        answerer: to be measured.
        questions: with their right answers; one that is too long counts as wrong.
        progress: whether to show a bar on stderr.

    Raises:
        InputError: there is no question, or each is too long.
    """
    possible = [i for i, one in enumerate(questions) if not answerer.limits.problem(one)]
    if not possible:
        raise InputError(f"none of {len(questions)} questions is short enough to be read")
    batches = answerer.predict([questions[i] for i in possible], progress=progress)
    numbers, right, forced, free = zip(*batches, strict=True)
    comparison = ForcedAndFree.of(right, forced, free)
    answers, exact = [""] * len(questions), np.zeros(len(questions), bool)
    places = np.array(possible)[np.concatenate(numbers)]
    exact[places] = comparison.free_exact
    for place, ids in zip(places, (row for one in free for row in one), strict=True):
        answers[place] = answerer.vocabulary.answer_of(ids)
    return QuestionEvaluation(
        list(questions),
        answers,
        exact,
        never_seen=sum(not answerer.vocabulary.can_write(one.answer) for one in questions),
        too_long=len(questions) - len(possible),
        comparison=comparison,
    )
