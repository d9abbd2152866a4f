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

from tf_models.data.annotated import (
    BY_MEANING,
    BY_PLACE,
    FIRST_NOUN,
    SECOND_NOUN,
    embedded_file,
    read_annotated,
)
from tf_models.data.pairs import SPLITS
from tf_models.data.splits import hold_out
from tf_models.data.tables import Table, read_table
from tf_models.errors import InputError, StrPath, counted

HELD_OUT_SHARE_OF_TEXTS = 0.1
EXPECTED = "label<TAB>text, or a first line that names both columns"
TEXT_NAMES = {"text", "review", "sentence", "comment", "message", "tweet", "content"}
LABEL_NAMES = {"label", "sentiment", "class", "category", "target", "topic"}
LABELS = {  # column of the embedded sentences -> its classes
    "reference": (FIRST_NOUN, SECOND_NOUN),
    "type": ("statement", "negation", "question", "command", "subordinate clause"),
    "voice": ("active", "passive"),
}


class LabelledText(NamedTuple):
    """A text and its class."""

    text: str
    label: str
    kind: str = ""  # "pronoun by place", "pronoun by meaning", or "" for all others


@dataclass(frozen=True)
class LabelledTexts:
    """Labelled texts for training, validation and test."""

    name: str
    classes: tuple[str, ...]  # names, in the order of a classifier's outputs
    train: list[LabelledText]
    validation: list[LabelledText]
    test: list[LabelledText]

    def describe(self) -> str:
        """Sizes and classes, on one line."""
        sizes = f"{len(self.train):,} training, {len(self.validation):,} validation and "
        sizes += counted(len(self.test), "test text")
        return f"{self.name}: {sizes}; {', '.join(self.classes)}"

    def with_fewer(self, count: int, seed: int) -> LabelledTexts:
        """The same texts, with `count` training texts, stratified by class.

        With the same seed, a smaller choice is part of a larger one.
        """
        sizes = Counter(text.label for text in self.train)
        ranks = Counter[str]()
        quantiles = {}  # share of its class that stands before each text
        for i in np.random.default_rng(seed).permutation(len(self.train)):
            label = self.train[i].label
            quantiles[i] = ranks[label] / sizes[label]
            ranks[label] += 1
        chosen = sorted(quantiles, key=quantiles.__getitem__)[:count]
        return replace(self, train=[self.train[i] for i in sorted(chosen)])


def load_texts(name: StrPath, seed: int = 0) -> LabelledTexts:
    """Embedded texts, if `name` is one of the `LABELS`, or those of a file."""
    if str(name) in LABELS:
        return embedded_texts(str(name))
    return texts_of_files(Path(name), seed=seed)


def embedded_texts(labels: str) -> LabelledTexts:
    """Embedded English sentences with one of the `LABELS`, classes balanced.

    They are like those of the embedded corpus; docs/corpus.md says what validation and test add.
    """
    splits: dict[str, list[LabelledText]] = {split: [] for split in SPLITS}
    for pair in read_annotated(embedded_file(labels))[1]:
        pair_kind = pair.kind if pair.kind in (BY_PLACE, BY_MEANING) else ""
        splits[pair.split].append(LabelledText(pair.source, getattr(pair, labels), pair_kind))
    train, validation, test = splits.values()
    return LabelledTexts(labels, LABELS[labels], train, validation, test)


def texts_of_files(train: StrPath, test: StrPath | None = None, seed: int = 0) -> LabelledTexts:
    """Texts of files (see `read_labelled`); the seed chooses those held out."""
    splits = {"train": read_labelled(train)}
    if test:
        splits["test"] = read_labelled(test)
    sizes = Counter(text.label for text in splits["train"])
    classes = sorted(sizes)
    first = splits["train"][0]
    if sizes[first.label] == 1 and all(sizes[label] > 1 for label in {*classes} - {first.label}):
        raise InputError(
            f"{train}: the first line alone has the label {first.label!r}; if it names the "
            "columns, call them label and text"
        )
    if len(classes) < 2:
        raise InputError(f"{train} has one class only, {classes[0]!r}; a classifier needs two")
    if len(classes) == len(splits["train"]) > 2:
        raise InputError(f"{train}: each text has a label of its own; expected label, tab, text")
    if unknown := {text.label for text in splits.get("test", ())} - set(classes):
        known = ", ".join(classes[:9])
        raise InputError(f"{test} has texts with the label {min(unknown)!r}, not of {known}")
    train_texts, validation, tests = hold_out(splits, HELD_OUT_SHARE_OF_TEXTS, seed)
    return LabelledTexts(str(train), tuple(classes), train_texts, validation, tests)


def read_labelled(path: StrPath) -> list[LabelledText]:
    """Texts and labels of a table; rows with an empty one are skipped.

    Its first line names both columns, in any order (such as label and text, or review and
    sentiment). Else there are two columns, beside an index perhaps: labels are in the one with
    fewer different values, or else in the first. Tabs behind the label belong to the text.

    Raises:
        InputError: the file is no such table, or is empty.
    """
    path = Path(path)
    table = read_table(path, (TEXT_NAMES | LABEL_NAMES).__contains__)
    label, text = _columns(path, table)
    texts = []
    for row in table.rows:
        if len(row.cells) <= max(label, text):
            raise row.error(path, EXPECTED)
        last = text + 1 if table.header or label > text else len(row.cells)
        content = "\t".join(row.cells[text:last]).strip()
        texts.append(LabelledText(content, row.cells[label]))
    texts = [example for example in texts if example.label and example.text]
    if not texts:
        raise InputError(f"{path} is empty; expected {EXPECTED}")
    return texts


def _columns(path: Path, table: Table) -> tuple[int, int]:
    """Columns of labels and of texts."""
    labels, texts = (
        [i for i, name in enumerate(table.header) if name in names]
        for names in (LABEL_NAMES, TEXT_NAMES)
    )
    if labels and texts:
        return labels[0], texts[0]
    shortest = min(table.rows, key=lambda row: len(row.cells))
    columns = list(range(len(shortest.cells)))
    values = [{row.cells[i] for row in table.rows} for i in columns]
    if len(columns) > 2:  # an index differs in each row; a column of spreadsheets may be empty
        idle_sizes = (1, len(table.rows))
        columns = [i for i in columns if i not in table.numbers or len(values[i]) not in idle_sizes]
    if len(columns) != 2:
        raise shortest.error(path, EXPECTED)
    first, second = columns
    if len(values[first]) <= len(values[second]):
        return first, second
    for row in table.rows:
        if len(row.cells) > len(shortest.cells):
            raise row.error(path, EXPECTED)
    return second, first
