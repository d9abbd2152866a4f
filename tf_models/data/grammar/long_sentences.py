"""Long sentences: statements of the embedded corpus, joined by 'and'.

How well is a sentence translated that is longer than others? To see that, all lengths must be
alike but for their length: the same words and constructions, as often in training as in the test.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from tf_models.data.grammar.linearise import Written, write
from tf_models.data.grammar.syntax import Chain, Statement
from tf_models.data.grammar.toy_corpus import ToyPair, toy_splits
from tf_models.errors import InputError

LONGEST = 40  # English words
MOST_LINKS = 8
LINKS_PER_PAIR = 3  # statements that are written for a sentence; each is in several of them


class LongSplits(NamedTuple):
    """Sentences of 2 to 40 English words; no statement of one split is in another."""

    train: list[Written]
    validation: list[Written]
    test: list[Written]


def long_splits(
    train: int, validation: int, test: int, seed: int = 0, progress: bool = False
) -> LongSplits:
    """Splits of the given sizes; `progress`: whether to show a bar.

    Raises:
        InputError: a size is so small that there are too few statements to join.
    """
    sizes = train, validation, test
    made = toy_splits(*(LINKS_PER_PAIR * size for size in sizes), seed=seed, progress=progress)
    rng = random.Random(seed)
    parts = (made.train, made.validation, made.test)
    return LongSplits(*(_chains(part, size, rng) for part, size in zip(parts, sizes, strict=True)))


def _chains(pairs: Sequence[ToyPair], count: int, rng: random.Random) -> list[Written]:
    """Distinct sentences of one to `MOST_LINKS` statements, but for those that get too long."""
    statements = [pair.tree for pair in pairs if _stands_alone(pair)]
    if len(statements) < MOST_LINKS:
        raise InputError(
            f"{count} long sentences have {len(statements)} statements to join, and need "
            f"{MOST_LINKS}; ask for more pairs"
        )
    found: dict[str, Written] = {}
    while len(found) < count:
        links = rng.sample(statements, k=rng.randint(1, MOST_LINKS))
        written = write(Chain(tuple(links)))
        if len(written.english.split()) <= LONGEST:
            found.setdefault(written.english, written)
    return list(found.values())


def _stands_alone(pair: ToyPair) -> bool:
    return isinstance(pair.tree, Statement) and pair.reference is None
