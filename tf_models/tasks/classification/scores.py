"""How often a classifier is right, class by class."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tf_models.errors import Report


@dataclass(frozen=True)
class ClassScores:
    """Counts of right and predicted classes of texts or images, and what follows from them.

    classes: in the order of rows and columns.
    confusion: their numbers, (right class, predicted class).
    precision: share of those given a class that are of it, (classes,); 0 if there are none.
    recall: share of those of a class that were given it, (classes,); 0 if there are none.
    f1: harmonic mean of precision and recall, (classes,).
    support: numbers of each class, (classes,).
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
        """Share of all whose predicted class is right, 0 to 1."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    def report(self, unit: str, report: Report = print) -> None:
        """Precision, recall and F1 of each class, and their means; `unit` is what is classified."""
        width = max(map(len, (*self.classes, "mean of the classes"))) + 3
        report(f"{'':{width}}precision    recall        F1 {unit:>9}")
        columns = (self.precision, self.recall, self.f1)
        for name, *shares, count in zip(self.classes, *columns, self.support, strict=True):
            report(f"{name:{width}}" + "".join(f"{x:>9.1%} " for x in shares) + f"{count:>9,}")
        means = "".join(f"{column.mean():>9.1%} " for column in columns)
        report(f"{'mean of the classes':{width}}{means}{self.support.sum():>9,}")
