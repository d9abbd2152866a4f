"""TensorFlow Datasets by name, downloaded and prepared if need be."""

import logging
import sys
from collections.abc import Iterator

import tensorflow_datasets as tfds
from tensorflow_datasets.core.download import downloader

from tf_models.errors import InputError, StrPath
from tf_models.files import short_reason

DOWNLOAD_RETRIES = 3  # TFDS' own 10 take minutes where there is no network


def prepared_builder(name: str, data_dir: StrPath | None) -> tfds.core.DatasetBuilder:
    """Builder of data set NAME or NAME/CONFIG; an InputError if unavailable."""
    downloader.MAX_RETRIES = DOWNLOAD_RETRIES
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # it warns of each retry
    if not sys.stderr.isatty():
        tfds.disable_progress_bar()
    try:
        builder = tfds.builder(name, data_dir=data_dir)
        if not builder.is_prepared():
            builder.download_and_prepare()
    except Exception as error:  # each data set fails in its own way
        reason = short_reason(error)
        raise InputError(
            f"cannot load tfds:{name}: {reason.rstrip(' .:')}; without a network, pass --data-dir "
            "with a copy of its folder"
        ) from error
    return builder


def read_examples(builder: tfds.core.DatasetBuilder, split: str) -> Iterator[dict]:
    """Examples of one split, as NumPy arrays."""
    yield from tfds.as_numpy(builder.as_dataset(split=split))
