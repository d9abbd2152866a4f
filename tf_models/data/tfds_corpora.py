"""Translation data sets of TensorFlow Datasets."""

import itertools
import os
import unicodedata
from collections.abc import Iterable, Iterator

import tensorflow_datasets as tfds

from tf_models.data.corpus_files import Languages, RawCorpus, pick
from tf_models.data.pairs import SentencePair
from tf_models.data.tfds import prepared_builder, read_examples
from tf_models.errors import InputError

NESTED = "translations"  # the feature of TED Multi: a list of {language, translation}


def read_tfds(
    name: str, wanted: Languages, data_dir: str | os.PathLike | None, max_pairs: int | None
) -> RawCorpus:
    """Read a data set by its TFDS name; download and prepare it if `data_dir` does not hold it.

    The name is NAME or NAME/CONFIG: `wmt14_translate/de-en`, `ted_multi_translate`. Without wanted
    languages they are those that TFDS names first and second, or English and German. Only the
    first max_pairs training pairs are read.

    Raises:
        InputError: there is no such data set, configuration or language, or it cannot be fetched.
    """
    builder = prepared_builder(name, data_dir)
    source, target = pick(_languages(builder), wanted, f"tfds:{name}")
    limits = {"train": max_pairs, "validation": None, "test": None}
    splits = {
        split: list(itertools.islice(_pairs(read_examples(builder, split), source, target), limit))
        for split, limit in limits.items()
        if split in builder.info.splits
    }
    return RawCorpus(source, target, splits)


def _languages(builder: tfds.core.DatasetBuilder) -> list[str]:
    """Language codes of a data set, the source that TFDS names first in front."""
    features = builder.info.features
    if NESTED in features:
        return sorted(features[NESTED].languages)
    codes = [key for key, feature in features.items() if isinstance(feature, tfds.features.Text)]
    if len(codes) < 2 or "train" not in builder.info.splits:
        raise InputError(
            f"tfds:{builder.name} has no training pairs; it holds {', '.join(features)}"
        )
    named = builder.info.supervised_keys or ()
    return sorted(codes, key=lambda code: named.index(code) if code in named else len(named))


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
