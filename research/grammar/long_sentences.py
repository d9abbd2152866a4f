"""Long sentences: statements of the embedded corpus, joined by 'and'.

How well is a sentence translated that is longer than others? To see that, all lengths must be
alike but for their length: the same words and constructions, as often in training as in the test.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from research.grammar.linearise import Written, write
from research.grammar.pairs import Pair
from research.grammar.splits import EVERYTHING, Selection, make_splits
from research.grammar.syntax import Chain, Statement
from tf_models.data.embedded.annotated_pairs import SPLITS
from tf_models.errors import InputError

MAX_WORDS = 40  # English words
MAX_LINKS = 8
LINKS_PER_PAIR = 3  # statements that are written for a sentence; each is in several of them


def long_splits(
    sizes: Mapping[str, int],
    seed: int = 0,
    selection: Selection = EVERYTHING,
    progress: bool = False,
) -> dict[str, list[Written]]:
    """Splits of sentences of 2 to 40 English words; no statement of one split is in another.

    Args: see `make_splits`.

    Raises:
        InputError: a size is so small that there are too few statements to join.
    """
    wanted = {split: LINKS_PER_PAIR * size for split, size in sizes.items()}
    made = make_splits(wanted, seed, selection, progress)
    rng = random.Random(seed)
    return {split: _chains(made[split], sizes[split], rng) for split in SPLITS}


def _chains(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Written]:
    """Distinct sentences of one to `MAX_LINKS` statements, but for those that get too long."""
    statements = [pair.tree for pair in pairs if _stands_alone(pair)]
    if len(statements) < MAX_LINKS:
        raise InputError(
            f"{count} long sentences have {len(statements)} statements to join, and need "
            f"{MAX_LINKS}; ask for more pairs"
        )
    found: dict[str, Written] = {}
    while len(found) < count:
        links = rng.sample(statements, k=rng.randint(1, MAX_LINKS))
        written = write(Chain(tuple(links)))
        if len(written.english.split()) <= MAX_WORDS:
            found.setdefault(written.english, written)
    return list(found.values())


def _stands_alone(pair: Pair) -> bool:
    return isinstance(pair.tree, Statement) and pair.reference is None
