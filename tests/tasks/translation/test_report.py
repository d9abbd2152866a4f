import math
from types import SimpleNamespace

import pytest

from tf_models.data.embedded.annotated_pairs import CorpusMetric, embedded_file, read_annotated
from tf_models.data.sentences import split_words
from tf_models.tasks.translation.evaluation import score_translations
from tf_models.tasks.translation.report import (
    UNSEEN_NAMES,
    report_scores,
    report_translations,
    what_to_try,
)
from tf_models.tasks.translation.translator import Translator
from tf_models.training.run_directory import History


def test_shown_names_are_never_trained_on():
    trained = {
        word
        for corpus in ("toy", "everyday")
        for pair in read_annotated(embedded_file(corpus))[1]
        if pair.split == "train"
        for word in split_words(pair.source)
    }
    for sentence in UNSEEN_NAMES:
        unseen = [word for word in split_words(sentence) if word not in trained]
        assert len(unseen) >= 2


def test_a_metric_of_the_corpus_has_its_line():
    metric = CorpusMetric("right", "counted", "right of all", lambda *_: (0.75, 4))
    sentences = ["ja", "nein", "doch"]
    scores = score_translations(sentences, sentences, sentences, 0.0, "de", [metric])
    lines = []
    report_scores(scores, lines.append)
    assert "right of all     75.00 % of 4" in lines


def test_what_training_did_not_have_is_named(tiny_run):
    lines = []
    sentences = ["the dog sees the fox", "the dog sees the zebra"]
    report_translations(Translator.load(tiny_run("translator")), "some", sentences, lines.append)
    remarks = [line for line in lines if line.startswith("  remark ")]
    assert remarks == ["  remark       not in the tokenizer's alphabet, so left out: z"]


@pytest.mark.parametrize(
    ("losses", "minutes", "target", "advice"),
    [
        ((3, 2), math.inf, "fr", "--epochs 8, more sentences, or --preset best,"),
        ((2, 3), math.inf, "fr", "more sentences, or --preset best,"),
        ((3, 2), 2, "de", "--minutes 8, more sentences, or --preset best, or --start-from ready-"),
    ],
)
def test_what_to_try_when_little_came_out_right(tmp_path, losses, minutes, target, advice):
    history = History(tmp_path / "history.csv", "")
    history.rows = [{"val_loss": loss} for loss in losses]
    training = SimpleNamespace(
        corpus=SimpleNamespace(source_language="en", target_language=target),
        loop=SimpleNamespace(history=history),
        minutes=minutes,
    )

    assert what_to_try(training).startswith(f"try {advice}")
