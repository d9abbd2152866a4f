"""Translation data sets of TensorFlow Datasets."""

import itertools
import os
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from tf_models.data.text.corpus_files import Languages, Splits
from tf_models.data.text.languages import pick
from tf_models.data.text.pairs import SentencePair
from tf_models.data.tfds import import_tfds, prepared_builder, read_examples
from tf_models.errors import InputError

NESTED = "translations"  # the feature of TED Multi: a list of {language, translation}


def read_tfds(
    name: str, wanted: Languages, data_dir: str | os.PathLike | None, max_pairs: int | None
) -> tuple[str, str, Splits]:
    """Read a data set by its TFDS name; download and prepare it if `data_dir` does not hold it.

    The name is NAME or NAME/CONFIG: `wmt14_translate/de-en`, `ted_multi_translate`. Without wanted
    languages they are those that TFDS names first and second, or English and German; without
    data_dir TFDS keeps its data sets in its own default. Only the first max_pairs training pairs of
    the stream are read. Returns source language, target language, and the pairs of each split that
    exists, which are read as they are asked for. Raises InputError: there is no such data set,
    configuration or language, or it cannot be fetched.
    """
    builder = prepared_builder(name, data_dir)
    source, target = pick(_languages(builder, name), *wanted, f"tfds:{name}")
    if "train" not in builder.info.splits:
        raise InputError(f"tfds:{name} has no split train; it has {', '.join(builder.info.splits)}")
    limits = {"train": max_pairs, "validation": None, "test": None}
    splits: Splits = {
        split: _read_split(builder, split, source, target, limit)
        for split, limit in limits.items()
        if split in builder.info.splits
    }
    return source, target, splits


def _languages(builder: Any, name: str) -> list[str]:
    """Language codes of a data set, the source that TFDS names first in front."""
    tfds = import_tfds()
    features = builder.info.features
    if NESTED in features:
        return sorted(features[NESTED].languages)
    codes = [key for key, feature in features.items() if isinstance(feature, tfds.features.Text)]
    if len(codes) < 2:
        raise InputError(
            f"tfds:{name} is no translation data set; its features: {', '.join(features)}"
        )
    named = builder.info.supervised_keys or ()
    return sorted(codes, key=lambda code: named.index(code) if code in named else len(named))


def _read_split(
    builder: Any, split: str, source: str, target: str, limit: int | None
) -> Iterator[SentencePair]:
    examples = read_examples(builder, split)
    try:
        yield from itertools.islice(_pairs(examples, source, target), limit)
    except UnicodeDecodeError as error:
        raise InputError(f"split {split} in {builder.data_dir} is not UTF-8: {error}") from error


def _pairs(examples: Iterable[dict], source: str, target: str) -> Iterator[SentencePair]:
    """Pairs of the examples that have both languages; reads no further than it is asked."""
    for example in examples:
        if NESTED in example:
            nested = example[NESTED]
            languages = [language.decode() for language in nested["language"]]
            example = dict(zip(languages, nested["translation"], strict=True))
        if source in example and target in example:
            yield SentencePair(_text(example[source]), _text(example[target]))


def _text(raw: bytes) -> str:
    """Decode a sentence; a line break within it becomes a space."""
    return " ".join(unicodedata.normalize("NFC", raw.decode("utf-8")).splitlines())
