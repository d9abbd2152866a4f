"""How often a classifier is right, of all texts and of each class, beside baselines."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tf_models.data.text.labelled import LabelledText
from tf_models.errors import InputError

WORDS = r"\w+(?:['’]\w+)*|[.?!]"
STEPS = 300  # of the logistic regression, at most

Texts = Sequence[LabelledText]


@dataclass(frozen=True)
class ClassScores:
    """Counts of right and predicted classes, and what follows from them.

    classes: in the order of rows and columns.
    confusion: numbers of texts, (right class, predicted class).
    precision: share of the texts given a class that are of it, (classes,); 0 if there are none.
    recall: share of the texts of a class that were given it, (classes,); 0 if there are none.
    f1: harmonic mean of precision and recall, (classes,).
    support: number of texts of each class, (classes,).
    """

    classes: tuple[str, ...]
    confusion: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    support: np.ndarray

    @classmethod
    def of(
        cls, classes: Sequence[str], right: Sequence[str], predicted: Sequence[str]
    ) -> "ClassScores":
        """Count the pairs of a right and a predicted class."""
        from sklearn import metrics

        confusion = metrics.confusion_matrix(right, predicted, labels=classes)
        shares = metrics.precision_recall_fscore_support(
            right, predicted, labels=classes, zero_division=0.0
        )
        return cls(tuple(classes), confusion, *shares)

    @property
    def accuracy(self) -> float:
        """Share of texts whose predicted class is right, 0 to 1."""
        return float(np.trace(self.confusion) / self.confusion.sum())


def accuracy_by_kind(texts: Texts, predicted: Sequence[str]) -> Mapping[str, float]:
    """Share of right classes, 0 to 1: of "all" texts, and of each kind if there are several."""
    right = np.array([one.label == label for one, label in zip(texts, predicted, strict=True)])
    kinds = np.array([one.kind for one in texts])
    found = {"all": float(right.mean())}
    names = sorted(set(kinds))
    if len(names) > 1:
        found |= {name: float(right[kinds == name].mean()) for name in names}
    return found


def check_labels(texts: Texts, classes: Sequence[str]) -> None:
    """Check that a classifier of these classes can be tested on the texts.

    Raises:
        InputError: it does not know a label.
    """
    if unknown := sorted({one.label for one in texts} - set(classes)):
        raise InputError(
            f"the classifier has the classes {', '.join(classes)}; received {', '.join(unknown)}"
        )


def most_frequent_class(train: Texts, test: Texts) -> list[str]:
    """For all texts the class that most training texts have."""
    ((label, _),) = Counter(one.label for one in train).most_common(1)
    return [label] * len(test)


def bag_of_words(train: Texts, test: Texts) -> list[str]:
    """Logistic regression on how often each word and mark occurs."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    counts = CountVectorizer(token_pattern=WORDS)
    features = counts.fit_transform([one.text for one in train])  # (texts, words)
    regression = LogisticRegression(max_iter=STEPS)
    regression.fit(features, [one.label for one in train])
    return list(regression.predict(counts.transform([one.text for one in test])))


# What a classifier must do better than: guessing, and words without their order.
BASELINES: dict[str, Callable[[Texts, Texts], list[str]]] = {
    "most frequent class": most_frequent_class,
    "bag of words": bag_of_words,
}
