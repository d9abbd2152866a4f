"""Cleaned sentence pairs on the disk, split as `load_corpus` splits them in memory.

Of each pair, memory holds two hashes of 64 bits: one tells identical pairs, the other decides on
which side the source sentence stands. Two of 30 million different pairs share a hash once in
40,000 corpora; then one of them is taken for a duplicate.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from tf_models.data.large.arrow_files import read_pairs, write_pairs
from tf_models.data.text.pairs import SentencePair, report_skipped
from tf_models.data.text.splits import choice_digest, chosen, sides_of, split_digest

TRAINING, VALIDATION, TEST = range(3)
DROPPED = -1


@dataclass(frozen=True)
class StoredTexts:
    """Pairs in a file of `write_pairs`, and where each belongs.

    sides: (pairs,) of `DROPPED`, `TRAINING`, `VALIDATION` and `TEST`.
    """

    path: Path
    sides: np.ndarray

    def count(self, side: int) -> int:
        """Number of pairs on a side."""
        return int(np.sum(self.sides == side))

    def read(self, side: int) -> Iterator[SentencePair]:
        """The pairs of a side, in the order of the corpus."""
        return read_pairs(self.path, self.sides == side)

    def sample(self, count: int, seed: int) -> Iterator[SentencePair]:
        """`count` training pairs drawn at random (all, if there are fewer), in order."""
        (rows,) = np.nonzero(self.sides == TRAINING)
        if len(rows) > count:
            rows = np.random.default_rng(seed).choice(rows, count, replace=False)
        wanted = np.zeros(len(self.sides), bool)
        wanted[rows] = True
        return read_pairs(self.path, wanted)


def store_texts(
    path: Path,
    pairs: Iterable[SentencePair],
    held_out: tuple[float, float],
    *,
    seed: int,
    max_pairs: int | None,
    name: str,
) -> StoredTexts:
    """Write cleaned training pairs to a new file and find out which stay training pairs.

    Args:
        pairs: stripped, none empty; read as they come.
        held_out: share of the sources for validation and for the test.
        seed, max_pairs: see `load_corpus`.
        name: what stderr calls the pairs.

    Raises:
        InputError: there are too few sentences to split.
    """
    whole, split, choice = array("Q"), array("Q"), array("Q")

    def hashed() -> Iterator[SentencePair]:
        for pair in pairs:
            whole.append(_pair_digest(pair))
            split.append(split_digest(pair, seed))
            if max_pairs is not None:
                choice.append(choice_digest(pair, seed))
            yield pair

    write_pairs(path, hashed())
    _, rows = np.unique(np.array(whole), return_index=True)
    rows.sort()
    report_skipped(len(whole) - len(rows), "seen before", name)
    if max_pairs is not None:
        rows = rows[chosen(np.array(choice)[rows], max_pairs)]
    sides = np.full(len(whole), DROPPED, np.int8)
    sides[rows] = sides_of(np.array(split)[rows], *held_out)
    return StoredTexts(path, sides)


def _pair_digest(pair: SentencePair) -> int:
    # No sentence holds a line feed, so the two sides cannot run into each other.
    digest = blake2b("\n".join(pair).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")
