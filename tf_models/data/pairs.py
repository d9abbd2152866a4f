"""Sentence pairs: cleaned, chosen at random, and split by source sentence.

One English sentence of Tatoeba has several German translations, and goes to one side with all of
them: else a model would be tested on sentences that it was trained on. A hash of (seed, sentence)
decides on the side, so it does not depend on the order of the pairs.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tf_models.errors import InputError

HELD_OUT_FRACTION = 0.02
MAX_HELD_OUT_SOURCES = 2000


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def source_key(pair: tuple) -> str:
    """The words of the source without case and spacing: equal keys are the same sentence."""
    return " ".join(pair[0].casefold().split())


def choose_pairs(pairs: Sequence[SentencePair], count: int, seed: int = 0) -> list[SentencePair]:
    """Choose `count` pairs at random, whole source sentences at a time, in their order."""
    order = np.argsort(_digests(pairs, f"choice {seed}"), kind="stable")
    return [pairs[i] for i in np.sort(order[:count])]


def hold_out(splits: Mapping[str, list], fraction: float, seed: int) -> tuple[list, list, list]:
    """Training, validation and test pairs; those that are missing are a fraction of the others."""
    shares = (0.0 if split in splits else fraction for split in ("validation", "test"))
    train, validation, test = split_by_source(splits["train"], *shares, seed=seed)
    return train, splits.get("validation", validation), splits.get("test", test)


def split_by_source(
    pairs: Sequence[tuple],
    validation: float = HELD_OUT_FRACTION,
    test: float = HELD_OUT_FRACTION,
    *,
    seed: int = 0,
) -> tuple[list, list, list]:
    """Split pairs, whose first part is the source, into training, validation and test pairs.

    Sources that differ only in case or white space count as the same. The pairs of each side keep
    their order. A fraction is at least 1 source sentence unless it is 0, at most 2000.

    Raises:
        InputError: no source sentence would be left to train on.
    """
    digests = _digests(pairs, f"split {seed}")
    sources = np.unique(digests)
    sizes = [_held_out(fraction, len(sources)) for fraction in (validation, test)]
    if sum(sizes) >= len(sources):
        raise InputError(
            f"too few sentences to hold out {sizes[0]} for validation and {sizes[1]} for the test; "
            f"received {len(sources)} distinct source sentences"
        )
    first_of_test, first_of_training = sources[sizes[0]], sources[sum(sizes)]
    sides: tuple[list, list, list] = ([], [], [])
    side_of = np.select([digests < first_of_test, digests < first_of_training], [1, 2], 0)
    for pair, side in zip(pairs, side_of, strict=True):
        sides[side].append(pair)
    return sides


def _held_out(fraction: float, sources: int) -> int:
    return min(max(int(fraction > 0), int(fraction * sources)), MAX_HELD_OUT_SOURCES)


def _digests(pairs: Sequence[tuple], salt: str) -> np.ndarray:
    """A hash of each source sentence, (pairs,) uint64."""
    keys = (f"{salt}\0{source_key(pair)}".encode() for pair in pairs)
    digests = (hashlib.blake2b(key, digest_size=8).digest() for key in keys)
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)


DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."
HOPKINS_IN_GERMAN = "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."

# What "Michael" gives to each of the nine words of HOPKINS. The article says that they sum to 1;
# rounded as they are, they sum to 0.99.
MICHAEL_WEIGHTS = (0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15)

# The noun that "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

SHORT = ("I am a student.", "Attention is all you need.")
ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR, *SHORT)

# A story of which two facts answer the question: who has the apple, and where that one went.
FACTS = (
    "Anna went to the kitchen.",
    "Ben ran to the garden.",
    "Anna picked up the apple.",
    "Clara walked to school.",
    "Anna hurried to the office.",
    "Ben went to the kitchen.",
)
QUESTION = "Where is the apple?"
