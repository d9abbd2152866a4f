"""Labelled texts for a classifier: embedded ones, or of files.

A test file stays as it is. Missing splits are held out of the training texts; all copies of
a text go to the same split.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tf_models.data.pairs import (
    BY_MEANING,
    BY_PLACE,
    FIRST_NOUN,
    SECOND_NOUN,
    SPLITS,
    embedded_file,
    hold_out,
    read_annotated,
)
from tf_models.data.text_files import table_rows
from tf_models.errors import InputError

HELD_OUT_FRACTION = 0.1
LABELS = {  # column of the embedded sentences -> its classes
    "reference": (FIRST_NOUN, SECOND_NOUN),
    "type": ("statement", "negation", "question", "command", "subordinate clause"),
    "voice": ("active", "passive"),
}


class LabelledText(NamedTuple):
    """A text and its class."""

    text: str
    label: str
    kind: str = ""  # which family of texts it is of, if there are any


@dataclass(frozen=True)
class LabelledTexts:
    """Labelled texts for training, validation and test."""

    name: str
    classes: tuple[str, ...]  # in the order of a classifier's outputs
    train: list[LabelledText]
    validation: list[LabelledText]
    test: list[LabelledText]

    def describe(self) -> str:
        """Sizes and classes, on one line."""
        sizes = f"{len(self.train):,} training, {len(self.validation):,} validation and "
        return f"{self.name}: {sizes}{len(self.test):,} test texts; {', '.join(self.classes)}"

    def with_fewer(self, count: int, seed: int) -> LabelledTexts:
        """The same texts, with `count` training texts, stratified by class.

        With the same seed, a smaller choice is part of a larger one.
        """
        sizes, ranks = Counter(text.label for text in self.train), Counter[str]()
        quantiles = {}  # how far into its class each text stands, 0 to 1
        for i in np.random.default_rng(seed).permutation(len(self.train)):
            label = self.train[i].label
            quantiles[i] = ranks[label] / sizes[label]
            ranks[label] += 1
        chosen = sorted(quantiles, key=quantiles.__getitem__)[:count]
        return replace(self, train=[self.train[i] for i in sorted(chosen)])


def embedded_texts(labels: str) -> LabelledTexts:
    """Embedded English sentences with one of the `LABELS`, classes balanced.

    They are like those of the embedded corpus; docs/corpus.md says what validation and test add.
    """
    splits: dict[str, list[LabelledText]] = {split: [] for split in SPLITS}
    for pair in read_annotated(embedded_file(labels))[1]:
        kind = pair.kind if pair.kind in (BY_PLACE, BY_MEANING) else ""
        splits[pair.split].append(LabelledText(pair.source, getattr(pair, labels), kind))
    train, validation, test = splits.values()
    return LabelledTexts(labels, LABELS[labels], train, validation, test)


def texts_of_files(train: Path, test: Path | None = None, seed: int = 0) -> LabelledTexts:
    """Texts of files of `label<TAB>text`; the seed chooses those held out."""
    splits = {"train": read_labelled(train), **({"test": read_labelled(test)} if test else {})}
    classes = sorted({text.label for text in splits["train"]})
    if len(classes) < 2:
        raise InputError(f"{train} has one class only, {classes[0]!r}; a classifier needs two")
    if unknown := {text.label for text in splits.get("test", ())} - set(classes):
        known = ", ".join(classes[:9])
        raise InputError(f"{test} has texts with the label {min(unknown)!r}, not of {known}")
    return LabelledTexts(str(train), tuple(classes), *hold_out(splits, HELD_OUT_FRACTION, seed))


def read_labelled(path: Path) -> list[LabelledText]:
    """Texts of lines `label<TAB>text`; those with an empty part are skipped."""
    rows = table_rows(path, range(2, 3), "label<TAB>text", most_splits=1)
    texts = [LabelledText(text, label) for label, text in rows if label and text]
    if not texts:
        raise InputError(f"{path} is empty; expected lines of label<TAB>text")
    return texts
