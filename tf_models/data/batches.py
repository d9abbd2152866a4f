"""Batches of sentence pairs as a pure function of seed and epoch."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.epochs import EpochBatches, prefetched
from tf_models.data.tokenizers import TokenizerPair
from tf_models.data.words import normalize_source
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID

SORTED_TOGETHER = 32  # number of batches whose shuffled sentences are sorted by length together

# Function from indices to their batch: ids of both sides, (batch, len) each, or more tensors.
Gather = Callable[[tf.Tensor], tuple[tf.Tensor, ...]]


class Rows:
    """Rows of ids of any lengths, concatenated in one array of int32."""

    def __init__(self, rows: Iterable[Iterable[int]] = ()):
        self._ids = array("i")
        self._ends = array("q", [0])
        for row in rows:
            self.append(row)

    def append(self, row: Iterable[int]) -> None:
        """Add a row at the end."""
        self._ids.extend(row)
        self._ends.append(len(self._ids))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @property
    def lengths(self) -> np.ndarray:
        """Ids in each row, (rows,)."""
        return np.diff(np.asarray(self._ends))

    def padded(self) -> tf.Tensor:
        """All rows as one tensor (rows, longest), int32."""
        return self.ragged().to_tensor(PADDING_ID)

    def ragged(self) -> tf.RaggedTensor:
        """All rows as one tensor (rows, None), int32."""
        ids = tf.constant(np.asarray(self._ids), tf.int32)
        return tf.RaggedTensor.from_row_splits(ids, np.asarray(self._ends), validate=False)


class EncodedPairs:
    """Ids of sentence pairs with start and end; `dropped` pairs were too long."""

    def __init__(
        self, source: Iterable[Iterable[int]], target: Iterable[Iterable[int]], dropped: int = 0
    ):
        self.source = Rows(source)
        self.target = Rows(target)
        self.dropped = dropped

    def __len__(self) -> int:
        return len(self.source)

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens in each source and target, with start and end: (pairs,) each."""
        return self.source.lengths, self.target.lengths

    def gather(self, widths: tuple[int | None, int | None]) -> Gather:
        """Function from indices to a batch, padded to `widths` or the longest row."""
        sides = list(zip((self.source.ragged(), self.target.ragged()), widths, strict=True))

        def gather(batch: tf.Tensor) -> tuple[tf.Tensor, ...]:
            rows = [(tf.gather(side, batch), width) for side, width in sides]
            return tuple(ids.to_tensor(shape=(None, width)) for ids, width in rows)  # (batch, len)

        return gather


def encode_pairs(
    pairs: Sequence[tuple[str, str]], tokenizers: TokenizerPair, max_lengths: tuple[int, int]
) -> EncodedPairs:
    """Tokenise pairs, sources normalised; drop long ones (see `within`)."""
    encode_source = tokenizers.source.encode
    encode_target = tokenizers.target.encode
    encoded = (
        (encode_source(normalize_source(source)), encode_target(target)) for source, target in pairs
    )
    return within(encoded, max_lengths)


def within(
    encoded: Iterable[tuple[Sequence[int], Sequence[int]]], max_lengths: tuple[int, int]
) -> EncodedPairs:
    """Pairs of at most `max_lengths` ids; an InputError if there are none."""
    pairs = EncodedPairs((), ())
    for source, target in encoded:
        if len(source) > max_lengths[0] or len(target) > max_lengths[1]:
            pairs.dropped += 1
        else:
            pairs.source.append(source)
            pairs.target.append(target)
    if not len(pairs):
        raise InputError(
            f"none of {pairs.dropped} sentence pairs fits into {max_lengths[0]} source and "
            f"{max_lengths[1]} target tokens; raise --max-length"
        )
    return pairs


