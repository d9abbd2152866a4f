"""A data set of TensorFlow Datasets by its name, downloaded and prepared if need be."""

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf_models.errors import InputError
from tf_models.files import check_is_file
from tf_models.runtime import available_cores, use_cores_for_training

RETRIES = 3  # of a connection


def prepared_builder(name: str, data_dir: str | os.PathLike | None) -> Any:
    """Find the builder of a data set; let it download what `data_dir` does not hold.

    The name is NAME or NAME/CONFIG. Without data_dir TFDS keeps its data sets in its own default.
    Raises InputError: there is no such data set or configuration, or it cannot be fetched.
    """
    builder = _find_builder(name, data_dir)
    if builder.is_prepared():
        return builder
    # TFDS' own ten tries go on for minutes where there is no network, with a warning for each.
    from tensorflow_datasets.core.download import downloader

    downloader.MAX_RETRIES = RETRIES
    for logger in ("urllib3", "absl"):
        logging.getLogger(logger).setLevel(logging.ERROR)
    if not sys.stderr.isatty():
        import_tfds().disable_progress_bar()
    try:
        builder.download_and_prepare()
    except Exception as error:  # each data set fails in its own way
        raise InputError(
            f"cannot prepare tfds:{name} ({_first_line(error)}); with no network, copy its folder "
            f"to {builder.data_dir} from a machine that has one, or pass --data-dir DIR of a copy"
        ) from error
    return builder


def import_tfds() -> Any:
    """The package, late: it is slow to import and seldom needed; an InputError without it."""
    try:
        import tensorflow_datasets
    except ImportError as error:
        raise InputError(
            f"a tfds: data set needs tensorflow-datasets: pip install tensorflow-datasets ({error})"
        ) from error
    return tensorflow_datasets


def _find_builder(name: str, data_dir: str | os.PathLike | None) -> Any:
    tfds = import_tfds()
    first = name.partition("/")[0]
    for path in Path(data_dir, first).rglob("*") if data_dir and first.isidentifier() else ():
        if not path.is_dir():
            check_is_file(path)
    try:
        return tfds.builder(name, data_dir=data_dir)
    except Exception as error:  # unknown names and configurations raise several types
        where = f"under {data_dir}" if data_dir else "(pass --data-dir if you prepared it yourself)"
        hint = ""
        with contextlib.suppress(Exception):  # the name itself is unknown; the first error says so
            configs = list(tfds.builder_cls(name.split("/")[0]).builder_configs)
            hint = f"; its configurations: {', '.join(configs)}" if configs else ""
        raise InputError(
            f"TFDS has no data set {name} {where}: {_first_line(error).rstrip('.:')}{hint}"
        ) from error


def read_examples(builder: Any, split: str) -> Iterator[dict]:
    """The examples of one split, as NumPy arrays.

    Reading starts TensorFlow, whose threads stay what they are from then on. So they are set up as
    a training will want them. Raises InputError: a file of it is damaged.
    """
    import tensorflow as tf

    use_cores_for_training(available_cores())
    try:
        yield from import_tfds().as_numpy(builder.as_dataset(split=split))
    except tf.errors.OpError as error:
        raise InputError(
            f"cannot read split {split} in {builder.data_dir}: {_first_line(error)}"
        ) from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__
