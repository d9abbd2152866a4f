"""Training, validation and test pairs that share no source sentence.

One English sentence of Tatoeba has several German translations. Split pair by pair, a model
would be tested on sentences that it was trained on; so a source sentence, with all its
translations, goes to one side as a whole.

The side is decided by a hash of (seed, sentence): it does not depend on the order of the pairs,
on Python's hash randomisation or on the version of its `random` module.
"""

import hashlib
from collections.abc import Iterable

from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError

HELD_OUT_FRACTION = 0.02
MOST_HELD_OUT_SOURCES = 2000

Pairs = list[SentencePair]


def split_by_source(
    pairs: Iterable[SentencePair],
    validation: float | int = HELD_OUT_FRACTION,
    test: float | int = HELD_OUT_FRACTION,
    seed: int = 0,
) -> tuple[Pairs, Pairs, Pairs]:
    """Split `pairs` into training, validation and test pairs, by source sentence.

    Source sentences that differ only in case or white space count as the same. The pairs of each
    side keep their order.

    Args:
        pairs: the pairs to split.
        validation: how many source sentences to hold out: an int is their number, a float the
            fraction of all (at least 1 sentence unless it is 0.0, at most 2000).
        test: likewise, for the test pairs.
        seed: another seed, another split.

    Raises:
        InputError: a size is out of range, or no source sentence would be left to train on.
    """
    pairs = list(pairs)
    keys = _ranked_sources(pairs, f"split {seed}")
    sizes = [_held_out(validation, len(keys)), _held_out(test, len(keys))]
    if sum(sizes) >= len(keys):
        raise InputError(
            f"too few sentences to split: {sizes[0]} for validation and {sizes[1]} for the test "
            f"leave none to train on; received {len(keys)} distinct source sentences"
        )
    return _partition(pairs, keys[: sizes[0]], keys[sizes[0] : sum(sizes)])


def choose_pairs(pairs: Iterable[SentencePair], count: int, seed: int = 0) -> Pairs:
    """Choose `count` pairs at random (all, if there are fewer), whole source sentences at a time.

    Only the last sentence chosen may lose some of its translations. The pairs keep their order.
    With the same seed, a smaller choice is part of a larger one.
    """
    pairs = list(pairs)
    rank = {key: place for place, key in enumerate(_ranked_sources(pairs, f"choice {seed}"))}
    by_rank = sorted(range(len(pairs)), key=lambda index: rank[source_key(pairs[index])])
    return [pairs[index] for index in sorted(by_rank[:count])]


def source_key(pair: SentencePair) -> str:
    """Return what makes two source sentences the same: the words without case and spacing."""
    return " ".join(pair.source.casefold().split())


def _ranked_sources(pairs: Pairs, salt: str) -> list[str]:
    """Distinct source keys in an order that only `salt` decides."""
    return sorted({source_key(pair) for pair in pairs}, key=lambda key: (_digest(salt, key), key))


def _digest(salt: str, key: str) -> bytes:
    return hashlib.blake2b(f"{salt}\0{key}".encode(), digest_size=8).digest()


def _held_out(size: float | int, sources: int) -> int:
    if isinstance(size, int):
        if size < 0:
            raise InputError(f"a number of held-out sentences must be at least 0; received {size}")
        return size
    if not 0 <= size < 1:
        raise InputError(f"a held-out fraction must be at least 0.0, below 1.0; received {size}")
    if size == 0:
        return 0
    return min(max(1, int(size * sources)), MOST_HELD_OUT_SOURCES)


def _partition(
    pairs: Pairs, validation_keys: list[str], test_keys: list[str]
) -> tuple[Pairs, Pairs, Pairs]:
    sides: tuple[Pairs, Pairs, Pairs] = ([], [], [])
    side_of = dict.fromkeys(validation_keys, 1) | dict.fromkeys(test_keys, 2)
    for pair in pairs:
        sides[side_of.get(source_key(pair), 0)].append(pair)
    return sides
