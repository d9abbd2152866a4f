"""Texts with labels, for a classifier: embedded ones, of files, of TensorFlow Datasets.

A published test split stays as it is. What is missing is held out of the training texts, class by
class, and a text that stands there twice goes to one side as a whole.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tf_models.data.embedded.annotated_pairs import (
    BY_MEANING,
    BY_PLACE,
    LABELS,
    SPLITS,
    embedded_file,
    read_annotated,
)
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.splits import source_key, split_by_source
from tf_models.data.text_files import fingerprint, read_lines
from tf_models.data.tfds import import_tfds, prepared_builder, read_examples
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
        return fingerprint(*([f"{one.text}\t{one.label}" for one in split] for split in splits))

    def describe(self) -> str:
        """Sizes and classes, on one line."""
        sizes = f"{len(self.train):,} training, {len(self.validation):,} validation and "
        return f"{self.name}: {sizes}{len(self.test):,} test texts; {', '.join(self.classes)}"

    def with_fewer(self, count: int, seed: int) -> LabelledTexts:
        """These texts with `count` training texts, of each class its share, and one at least.

        With the same seed, a smaller choice is part of a larger one. Raises InputError: there are
        not so many, or more classes.
        """
        least = f"{len(self.classes)} (one a class)"
        if not len(self.classes) <= count <= len(self.train):
            raise InputError(
                f"the number of training texts must be {least} to {len(self.train)}; "
                f"received {count}"
            )
        order = np.random.default_rng(seed).permutation(len(self.train))
        sizes, keys = Counter(one.label for one in self.train), {}
        ranks: Counter[str] = Counter()
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
    Raises InputError: no such labels.
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
    seed decides which. Raises InputError: a file cannot be read or is in no such format, or the
    labels make no sense.
    """
    splits = {"train": read_labelled(train)}
    if test:
        splits["test"] = read_labelled(test)
    return _complete(str(train), splits, seed)


def texts_of_tfds(name: str, data_dir: Path | None = None, seed: int = 0) -> LabelledTexts:
    """Texts of a data set of TensorFlow Datasets, NAME or NAME/CONFIG, that has one class label:
    "imdb_reviews", say.

    Where an example has several texts (a title and a description), they are put together. Examples
    without a label are left out; a split that has no others is held out of the training texts, as
    the seed decides. Without data_dir TFDS keeps its data sets in its own default. Raises
    InputError: there is no such data set, it cannot be fetched, or it has no texts with labels.
    """
    builder = prepared_builder(name, data_dir)
    text_keys, label_key = _features(builder, name)
    class_name = builder.info.features[label_key].int2str
    splits = {
        split: [
            LabelledText(_joined(example, text_keys), class_name(example[label_key]))
            for example in read_examples(builder, split)
            if example[label_key] >= 0  # -1 says that the label is not known
        ]
        for split in ("train", "validation", "test")
        if split in builder.info.splits
    }
    if not splits.get("train"):
        lacks = "no labels in its split train" if "train" in splits else "no split train"
        raise InputError(f"tfds:{name} has {lacks}; its splits: {', '.join(builder.info.splits)}")
    labelled = {split: texts for split, texts in splits.items() if texts}
    return _complete(f"tfds:{name}", labelled, seed)


def read_labelled(path: Path) -> list[LabelledText]:
    """The texts of a file, a line `label<TAB>text` for each, but for empty lines; an InputError if
    it cannot be read, or a line has no tab, no label or no text.
    """
    found = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        label, tab, text = (part.strip() for part in line.partition("\t"))
        if not (label and text):
            lacks = "a tab" if "\t" not in line else "a label" if not label else "a text"
            raise InputError(
                f"{path}, line {number} lacks {lacks}; expected label<TAB>text, received "
                f"{line[:SHOWN_CHARACTERS]!r}"
            )
        found.append(LabelledText(text, label))
    if not found:
        raise InputError(f"{path} is empty; expected lines of label<TAB>text")
    return found


def _features(builder: Any, name: str) -> tuple[list[str], str]:
    """Names of the features that are texts, and of the one that is the class."""
    tfds, features = import_tfds(), builder.info.features
    texts = [key for key, one in features.items() if isinstance(one, tfds.features.Text)]
    labels = [key for key, one in features.items() if isinstance(one, tfds.features.ClassLabel)]
    if not texts or len(labels) != 1:
        raise InputError(
            f"tfds:{name} has not one class label and texts; its features: {', '.join(features)}"
        )
    return texts, labels[0]


def _joined(example: dict, keys: list[str]) -> str:
    """The texts of an example as one, without line breaks."""
    text = " ".join(example[key].decode("utf-8", errors="replace") for key in keys)
    return unicodedata.normalize("NFC", " ".join(text.replace("<br />", " ").split()))


def _complete(name: str, splits: dict[str, list[LabelledText]], seed: int) -> LabelledTexts:
    """Check the labels, and hold out the splits that are missing."""
    train = splits["train"]
    classes = tuple(sorted({one.label for one in train}))
    if len(classes) < 2:
        raise InputError(f"{name} has one class only, {classes[0]!r}; a classifier needs two")
    for split in ("validation", "test"):
        for one in splits.get(split, ()):
            if one.label not in classes:
                raise InputError(
                    f"the {split} texts have a label {one.label!r}, which no training text of "
                    f"{name} has; its labels: {', '.join(classes)}"
                )
    fractions = [0.0 if split in splits else HELD_OUT_FRACTION for split in ("validation", "test")]
    train, validation, test = _hold_out(train, fractions, name, seed)
    held_out = splits.get("validation", validation), splits.get("test", test)
    return LabelledTexts(name, classes, train, *held_out)


def _hold_out(
    texts: list[LabelledText], fractions: list[float], name: str, seed: int
) -> tuple[list[LabelledText], ...]:
    """Split the texts class by class; one with two labels counts as of the first."""
    keys = [source_key(SentencePair(one.text, one.label)) for one in texts]
    firsts = dict(zip(reversed(keys), reversed(texts), strict=True))
    validation, test = fractions
    classes = defaultdict(list)
    for one in firsts.values():
        classes[one.label].append(SentencePair(one.text, one.label))
    needed = 1 + sum(fraction > 0 for fraction in fractions)
    side_of = {}
    for label, pairs in classes.items():
        if len(pairs) < needed:
            raise InputError(
                f"class {label!r} of {name} has {len(pairs)} text(s); it needs {needed} or more, "
                "because some are held out of training"
            )
        for side, chosen in enumerate(split_by_source(pairs, validation, test, seed=seed)):
            side_of.update(dict.fromkeys(map(source_key, chosen), side))
    sides: tuple[list[LabelledText], ...] = ([], [], [])
    for key, one in zip(keys, texts, strict=True):
        sides[side_of[key]].append(one)
    return sides
