"""Texts with labels, for a classifier: embedded ones, of files, of TensorFlow Datasets.

A published test split stays as it is. What is missing is held out of the training texts, and a
text that stands there twice goes to one side as a whole.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tf_models.data.annotated_pairs import (
    BY_MEANING,
    BY_PLACE,
    LABELS,
    SPLITS,
    embedded_file,
    read_annotated,
)
from tf_models.data.pairs import SentencePair, split_by_source
from tf_models.data.text_files import fingerprint, read_lines
from tf_models.errors import InputError, check_choice

HELD_OUT_FRACTION = 0.1
SHOWN_CHARACTERS = 40


class LabelledText(NamedTuple):
    """A text and its class; kind: which family of texts it is of, if there are any."""

    text: str
    label: str
    kind: str = ""


@dataclass(frozen=True)
class LabelledTexts:
    """Texts to train on, to validate, to test.

    name: where they come from.
    classes: all labels of the training texts; a classifier's outputs are in this order.
    language: of the texts, "" where nobody says.
    """

    name: str
    classes: tuple[str, ...]
    train: list[LabelledText]
    validation: list[LabelledText]
    test: list[LabelledText]
    language: str = ""

    def fingerprint(self) -> str:
        """16 hexadecimal digits that tell all texts, labels and their order from others."""
        splits = (self.train, self.validation, self.test)
        return fingerprint(*(map("\t".join, split) for split in splits))

    def describe(self) -> str:
        """Sizes and classes, on one line."""
        sizes = f"{len(self.train):,} training, {len(self.validation):,} validation and "
        return f"{self.name}: {sizes}{len(self.test):,} test texts; {', '.join(self.classes)}"

    def with_fewer(self, count: int, seed: int) -> LabelledTexts:
        """These texts with `count` training texts, of each class its share.

        With the same seed, a smaller choice is part of a larger one.
        """
        order = np.random.default_rng(seed).permutation(len(self.train))
        sizes, ranks = Counter(text.label for text in self.train), Counter[str]()
        keys = {}  # how far into its class each text stands, 0 to 1
        for i in order:
            label = self.train[i].label
            keys[i] = ranks[label] / sizes[label]
            ranks[label] += 1
        chosen = sorted(order, key=keys.__getitem__)[:count]
        return replace(self, train=[self.train[i] for i in sorted(chosen)])


def embedded_texts(labels: str) -> LabelledTexts:
    """English sentences like those of the embedded corpus, all classes of them equally often, with
    one of the `LABELS`.

    The noun pairs of one family of "it" and the combinations of noun and adjective of the other one
    that stand in validation and test stand in no training sentence, of the embedded corpus neither.
    """
    check_choice("--labels", labels, LABELS)
    splits: dict[str, list[LabelledText]] = {split: [] for split in SPLITS}
    for pair in read_annotated(embedded_file(labels))[1]:
        kind = pair.kind if pair.kind in (BY_PLACE, BY_MEANING) else ""
        splits[pair.split].append(LabelledText(pair.source, getattr(pair, labels), kind))
    train, validation, test = splits.values()
    return LabelledTexts(labels, LABELS[labels], train, validation, test, language="en")


def texts_of_files(train: Path, test: Path | None = None, seed: int = 0) -> LabelledTexts:
    """Texts of files whose lines are `label<TAB>text`.

    Validation texts, and without a file of them test texts, are held out of those to train on; the
    seed decides which.

    Raises:
        InputError: a file cannot be read or is in no such format, or the labels make no sense.
    """
    splits = {"train": read_labelled(train)}
    if test:
        splits["test"] = read_labelled(test)
    return _complete(str(train), splits, seed)


def read_labelled(path: Path) -> list[LabelledText]:
    """Texts of a file, a line `label<TAB>text` for each; empty lines are skipped."""
    texts = []
    for number, line in enumerate(read_lines(path), start=1):
        label, _, text = (part.strip() for part in line.partition("\t"))
        if label and text:
            texts.append(LabelledText(text, label))
        elif line.strip():
            raise InputError(
                f"{path}, line {number}: expected label<TAB>text; received "
                f"{line[:SHOWN_CHARACTERS]!r}"
            )
    if not texts:
        raise InputError(f"{path} is empty; expected lines of label<TAB>text")
    return texts


def texts_of_tfds(name: str, data_dir: Path | None = None, seed: int = 0) -> LabelledTexts:
    """Texts of a data set of TensorFlow Datasets, NAME or NAME/CONFIG, that has one class label:
    "imdb_reviews", say.

    Where an example has several texts (a title and a description), they are put together. Examples
    without a label are left out; a split that has no others is held out of the training texts, as
    the seed decides. Without data_dir TFDS keeps its data sets in its own default.

    Raises:
        InputError: there is no such data set, it cannot be fetched, or it has no texts with labels.
    """
    import tensorflow_datasets as tfds  # late: most texts are in files

    from tf_models.data.tfds import prepared_builder, read_examples

    builder = prepared_builder(name, data_dir)
    features = builder.info.features
    texts = [key for key, of in features.items() if isinstance(of, tfds.features.Text)]
    labels = [key for key, of in features.items() if isinstance(of, tfds.features.ClassLabel)]
    if not texts or len(labels) != 1 or "train" not in builder.info.splits:
        raise InputError(
            f"tfds:{name} has no training texts with one class label; its features: "
            f"{', '.join(features)}"
        )
    class_name = features[labels[0]].int2str
    splits = {
        split: [
            LabelledText(_joined(example, texts), class_name(example[labels[0]]))
            for example in read_examples(builder, split)
            if example[labels[0]] >= 0  # -1 says that the label is not known
        ]
        for split in SPLITS
        if split in builder.info.splits
    }
    return _complete(f"tfds:{name}", {split: of for split, of in splits.items() if of}, seed)


def _joined(example: dict, keys: list[str]) -> str:
    """The texts of an example as one, without line breaks."""
    text = " ".join(example[key].decode("utf-8", errors="replace") for key in keys)
    return unicodedata.normalize("NFC", " ".join(text.replace("<br />", " ").split()))


def _complete(name: str, splits: dict[str, list[LabelledText]], seed: int) -> LabelledTexts:
    """Check the labels, and hold out the splits that are missing."""
    classes = tuple(sorted({text.label for text in splits["train"]}))
    if len(classes) < 2:
        raise InputError(f"{name} has one class only, {classes[0]!r}; a classifier needs two")
    for text in splits.get("test", ()):
        if text.label not in classes:
            raise InputError(
                f"the test texts have a label {text.label!r}, which no training text of {name} "
                f"has; its labels: {', '.join(classes)}"
            )
    shares = {split: 0.0 if split in splits else HELD_OUT_FRACTION for split in SPLITS[1:]}
    pairs = [SentencePair(text.text, text.label) for text in splits["train"]]
    sides = split_by_source(pairs, seed=seed, **shares)
    train, validation, test = ([LabelledText(*pair) for pair in side] for side in sides)
    held_out = splits.get("validation", validation), splits.get("test", test)
    return LabelledTexts(name, classes, train, *held_out)
