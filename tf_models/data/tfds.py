"""Data sets of TensorFlow Datasets by their names, downloaded and prepared if need be."""

import os
from collections.abc import Iterator

import tensorflow_datasets as tfds

from tf_models.errors import InputError


def prepared_builder(name: str, data_dir: str | os.PathLike | None) -> tfds.core.DatasetBuilder:
    """Builder of a data set, NAME or NAME/CONFIG, that is downloaded if `data_dir` lacks it; an
    InputError if it cannot be fetched, or has no training split.
    """
    try:
        builder = tfds.builder(name, data_dir=data_dir)
        if not builder.is_prepared():
            builder.download_and_prepare()
    except Exception as error:  # each data set fails in its own way
        reason = str(error).strip().partition("\n")[0]
        raise InputError(
            f"cannot load tfds:{name}: {reason.rstrip(' .:')}; without a network, pass --data-dir "
            "with a copy of its folder"
        ) from error
    if "train" not in builder.info.splits:
        raise InputError(f"tfds:{name} has no training split")
    return builder


def keys_of(builder: tfds.core.DatasetBuilder, kind: str) -> list[str]:
    """Features of a data set that are of a kind: "Text", "Image", "ClassLabel"."""
    of_kind = getattr(tfds.features, kind)
    return [key for key, feature in builder.info.features.items() if isinstance(feature, of_kind)]


def read_examples(builder: tfds.core.DatasetBuilder, split: str) -> Iterator[dict]:
    """Examples of one split, as NumPy arrays."""
    yield from tfds.as_numpy(builder.as_dataset(split=split))
