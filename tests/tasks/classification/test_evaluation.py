import numpy as np
import pytest

from tf_models.data.text.labelled import LabelledText
from tf_models.errors import InputError
from tf_models.tasks.classification.evaluation import (
    accuracy_by_kind,
    bag_of_words,
    check_labels,
    most_frequent_class,
)
from tf_models.tasks.classification.scores import ClassScores

CLASSES = ("b", "a", "never predicted", "never seen")


def test_scores_of_each_class():
    scores = ClassScores.of(CLASSES, ["a"] * 4 + ["b", "never predicted"], list("aaabba"))

    expected = [[1, 0, 0, 0], [1, 3, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(scores.confusion, expected)
    assert scores.classes == CLASSES
    assert scores.accuracy == pytest.approx(4 / 6)
    np.testing.assert_allclose(scores.precision, [1 / 2, 3 / 4, 0, 0])
    np.testing.assert_allclose(scores.recall, [1, 3 / 4, 0, 0])
    np.testing.assert_allclose(scores.f1, [2 / 3, 3 / 4, 0, 0])
    np.testing.assert_array_equal(scores.support, [1, 4, 1, 0])


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

    assert most_frequent_class(train, test) == ["good", "good"]
    assert bag_of_words(train, test) == ["bad", "good"]
