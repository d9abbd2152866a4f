"""Scores of question answering: exact answers, by kind and by number of facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tf_models.data.stories import STORIES, Question, QuestionSet, embedded_questions, read_babi
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.questions.answer import KIND, Answer, Answerer
from tf_models.questions.figures import draw_kinds
from tf_models.search import ForcedAndFree
from tf_models.training.run_directory import History, RunDirectory

SHOWN_STORIES = 3
FACTS_IN_A_ROW = 3  # of the table
SHOWN_FACTS = 3  # of those that were read most


@dataclass(frozen=True)
class QuestionEvaluation:
    """Answers to questions, and their scores.

    questions: all of them. answers: as they were written, "" to a question that is too long.
    exact: which answers are right word by word, (questions,) bool.
    too_long: questions that the model cannot read or whose answer it cannot write.
    comparison: teacher forcing beside free running, of those that are not too long.
    """

    questions: list[Question]
    answers: list[str]
    exact: np.ndarray
    too_long: int
    comparison: ForcedAndFree

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


def evaluate_answerer(
    answerer: Answerer, questions: Sequence[Question], *, progress: bool = False
) -> QuestionEvaluation:
    """Answer questions and compare the answers with the right ones; what is too long is wrong, and
    an InputError if all are.
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
        too_long=len(questions) - len(possible),
        comparison=comparison,
    )


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
    evaluation = evaluate_answerer(answerer, questions, progress=True)
    report_evaluation(evaluation, report)
    shares = {kind: share for kind, (share, _) in evaluation.by_kind().items()}
    return {"questions": len(questions), "exact match": float(evaluation.exact.mean()), **shares}


def report_questions(run: RunDirectory, questions: QuestionSet, report: Report = print) -> None:
    """Answer the test questions with the trained model, show some of them, and draw."""
    answerer = Answerer.load(run.path)
    evaluation = evaluate_answerer(answerer, questions.test, progress=True)
    report_evaluation(evaluation, report)
    # Some, evenly from the first to the last: neighbours are often of one story.
    count = len(questions.test)
    for i in range(count)[:: max(1, count // SHOWN_STORIES)][:SHOWN_STORIES]:
        one, answer = questions.test[i], evaluation.answers[i]
        verdict = "right" if answer == one.answer else f"the right answer: {one.answer}"
        story = (*one.facts, f"{one.question} {answer} ({verdict})")
        report("".join(f"\n  {line}" for line in story))
    figures = {"training": plot_training_curves(History.read(run.history_file).columns())}
    if answerer.model.attends:
        figures |= draw_kinds(answerer, questions.test)
    save_figures(figures, run.figures, report)


def report_evaluation(evaluation: QuestionEvaluation, report: Report = print) -> None:
    """Exact answers by kind and by number of facts, then teacher forcing beside free running."""
    report(f"\n{len(evaluation.questions):,} test questions:\n")
    every = {"all": (evaluation.exact.mean(), len(evaluation.exact))}
    rows = evaluation.by_kind() | every | evaluation.by_facts()
    width = max(map(len, rows))
    report(f"{'kind':{width}}  {'exact':>7}  questions")
    for name, (share, count) in rows.items():
        report(f"{name:{width}}  {share:>7.1%}  {count:>9,}")
    report(f"{evaluation.too_long:,} too long, and counted as wrong\n")
    for line in evaluation.comparison.lines("answers"):
        report(line)


def report_answer(question: Question, answer: Answer, report: Report = print) -> None:
    """An answer, and the facts that were read most."""
    report(answer.text)
    if answer.weights is None:
        return
    steps = ", ".join(answer.steps)
    report(f"\nattended to most, on average of {len(answer.steps)} steps ({steps}):")
    for i, weight in answer.most_read()[:SHOWN_FACTS]:
        report(f"  {weight:.2f}  {question.facts[i]}")
