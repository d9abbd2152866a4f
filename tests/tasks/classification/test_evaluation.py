import numpy as np
import pytest

from tf_models.data.text.labelled import LabelledText
from tf_models.tasks.classification.baselines import bag_of_words, most_frequent_class
from tf_models.tasks.classification.evaluation import ClassScores, accuracy_by_kind

CLASSES = ("a", "b", "c", "never seen")


def test_scores_are_those_of_scikit_learn():
    from sklearn import metrics

    random = np.random.default_rng(0)
    right, predicted = (list(random.choice(CLASSES[:3], 200, p=p)) for p in
                        ([0.6, 0.3, 0.1], [0.5, 0.5, 0.0]))  # fmt: skip
    scores = ClassScores.of(CLASSES, right, predicted)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(
        right, predicted, labels=CLASSES, zero_division=0.0
    )

    expected = metrics.confusion_matrix(right, predicted, labels=CLASSES)
    np.testing.assert_array_equal(scores.confusion, expected)
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(right, predicted))
    np.testing.assert_allclose(scores.precision, precision)
    np.testing.assert_allclose(scores.recall, recall)
    np.testing.assert_allclose(scores.f1, f1)
    np.testing.assert_array_equal(scores.support, support)


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
