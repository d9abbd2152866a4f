import numpy as np
import pytest

from tf_models.classification.evaluate import BASELINES, accuracy_by_kind, predict_with, scores
from tf_models.classification.model import check_labels
from tf_models.data.labelled import LabelledText
from tf_models.errors import InputError


def test_scores_of_each_class():
    classes = ("b", "a", "never predicted", "never seen")
    found = scores(["a"] * 4 + ["b", "never predicted"], list("aaabba"), classes)

    assert found["accuracy"] == pytest.approx(4 / 6)
    np.testing.assert_allclose([found["f1"][name] for name in classes], [2 / 3, 3 / 4, 0, 0])


def test_texts_of_other_classes():
    texts = [LabelledText("one", "a"), LabelledText("two", "c")]
    with pytest.raises(InputError, match="has the classes a, b; received c"):
        check_labels(texts, ("a", "b"))
    check_labels(texts, ("a", "c", "d"))


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
