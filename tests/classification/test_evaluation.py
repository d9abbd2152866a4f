import pytest

from tf_models.classification.evaluate import BASELINES, accuracy_by_kind, predict_with
from tf_models.data.labelled import LabelledText


def test_accuracy_of_each_kind():
    texts = [LabelledText("x", label, kind) for label, kind in ("a1", "a1", "b1", "b2")]

    assert accuracy_by_kind(texts, ["a", "a", "a", "b"]) == {
        "all": 0.75,
        "1": pytest.approx(2 / 3),
        "2": 1.0,
    }
    assert accuracy_by_kind(texts[:3], ["a", "b", "b"]) == {"all": pytest.approx(2 / 3)}


def test_baselines():
    train = [LabelledText(f"{w} {n}", w) for w in ("good", "bad") for n in range(5)]
    train += [LabelledText("good again", "good")]
    test = [LabelledText("so bad", "bad"), LabelledText("a good one", "good")]

    guessed = {name: predict_with(baseline, train, test) for name, baseline in BASELINES.items()}
    assert guessed == {"most frequent class": ["good", "good"], "bag of words": ["bad", "good"]}
