"""Training, validation and test pairs that share no source sentence.

One English sentence of Tatoeba has several German translations. Split pair by pair, a model
would be tested on sentences that it was trained on; so a source sentence, with all its
translations, goes to one side as a whole.

The side is decided by a hash of (seed, sentence): it does not depend on the order of the pairs,
on Python's hash randomisation or on the version of its `random` module.
"""

import hashlib
from collections.abc import Callable, Iterable

import numpy as np

from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError

HELD_OUT_FRACTION = 0.02
MAX_HELD_OUT_SOURCES = 2000

Pairs = list[SentencePair]


def split_by_source(
    pairs: Iterable[SentencePair],
    validation: float = HELD_OUT_FRACTION,
    test: float = HELD_OUT_FRACTION,
    seed: int = 0,
) -> tuple[Pairs, Pairs, Pairs]:
    """Split `pairs` into training, validation and test pairs, by source sentence.

    Source sentences that differ only in case or white space count as the same. The pairs of each
    side keep their order. A fraction of the source sentences is held out to validate, and another
    to test: at least 1 sentence unless it is 0, at most 2000. Another seed makes another split.
    Raises InputError: a fraction is out of range, or no source sentence would be left to train on.
    """
    pairs = list(pairs)
    sides: tuple[Pairs, Pairs, Pairs] = ([], [], [])
    side_of = sides_of(_digests(pairs, split_digest, seed), validation, test)
    for pair, side in zip(pairs, side_of, strict=True):
        sides[side].append(pair)
    return sides


def choose_pairs(pairs: Iterable[SentencePair], count: int, seed: int = 0) -> Pairs:
    """Choose `count` pairs at random (all, if there are fewer), whole source sentences at a time.

    Only the last sentence chosen may lose some of its translations. The pairs keep their order.
    With the same seed, a smaller choice is part of a larger one.
    """
    pairs = list(pairs)
    return [pairs[i] for i in chosen(_digests(pairs, choice_digest, seed), count)]


def source_key(pair: SentencePair) -> str:
    """Return what makes two source sentences the same: the words without case and spacing."""
    return " ".join(pair.source.casefold().split())


def split_digest(pair: SentencePair, seed: int) -> int:
    """The hash of the source sentence that decides `split_by_source`: 64 bits."""
    return _digest(f"split {seed}", source_key(pair))


def choice_digest(pair: SentencePair, seed: int) -> int:
    """The hash of the source sentence that decides `choose_pairs`: 64 bits."""
    return _digest(f"choice {seed}", source_key(pair))


def sides_of(digests: np.ndarray, validation: float, test: float) -> np.ndarray:
    """On which side each pair stands: 0 training, 1 validation, 2 test.

    The sources of the smallest digests (`split_digest` of each pair, (pairs,) uint64) are held out,
    as many as `split_by_source` says. Raises InputError: see `split_by_source`.
    """
    sources = np.unique(digests)
    sizes = [_held_out(validation, len(sources)), _held_out(test, len(sources))]
    if sum(sizes) >= len(sources):
        raise InputError(
            f"too few sentences to split: {sizes[0]} for validation and {sizes[1]} for the test "
            f"leave none to train on; received {len(sources)} distinct source sentences"
        )
    first_of_test, first_of_training = sources[sizes[0]], sources[sum(sizes)]
    return np.select([digests < first_of_test, digests < first_of_training], [1, 2], 0)


def chosen(digests: np.ndarray, count: int) -> np.ndarray:
    """Which pairs `choose_pairs` chooses, by their `choice_digest`: indices, in order."""
    return np.sort(np.argsort(digests, kind="stable")[:count])


def _digest(salt: str, key: str) -> int:
    digest = hashlib.blake2b(f"{salt}\0{key}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _digests(pairs: Pairs, digest: Callable[[SentencePair, int], int], seed: int) -> np.ndarray:
    return np.fromiter((digest(pair, seed) for pair in pairs), np.uint64, len(pairs))


def _held_out(fraction: float, sources: int) -> int:
    if not 0 <= fraction < 1:
        raise InputError(f"a held-out fraction must be at least 0, below 1; received {fraction}")
    at_least = 1 if fraction else 0
    return min(max(at_least, int(fraction * sources)), MAX_HELD_OUT_SOURCES)
