"""Exact answers to questions, by kind and by number of facts."""

from collections.abc import Sequence

import numpy as np

from tf_models.data.stories import STORIES, Question, embedded_questions, read_babi
from tf_models.data.words import split_words
from tf_models.errors import InputError, Report, StrPath, counted
from tf_models.questions.answer import RUN_KIND, Answerer
from tf_models.training.run_directory import RunDirectory

FACTS_IN_A_ROW = 3  # a table has rows for "1-3 facts", "4-6 facts" …

Shares = dict[str, tuple[float, int]]  # share of exact answers, 0 to 1, and number of questions


def exact_answers(answerer: Answerer, questions: Sequence[Question]) -> np.ndarray:
    """Booleans (questions,): True for an answer that is exact, word by word."""
    answers = answerer.answers(questions)
    pairs = zip(answers, questions, strict=True)
    return np.array([split_words(text) == split_words(question.answer) for text, question in pairs])


def shares_of(questions: Sequence[Question], exact: np.ndarray) -> Shares:
    """Shares of exact answers: by kind, overall, and by number of facts."""
    question_kinds = np.array([question.kind for question in questions])
    counts = np.array([len(question.facts) for question in questions])
    groups = {name: question_kinds == name for name in dict.fromkeys(question_kinds.tolist())}
    groups["all"] = counts > 0
    for least in range(1, counts.max() + 1, FACTS_IN_A_ROW):
        most = min(least + FACTS_IN_A_ROW - 1, counts.max())
        name = f"{least}-{most} facts" if least < most else counted(least, "fact")
        groups[name] = (least <= counts) & (counts <= most)
    return {
        name: (float(exact[group].mean()), int(group.sum()))
        for name, group in groups.items()
        if group.any()
    }


def evaluate_run(
    run_dir: StrPath,
    *,
    checkpoint: str | None = None,
    test: Sequence[StrPath] = (),
    report: Report = print,
) -> dict:
    """Answer test questions with a trained model and count the exact answers.

    The questions are in files of bAbI's format; the default is the embedded stories' test split.
    The checkpoint is "best" (the default), "latest" or a name. Returns the number of questions and
    shares of exact answers, 0 to 1, by name. Raises InputError: a file or the run cannot be read,
    or the run was trained on files and none is named.
    """
    answerer = Answerer.load(run_dir, checkpoint)
    questions = [question for path in test for question in read_babi(path)]
    if not questions:
        if RunDirectory(run_dir).read_config(RUN_KIND)["data"]["questions"] != STORIES:
            raise InputError("name the questions to test on: --test FILE …")
        questions = embedded_questions().test
    shares = report_test(answerer, questions, report)
    values = {name: share for name, (share, _) in shares.items()}
    return {"questions": len(questions), "exact match": values.pop("all"), **values}


def report_test(answerer: Answerer, questions: Sequence[Question], report: Report) -> Shares:
    """Answer test questions; report exact answers by kind and number of facts."""
    shares = shares_of(questions, exact_answers(answerer, questions))
    width = max(map(len, shares))
    report(f"\n{counted(len(questions), 'test question')}:\n")
    report(f"{'kind':{width}}  {'exact':>7}  questions")
    for name, (share, count) in shares.items():
        report(f"{name:{width}}  {share:>7.1%}  {count:>9,}")
    return shares
