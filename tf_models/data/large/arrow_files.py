"""Tables in Arrow's file format: written block by block, read from a memory map.

An Arrow file holds arrays as they lie in memory, so nothing is decoded: the operating system
reads the pages that are asked for, keeps as many as there is room, and drops them if need be.
"""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.files import one_line_errors

BLOCK = 10_000  # pairs that are written together
SIDES = ("source", "target")
Item = TypeVar("Item")


@contextlib.contextmanager
def arrow_writer(path: Path, side_type: pa.DataType) -> Iterator[pa.RecordBatchFileWriter]:
    """A writer of blocks of pairs, record batches of `SIDES`, to a new file.

    Args:
        side_type: of a source or target: `pa.large_string()`, or a list of ids.

    Raises:
        InputError: it cannot be written.
    """
    schema = pa.schema([(side, side_type) for side in SIDES])
    with (
        one_line_errors(path),
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, schema) as writer,
    ):
        yield writer


def write_pairs(path: Path, pairs: Iterable[SentencePair]) -> None:
    """Write sentence pairs to a new file."""
    with arrow_writer(path, pa.large_string()) as writer:
        for block in blocks(pairs, BLOCK):
            sides = (pa.array(side, pa.large_string()) for side in zip(*block, strict=True))
            writer.write_batch(pa.record_batch(list(sides), names=SIDES))


def read_pairs(path: Path, wanted: np.ndarray | None = None) -> Iterator[SentencePair]:
    """Yield the sentence pairs of a file, in order.

    Args:
        wanted: which ones, (pairs,) bool; None: all.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    first = 0
    # Not from a memory map: pages that were read once would count as memory of the process.
    for batch in open_arrow(pa.OSFile(str(path)), path):
        if wanted is not None:
            rows = len(batch)
            batch, first = batch.filter(pa.array(wanted[first : first + rows])), first + rows
        sides = (batch.column(side).to_pylist() for side in SIDES)
        yield from map(SentencePair._make, zip(*sides, strict=True))


def map_file(path: Path) -> pa.Buffer:
    """The bytes of a file, memory-mapped.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with pa.memory_map(str(path)) as file:
            return file.read_buffer()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def open_arrow(content: pa.Buffer | pa.NativeFile, path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the blocks of a file; those of a buffer point into it.

    Args:
        content: of the file.
        path: for the error message.

    Raises:
        InputError: it is damaged.
    """
    try:
        with pa.ipc.open_file(content) as reader:
            for i in range(reader.num_record_batches):
                yield reader.get_batch(i)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path} is damaged ({reason}); prepare the corpus again") from error


def blocks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """`size` items after `size` of them; the last block may have fewer."""
    items = iter(items)
    while block := list(islice(items, size)):
        yield block
