"""Token ids of sentence pairs in a memory-mapped file, for corpora that are larger than memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import tensorflow as tf

from tf_models.data.large.arrow_files import (
    BLOCK,
    SIDES,
    arrow_writer,
    blocks,
    map_file,
    open_arrow,
)
from tf_models.data.text.batches import Gather, fits, none_fits
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError


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

        def read(rows):
            return [
                side.padded(rows, width) for side, width in zip(self._sides, widths, strict=True)
            ]

        def gather(batch):
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
    """Tokenise pairs into a new file as `encode_pairs` does into memory.

    Args:
        pairs: read as they are needed.
        max_lengths: of a source, and of a target; longer pairs are left out.

    Returns:
        number of pairs kept, and of those left out.

    Raises:
        InputError: no pair is left.
    """
    both = (tokenizers.source, tokenizers.target)
    greatest = max(side.vocabulary_size for side in both) - 1
    ids_type = np.min_scalar_type(greatest)  # half the pages of int32
    written = read = 0
    with arrow_writer(path, pa.list_(pa.from_numpy_dtype(ids_type))) as writer:
        for block in blocks(pairs, BLOCK):
            texts = zip(*block, strict=True)
            encoded = (side.encode_all(of_side) for side, of_side in zip(both, texts, strict=True))
            kept = [pair for pair in zip(*encoded, strict=True) if fits(pair, max_lengths)]
            read, written = read + len(block), written + len(kept)
            if kept:
                sides = [_lists(side, ids_type) for side in zip(*kept, strict=True)]
                writer.write_batch(pa.record_batch(sides, names=SIDES))
    if not written:
        raise none_fits(read, max_lengths)
    return written, read - written


def _lists(rows: Iterable[list[int]], ids_type: np.dtype) -> pa.ListArray:
    lengths = np.fromiter(map(len, rows), np.int32, len(rows))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    ids = np.fromiter(chain.from_iterable(rows), ids_type, offsets[-1])
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(ids))
