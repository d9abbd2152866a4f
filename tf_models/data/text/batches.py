"""Sentence pairs become batches of ids, in an order that is a pure function of seed and epoch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.epochs import EpochBatches, prefetched
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID

SORTED_TOGETHER = 32  # batches' worth of shuffled sentences that are sorted by length at a time


# What makes a batch of its indices: ids of both sides, (batch, len) each, or more tensors.
Gather = Callable[[tf.Tensor], tuple[tf.Tensor, ...]]


class Pairs(Protocol):
    """What batches ask of sentence pairs, wherever their ids lie."""

    def __len__(self) -> int:
        """Number of pairs."""

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of each source and of each target, start and end included: (pairs,) each."""

    def gather(self, widths: tuple[int | None, int | None]) -> Gather:
        """A function that pads both sides of the pairs to `widths`, or to the longest of each."""


@dataclass(frozen=True)
class EncodedPairs:
    """Ids of sentence pairs, start and end tokens included.

    source, target: a list of int32 arrays each, sentence by sentence.
    dropped: number of pairs left out because a side was too long.
    """

    source: list[np.ndarray]
    target: list[np.ndarray]
    dropped: int

    def __len__(self) -> int:
        return len(self.source)

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of each source and of each target, start and end included: (pairs,) each."""
        return tuple(np.array([len(ids) for ids in side]) for side in (self.source, self.target))

    def gather(self, widths: tuple[int | None, int | None]) -> Gather:
        """A function that pads both sides of the pairs to `widths`, or to the longest of each."""
        sides = list(zip(map(ragged, (self.source, self.target)), widths, strict=True))

        def gather(batch: tf.Tensor) -> tuple[tf.Tensor, ...]:
            return tuple(
                tf.gather(side, batch).to_tensor(shape=(None, width))  # (batch, len)
                for side, width in sides
            )

        return gather


def encode_pairs(
    pairs: Sequence[SentencePair], tokenizers: TokenizerPair, max_lengths: tuple[int, int]
) -> EncodedPairs:
    """Tokenise pairs, leaving out those longer than the limits (in tokens, start and end included)
    of a source, and of a target. Raises InputError: no pair is left.
    """
    return within(list(tokenizers.encode_all(pairs)), max_lengths)


def within(
    encoded: Sequence[tuple[list[int], list[int]]], max_lengths: tuple[int, int]
) -> EncodedPairs:
    """The pairs of ids that are within the limits (see `encode_pairs`)."""
    kept = [pair for pair in encoded if fits(pair, max_lengths)]
    if not kept:
        raise none_fits(len(encoded), max_lengths)
    source, target = ([np.array(ids, np.int32) for ids in side] for side in zip(*kept, strict=True))
    return EncodedPairs(source, target, dropped=len(encoded) - len(kept))


def fits(pair: tuple[Sequence[int], Sequence[int]], max_lengths: tuple[int, int]) -> bool:
    """Whether the ids of a pair are within the limits."""
    return all(len(ids) <= limit for ids, limit in zip(pair, max_lengths, strict=True))


def none_fits(pairs: int, max_lengths: tuple[int, int]) -> InputError:
    """What to raise where no pair is left."""
    source, target = max_lengths
    return InputError(
        f"none of {pairs} sentence pairs fits into {source} source and {target} target tokens; "
        "raise --max-length"
    )


class TranslationBatches(EpochBatches):
    """Batches of one split, epoch by epoch.

    A batch is (source ids, target ids), each (batch, len) int32.
    Batches hold sentences of like length, padded to the longest of the batch; `batch_size` of them
    or, with `batch_tokens`, as many as fit. With `padded_lengths` they are the articles' instead:
    any lengths together, every batch exactly (batch_size, source length) and (batch_size, target
    length), the incomplete last one left out.

    Args:
        encoded: the pairs.
        batch_size: sentences in a batch.
        seed: 0 or greater.
        padded_lengths: (41, 42) in the articles.
        batch_tokens: most tokens that a batch has on either side, padding included; 0: `batch_size`
            counts.

    Raises:
        InputError: there are fewer pairs than one fixed-size batch holds.
    """

    def __init__(
        self,
        encoded: Pairs,
        batch_size: int,
        seed: int,
        padded_lengths: tuple[int, int] | None = None,
        batch_tokens: int = 0,
    ):
        self.encoded, self._batch_size, self._seed = encoded, batch_size, seed
        self._padded_lengths = padded_lengths
        self.widths = padded_lengths or (None, None)
        if padded_lengths and len(encoded) < batch_size:
            raise InputError(
                f"batches of exactly {batch_size} pairs need as many; received {len(encoded)} pairs"
            )
        self._gather = encoded.gather(self.widths)
        self._source_lengths, self._target_lengths = encoded.lengths
        self._starts = self._token_starts(batch_tokens) if batch_tokens else None

    def __len__(self) -> int:
        """Batches in an epoch."""
        if self._starts is not None:
            return len(self._starts) + 1
        whole, rest = divmod(len(self.encoded), self._batch_size)
        return whole + (rest > 0 and not self._padded_lengths)

    def in_order(self) -> tf.data.Dataset:
        """Every pair once, in batches of like length: the order for evaluation."""
        order = self._by_length(np.arange(len(self.encoded)))
        return prefetched(dataset_of(ragged(chunks(order, self._batch_size)), self._gather))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        return dataset_of(ragged_of(self.shuffled, epoch), self._gather)

    def shuffled(self, epoch: int) -> list[np.ndarray]:
        """Numbers of the pairs in each batch of an epoch, (pairs of the batch,) each."""
        random = np.random.default_rng([self._seed, epoch])
        order = random.permutation(len(self.encoded))
        if self._padded_lengths:
            return chunks(order, self._batch_size)[: len(self)]
        if self._starts is not None:
            batches = np.split(self._by_length(order), self._starts)
        else:  # which sentences of like length meet in one is random, too
            pools = chunks(order, self._batch_size * SORTED_TOGETHER)
            order = np.concatenate([self._by_length(pool) for pool in pools])
            batches = chunks(order, self._batch_size)
        return [batches[i] for i in random.permutation(len(batches))]

    def _token_starts(self, batch_tokens: int) -> list[int]:
        """Where batches after the first start, in the order of lengths: it is always the same."""
        order = self._by_length(np.arange(len(self.encoded)))
        lengths = np.maximum(self._source_lengths, self._target_lengths)[order]
        starts, first, longest = [], 0, 0
        for i, length in enumerate(lengths.tolist()):  # NumPy's numbers are slow one by one
            longest = max(longest, length)
            if longest * (i + 1 - first) > batch_tokens and i > first:
                starts.append(i)
                first, longest = i, length
        return starts

    def _by_length(self, indices: np.ndarray) -> np.ndarray:
        """Indices sorted by target length, then by source length, up and down in turn, so that
        neighbours are alike across two target lengths, too."""
        source, target = self._source_lengths[indices], self._target_lengths[indices]
        keys = (np.where(target % 2 == 0, source, -source), target)
        return indices[np.lexsort(keys)]


def padded_batches(
    rows: Sequence[Sequence[int]], batch_size: int, bar: str | None = None
) -> Iterator[tuple[np.ndarray, tf.Tensor]]:
    """Rows of ids in batches of like length, to be read once.

    The bar is what stands before a progress bar on stderr; without it there is none.

    Yields:
        places of the rows, (batch,), and their ids, (batch, len) int32, padded.
    """
    order = np.argsort([len(row) for row in rows], kind="stable")
    batches = chunks(order, batch_size)
    for places in tqdm(batches, desc=bar, leave=False, disable=None if bar else True):
        ids = tf.ragged.constant([rows[i] for i in places], dtype=tf.int32)
        yield places, ids.to_tensor(PADDING_ID)


def dataset_of(batches: tf.RaggedTensor, gather: Gather) -> tf.data.Dataset:
    """What `gather` makes of the numbers of each batch's examples."""
    return tf.data.Dataset.from_tensor_slices(batches).map(gather)


def ragged_of(rows_of: Callable[[int], list[np.ndarray]], epoch: tf.Tensor) -> tf.RaggedTensor:
    """The rows of an epoch, a scalar int64, when it begins."""

    def rows(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = rows_of(int(number))
        return np.concatenate(found).astype(np.int32), np.array([len(row) for row in found])

    flat, lengths = tf.numpy_function(rows, [epoch], (tf.int32, tf.int64), stateful=False)
    flat, lengths = tf.ensure_shape(flat, [None]), tf.ensure_shape(lengths, [None])
    return tf.RaggedTensor.from_row_lengths(flat, lengths, validate=False)


def ragged(rows: list[np.ndarray]) -> tf.RaggedTensor:
    """Rows (any length,) as one tensor (rows, None), int32."""
    flat = tf.constant(np.concatenate(rows), tf.int32)
    return tf.RaggedTensor.from_row_lengths(flat, [len(row) for row in rows])


def chunks(array: np.ndarray, size: int) -> list[np.ndarray]:
    """An array cut along its first axis, `size` after `size`; the last part may have fewer."""
    return [array[start : start + size] for start in range(0, len(array), size)]