class BucketedBatches(EpochBatches):
    """Batches of one split, bucketed by length: (source ids, target ids).

    Both sides are (batch, len) int32: sentences of like length, padded to the longest of the batch;
    `batch_size` of them or, with `batch_tokens`, as many as fit. With `padded_lengths` they are the
    articles' instead: any lengths together, every batch exactly (batch_size, source length) and
    (batch_size, target length), the incomplete last one left out.

    Args:
        encoded: `EncodedPairs`, or others with `lengths` and `gather`.
        batch_size: sentences in a batch.
        seed: 0 or greater.
        padded_lengths: source and target length; (41, 42) in the articles.
        batch_tokens: most tokens of a batch on either side, padding included; 0: see `batch_size`.
    """

    def __init__(
        self,
        encoded: Any,
        batch_size: int,
        seed: int,
        padded_lengths: tuple[int, int] | None = None,
        batch_tokens: int = 0,
    ):
        self.encoded = encoded
        self._batch_size = batch_size
        self._seed = seed
        self._padded_lengths = padded_lengths
        if padded_lengths and len(encoded) < batch_size:
            raise InputError(
                f"a batch of {batch_size} pairs needs as many; received {len(encoded)}"
            )
        self._gather = encoded.gather(padded_lengths or (None, None))
        self._source_lengths, self._target_lengths = encoded.lengths
        self._starts = self._token_starts(batch_tokens) if batch_tokens else None

    def __len__(self) -> int:
        """Batches in an epoch."""
        if self._starts is not None:
            return len(self._starts) + 1
        full_batches, rest = divmod(len(self.encoded), self._batch_size)
        if rest and not self._padded_lengths:
            return full_batches + 1
        return full_batches

    def in_order(self) -> tf.data.Dataset:
        """Every pair once, in batches of `batch_size` of like length: to evaluate."""
        order = self._by_length(np.arange(len(self.encoded)))
        batches = Rows(chunks(order, self._batch_size)).ragged()
        return prefetched(tf.data.Dataset.from_tensor_slices(batches).map(self._gather))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        def flat_and_lengths(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            batches = self.shuffled(int(number))
            return np.concatenate(batches).astype(np.int32), np.array(
                [len(batch) for batch in batches]
            )

        flat, lengths = tf.numpy_function(
            flat_and_lengths, [epoch], (tf.int32, tf.int64), stateful=False
        )
        flat, lengths = tf.ensure_shape(flat, [None]), tf.ensure_shape(lengths, [None])
        batches = tf.RaggedTensor.from_row_lengths(flat, lengths, validate=False)
        return tf.data.Dataset.from_tensor_slices(batches).map(self._gather)

    def shuffled(self, epoch: int) -> list[np.ndarray]:
        """Indices of the pairs in each batch of an epoch, (batch,) each."""
        random = np.random.default_rng([self._seed, epoch])
        order = random.permutation(len(self.encoded))
        if self._padded_lengths:
            return chunks(order, self._batch_size)[: len(self)]
        if self._starts is not None:
            batches = np.split(self._by_length(order), self._starts)
        else:  # chance decides, too, which sentences of like length share a batch
            pools = chunks(order, self._batch_size * SORTED_TOGETHER)
            order = np.concatenate([self._by_length(pool) for pool in pools])
            batches = chunks(order, self._batch_size)
        return [batches[i] for i in random.permutation(len(batches))]

    def _token_starts(self, batch_tokens: int) -> list[int]:
        """Starts of all batches but the first, in order of length.

        They are the same in all epochs: shuffling changes the order of equal lengths alone.
        """
        order = self._by_length(np.arange(len(self.encoded)))
        lengths = np.maximum(self._source_lengths, self._target_lengths)[order]
        starts = []
        first = longest = 0
        for i, length in enumerate(lengths.tolist()):  # NumPy's own numbers are slow in a loop
            longest = max(longest, length)
            if longest * (i + 1 - first) > batch_tokens and i > first:
                starts.append(i)
                first, longest = i, length
        return starts

    def _by_length(self, indices: np.ndarray) -> np.ndarray:
        """Indices by target length, then source length, rising, falling in turn.

        So the source length changes little from a target length to the next.
        """
        source, target = self._source_lengths[indices], self._target_lengths[indices]
        keys = (np.where(target % 2 == 0, source, -source), target)
        return indices[np.lexsort(keys)]


def padded_batches(
    rows: Sequence[Sequence[int]], batch_size: int, bar: str | None = None
) -> Iterator[tuple[np.ndarray, tf.Tensor]]:
    """Yield rows of ids in batches of like length: indices and padded ids.

    Indices are (batch,), ids (batch, len) int32. `bar` labels a progress bar on stderr.
    """
    order = np.argsort([len(row) for row in rows], kind="stable")
    batches = chunks(order, batch_size)
    for indices in tqdm(batches, desc=bar, leave=False, disable=None if bar else True):
        yield indices, Rows(rows[i] for i in indices).padded()


def chunks(values: np.ndarray, size: int) -> list[np.ndarray]:
    """Chunks of `size` along the first axis; the last one may be shorter."""
    return [values[start : start + size] for start in range(0, len(values), size)]
