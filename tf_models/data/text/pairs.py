"""Sentence pairs: cleaned, chosen at random, and split by source sentence.

One English sentence of Tatoeba has several German translations. Split pair by pair, a model
would be tested on sentences that it was trained on; so a source sentence, with all its
translations, goes to one side as a whole.

The side is decided by a hash of (seed, sentence): it does not depend on the order of the pairs,
on Python's hash randomisation or on the version of its `random` module.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tf_models.errors import InputError

HELD_OUT_FRACTION = 0.02
MAX_HELD_OUT_SOURCES = 2000


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def drop_empty(pairs: Iterable[SentencePair]) -> list[SentencePair]:
    """Strip both sides and drop the pairs with an empty one."""
    stripped = (SentencePair(source.strip(), target.strip()) for source, target in pairs)
    return [pair for pair in stripped if all(pair)]


def source_key(pair: SentencePair) -> str:
    """The words of the source without case and spacing: equal keys are the same sentence."""
    return " ".join(pair.source.casefold().split())


def choose_pairs(pairs: Sequence[SentencePair], count: int, seed: int = 0) -> list[SentencePair]:
    """Choose `count` pairs at random (all, if there are fewer), whole source sentences at a time.

    Only the last sentence chosen may lose some of its translations. The pairs keep their order.
    With the same seed, a smaller choice is part of a larger one.
    """
    order = np.argsort(_digests(pairs, f"choice {seed}"), kind="stable")
    return [pairs[i] for i in np.sort(order[:count])]


def split_by_source(
    pairs: Sequence[SentencePair],
    validation: float = HELD_OUT_FRACTION,
    test: float = HELD_OUT_FRACTION,
    *,
    seed: int = 0,
) -> tuple[list[SentencePair], list[SentencePair], list[SentencePair]]:
    """Split pairs into training, validation and test pairs, by source sentence.

    Source sentences that differ only in case or white space count as the same. The pairs of each
    side keep their order. A fraction of the source sentences is held out to validate, and another
    to test: at least 1 sentence unless it is 0, at most 2000. Another seed makes another split.

    Raises:
        InputError: no source sentence would be left to train on.
    """
    digests = _digests(pairs, f"split {seed}")
    sources = np.unique(digests)
    sizes = [_held_out(fraction, len(sources)) for fraction in (validation, test)]
    if sum(sizes) >= len(sources):
        raise InputError(
            f"too few sentences to split: {sizes[0]} for validation and {sizes[1]} for the test "
            f"leave none to train on; received {len(sources)} distinct source sentences"
        )
    first_of_test, first_of_training = sources[sizes[0]], sources[sum(sizes)]
    sides: tuple[list, list, list] = ([], [], [])
    side_of = np.select([digests < first_of_test, digests < first_of_training], [1, 2], 0)
    for pair, side in zip(pairs, side_of, strict=True):
        sides[side].append(pair)
    return sides


def _held_out(fraction: float, sources: int) -> int:
    return min(max(int(fraction > 0), int(fraction * sources)), MAX_HELD_OUT_SOURCES)


def _digests(pairs: Sequence[SentencePair], salt: str) -> np.ndarray:
    """A hash of each source sentence, (pairs,) uint64."""
    keys = (f"{salt}\0{source_key(pair)}".encode() for pair in pairs)
    digests = (hashlib.blake2b(key, digest_size=8).digest() for key in keys)
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)
