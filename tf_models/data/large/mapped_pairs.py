"""Sentence pairs in Arrow files: texts, and token ids that are read from a memory map.

An Arrow file holds arrays as they lie in memory, so nothing is decoded: the operating system
reads the pages that are asked for, keeps as many as there is room, and drops them if need be.
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import tensorflow as tf

from tf_models.data.text.batches import Gather, fits, none_fits
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError
from tf_models.files import one_line_errors

BLOCK = 10_000  # pairs that are written together
SIDES = ("source", "target")
Item = TypeVar("Item")


@contextlib.contextmanager
def arrow_writer(path: Path, side_type: pa.DataType) -> Iterator[pa.RecordBatchFileWriter]:
    """A writer of blocks of pairs, record batches of `SIDES` of a type (`pa.large_string()`, or a
    list of ids), to a new file; an InputError if that cannot be written.
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
    """Yield the sentence pairs of a file in order, or those that are `wanted`, (pairs,) bool; an
    InputError if it is damaged or cannot be read.
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
    """The bytes of a file, memory-mapped; an InputError if it cannot be read."""
    try:
        with pa.memory_map(str(path)) as file:
            return file.read_buffer()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def open_arrow(content: pa.Buffer | pa.NativeFile, path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the blocks of a file, those of a buffer point into it; an InputError if it is
    damaged.
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


@dataclass(frozen=True)
class MappedIds:
    """Ids of one side's sentences, start and end tokens included.

    values: all of the file as numbers; the ids are among them.
    starts: where each sentence begins, (sentences,) int64.
    lengths: its tokens, (sentences,) int32.
    """

    values: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    def padded(self, rows: np.ndarray, width: int | None = None) -> np.ndarray:
        """Sentences side by side, (batch, width) int32; the longest decides if no width does."""
        lengths = self.lengths[rows]
        columns = np.arange(width or lengths.max())
        real = columns < lengths[:, np.newaxis]  # (batch, width)
        places = self.starts[rows][:, np.newaxis] + columns  # (batch, width)
        ids = np.zeros(real.shape, np.int32)
        ids[real] = self.values[places[real]]
        return ids


class MappedPairs:
    """Ids of the pairs in a file of `write_ids`, for `TranslationBatches`.

    Memory holds 24 bytes a pair; the ids stay in the file.

    Raises:
        InputError: it cannot be read, or is damaged.
    """

    def __init__(self, path: Path):
        self._path, buffer = path, map_file(path)
        found = list(open_arrow(buffer, path))
        self._sides = tuple(
            _mapped(buffer, [block.column(side) for block in found]) for side in SIDES
        )

    def __len__(self) -> int:
        return len(self._sides[0].lengths)

    def __iter__(self) -> Iterator[SentencePair]:
        raise InputError(
            f"{self._path.parent} holds token ids, no sentences; name the corpus itself for this"
        )

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of each source and of each target, start and end included: (pairs,) each."""
        return tuple(side.lengths for side in self._sides)

    def gather(self, widths: tuple[int | None, int | None]) -> Gather:
        """A function that pads both sides of the pairs to `widths`, or to the longest of each."""

        def read(rows: np.ndarray) -> list[np.ndarray]:
            return [
                side.padded(rows, width) for side, width in zip(self._sides, widths, strict=True)
            ]

        def gather(batch: tf.Tensor) -> tuple[tf.Tensor, ...]:
            ids = tf.numpy_function(read, [batch], (tf.int32, tf.int32), stateful=False)
            return tuple(
                tf.ensure_shape(side, (None, width))  # (batch, len)
                for side, width in zip(ids, widths, strict=True)
            )

        return gather


def _mapped(buffer: pa.Buffer, blocks_of_side: list[pa.ListArray]) -> MappedIds:
    """The lists of all blocks as places in one array, which is the file."""
    ids_type = np.dtype(blocks_of_side[0].type.value_type.to_pandas_dtype())
    values = np.frombuffer(buffer, ids_type, count=buffer.size // ids_type.itemsize)
    starts, lengths = [], []
    for block in blocks_of_side:
        offsets = block.offsets.to_numpy()
        _, data = block.values.buffers()
        # Arrow aligns what it writes to 8 bytes, so that ids stand at whole places.
        first = (data.address - buffer.address) // ids_type.itemsize
        starts.append(first + offsets[:-1].astype(np.int64))
        lengths.append(np.diff(offsets))
    return MappedIds(values, np.concatenate(starts), np.concatenate(lengths))


def write_ids(
    path: Path,
    pairs: Iterable[SentencePair],
    tokenizers: TokenizerPair,
    max_lengths: tuple[int, int],
) -> tuple[int, int]:
    """Tokenise pairs, read as they are needed, into a new file as `encode_pairs` does into memory.
    Returns number of pairs kept, and of those left out. Raises InputError: no pair is left.
    """
    greatest = max(tokenizers.source.vocabulary_size, tokenizers.target.vocabulary_size) - 1
    ids_type = np.min_scalar_type(greatest)  # half the pages of int32
    written = read = 0
    with arrow_writer(path, pa.list_(pa.from_numpy_dtype(ids_type))) as writer:
        for block in blocks(pairs, BLOCK):
            kept = [pair for pair in tokenizers.encode_all(block) if fits(pair, max_lengths)]
            read, written = read + len(block), written + len(kept)
            if kept:
                sides = [_lists(side, ids_type) for side in zip(*kept, strict=True)]
                writer.write_batch(pa.record_batch(sides, names=SIDES))
    if not written:
        raise none_fits(read, max_lengths)
    return written, read - written


def _lists(rows: Sequence[list[int]], ids_type: np.dtype) -> pa.ListArray:
    lengths = np.fromiter(map(len, rows), np.int32, len(rows))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    ids = np.fromiter(chain.from_iterable(rows), ids_type, offsets[-1])
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(ids))
