"""How often a classifier is right: of all texts, and class by class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tf_models.data.text.labelled import LabelledText


@dataclass(frozen=True)
class ClassScores:
    """Counts of right and predicted classes, and what follows from them.

    classes: in the order of rows and columns.
    confusion: numbers of texts, (right class, predicted class).
    """

    classes: tuple[str, ...]
    confusion: np.ndarray

    @classmethod
    def of(
        cls, classes: Sequence[str], right: Sequence[str], predicted: Sequence[str]
    ) -> "ClassScores":
        """Count the pairs of a right and a predicted class."""
        numbers = {label: number for number, label in enumerate(classes)}
        confusion = np.zeros((len(classes), len(classes)), int)
        for one, other in zip(right, predicted, strict=True):
            confusion[numbers[one], numbers[other]] += 1
        return cls(tuple(classes), confusion)

    @property
    def accuracy(self) -> float:
        """Share of texts whose predicted class is right, 0 to 1."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def precision(self) -> np.ndarray:
        """Of the texts that were given a class, the share that are of it, (classes,); or else 0."""
        return _share(self.confusion.diagonal(), self.confusion.sum(axis=0))

    @property
    def recall(self) -> np.ndarray:
        """Of the texts of a class, the share that were given it, (classes,); or else 0."""
        return _share(self.confusion.diagonal(), self.confusion.sum(axis=1))

    @property
    def f1(self) -> np.ndarray:
        """Harmonic mean of precision and recall, (classes,)."""
        both = self.precision + self.recall
        return _share(2 * self.precision * self.recall, both)

    @property
    def support(self) -> np.ndarray:
        """Number of texts of each class, (classes,)."""
        return self.confusion.sum(axis=1)


def accuracy_by_kind(
    texts: Sequence[LabelledText], predicted: Sequence[str]
) -> Mapping[str, float]:
    """Share of right classes, 0 to 1: of "all" texts, and of each kind if there are several."""
    right = np.array([one.label == label for one, label in zip(texts, predicted, strict=True)])
    kinds = np.array([one.kind for one in texts])
    found = {"all": float(right.mean())}
    names = sorted(set(kinds))
    if len(names) > 1:
        found |= {name: float(right[kinds == name].mean()) for name in names}
    return found


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
