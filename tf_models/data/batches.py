"""Sentence pairs become batches of ids, in an order that is a pure function of seed and epoch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from tf_models.data.pairs import SentencePair
from tf_models.data.tokenizer import TokenizerPair
from tf_models.errors import InputError

PREFETCHED = 8  # batches that wait, ready
SORTED_TOGETHER = 32  # batches' worth of shuffled sentences that are sorted by length at a time


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


def encode_pairs(
    pairs: Sequence[SentencePair],
    tokenizers: TokenizerPair,
    longest_source: int,
    longest_target: int,
) -> EncodedPairs:
    """Tokenise pairs, leaving out those longer than the limits (in tokens, start and end included).

    Raises:
        InputError: no pair is left.
    """
    encoded = [(tokenizers.source.encode(s), tokenizers.target.encode(t)) for s, t in pairs]
    kept = [
        pair
        for pair in encoded
        if len(pair[0]) <= longest_source and len(pair[1]) <= longest_target
    ]
    if not kept:
        raise InputError(
            f"none of {len(pairs)} sentence pairs fits into {longest_source} source and "
            f"{longest_target} target tokens; raise the limits"
        )
    source, target = ([np.array(ids, np.int32) for ids in side] for side in zip(*kept, strict=True))
    return EncodedPairs(source, target, dropped=len(pairs) - len(kept))


class TranslationBatches:
    """Batches of one split, epoch by epoch.

    Batches hold sentences of like length, padded to the longest of the batch. With
    `padded_lengths` they are the articles' instead: any lengths together, every batch exactly
    (batch_size, source length) and (batch_size, target length), the incomplete last one left out.

    Args:
        encoded: the pairs.
        batch_size: sentences in a batch.
        seed: 0 or greater.
        padded_lengths: (41, 42) in the articles.

    Raises:
        InputError: there are fewer pairs than one fixed-size batch holds.
    """

    def __init__(
        self,
        encoded: EncodedPairs,
        batch_size: int,
        seed: int,
        padded_lengths: tuple[int, int] | None = None,
    ):
        self._encoded, self._batch_size, self._seed = encoded, batch_size, seed
        self._padded_lengths = padded_lengths
        if padded_lengths and len(encoded) < batch_size:
            raise InputError(
                f"batches of exactly {batch_size} pairs need as many; received {len(encoded)} pairs"
            )
        self._source, self._target = _ragged(encoded.source), _ragged(encoded.target)
        self._source_lengths = np.array([len(ids) for ids in encoded.source])
        self._target_lengths = np.array([len(ids) for ids in encoded.target])

    def __len__(self) -> int:
        """Batches in an epoch."""
        whole, rest = divmod(len(self._encoded), self._batch_size)
        return whole + (rest > 0 and not self._padded_lengths)

    @property
    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of each source and of each target, start and end included: (pairs,) each."""
        return self._source_lengths, self._target_lengths

    def epoch(self, epoch: int) -> tf.data.Dataset:
        """The batches of one epoch, (source ids, target ids), each (batch, len) int32."""
        return self._dataset(self._shuffled(epoch))

    def in_order(self) -> tf.data.Dataset:
        """Every pair once, in batches of like length: the order for evaluation."""
        return self._dataset(
            _chunks(self._by_length(np.arange(len(self._encoded))), self._batch_size)
        )

    def _shuffled(self, epoch: int) -> list[np.ndarray]:
        random = np.random.default_rng([self._seed, epoch])
        order = random.permutation(len(self._encoded))
        if self._padded_lengths:
            return _chunks(order, self._batch_size)[: len(self)]
        pools = _chunks(order, self._batch_size * SORTED_TOGETHER)
        batches = _chunks(
            np.concatenate([self._by_length(pool) for pool in pools]), self._batch_size
        )
        return [batches[i] for i in random.permutation(len(batches))]

    def _by_length(self, indices: np.ndarray) -> np.ndarray:
        keys = (self._source_lengths[indices], self._target_lengths[indices])
        return indices[np.lexsort(keys)]  # by target, then by source

    def _dataset(self, batches: list[np.ndarray]) -> tf.data.Dataset:
        widths = self._padded_lengths or (None, None)

        def gather(batch):
            return tuple(
                tf.gather(side, batch).to_tensor(shape=(None, width))  # (batch, len)
                for side, width in zip((self._source, self._target), widths, strict=True)
            )

        # Without autotuning: its thread held up the end of an epoch for up to 18 s.
        options = tf.data.Options()
        options.autotune.enabled = False
        dataset = tf.data.Dataset.from_tensor_slices(_ragged(batches))
        return dataset.map(gather).prefetch(PREFETCHED).with_options(options)


def _ragged(rows: list[np.ndarray]) -> tf.RaggedTensor:
    flat = tf.constant(np.concatenate(rows), tf.int32)
    return tf.RaggedTensor.from_row_lengths(flat, [len(row) for row in rows])


def _chunks(array: np.ndarray, size: int) -> list[np.ndarray]:
    return [array[start : start + size] for start in range(0, len(array), size)]
