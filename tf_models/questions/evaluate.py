"""Scores of question answering: exact answers, by kind and by number of facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tf_models.data.stories import STORIES, Question, embedded_questions, read_babi
from tf_models.data.text_files import split_words
from tf_models.errors import InputError, Report
from tf_models.questions.answer import KIND, Answerer
from tf_models.training.run_directory import RunDirectory

FACTS_IN_A_ROW = 3  # of the table


@dataclass(frozen=True)
class QuestionEvaluation:
    """Answers to questions, and their scores.

    answers: as they were written.
    exact: which answers are right word by word, (questions,) bool.
    """

    questions: Sequence[Question]
    answers: list[str]
    exact: np.ndarray

    def by_kind(self) -> dict[str, tuple[float, int]]:
        """Share of exact answers, 0 to 1, and number of questions of each kind."""
        return self._by([one.kind for one in self.questions])

    def by_facts(self) -> dict[str, tuple[float, int]]:
        """The same by the number of facts: "1-3 facts", "4-6 facts" …, fewest first."""
        counts = [len(one.facts) for one in self.questions]
        lows = [count - (count - 1) % FACTS_IN_A_ROW for count in counts]
        rows = self._by(lows)
        return {f"{n}-{n + FACTS_IN_A_ROW - 1} facts": rows[n] for n in sorted(rows)}

    def _by(self, groups: Sequence) -> dict:
        chosen = {group: np.array(groups) == group for group in dict.fromkeys(groups)}
        return {k: (float(self.exact[of].mean()), int(of.sum())) for k, of in chosen.items()}


def evaluate_answerer(answerer: Answerer, questions: Sequence[Question]) -> QuestionEvaluation:
    """Answer questions and compare the answers with the right ones."""
    answers = answerer.answers(questions)
    exact = [
        split_words(answer) == split_words(one.answer)
        for answer, one in zip(answers, questions, strict=True)
    ]
    return QuestionEvaluation(questions, answers, np.array(exact))


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    test: Sequence[Path] = (),
    report: Report = print,
) -> dict:
    """Answer test questions with a trained model and count the exact answers.

    They are of files in the format of bAbI; if left out, of the test split of the embedded stories.
    The checkpoint is "best" (the default), "latest" or a name. Returns shares of exact answers, 0
    to 1, by kind of questions. Raises InputError: a file or the run cannot be read, or the run was
    trained on files and none is named.
    """
    answerer = Answerer.load(run_dir, checkpoint)
    questions = [one for path in test for one in read_babi(path)]
    if not questions:
        if RunDirectory(run_dir).read_config(KIND)["data"]["questions"] != STORIES:
            raise InputError("name the questions to test on: --test FILE …")
        questions = embedded_questions().test
    evaluation = evaluate_answerer(answerer, questions)
    report_evaluation(evaluation, report)
    shares = {kind: share for kind, (share, _) in evaluation.by_kind().items()}
    return {"questions": len(questions), "exact match": float(evaluation.exact.mean()), **shares}


def report_evaluation(evaluation: QuestionEvaluation, report: Report = print) -> None:
    """Exact answers by kind and by number of facts."""
    report(f"\n{len(evaluation.questions):,} test questions:\n")
    every = {"all": (evaluation.exact.mean(), len(evaluation.exact))}
    rows = evaluation.by_kind() | every | evaluation.by_facts()
    width = max(map(len, rows))
    report(f"{'kind':{width}}  {'exact':>7}  questions")
    for name, (share, count) in rows.items():
        report(f"{name:{width}}  {share:>7.1%}  {count:>9,}")
