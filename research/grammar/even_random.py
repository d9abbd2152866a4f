"""Random choices that favour the words of the first lessons and leave none behind."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from research.grammar.tables import odds

if TYPE_CHECKING:
    from research.grammar.vocabulary import Vocabulary

Item = TypeVar("Item")
_CANDIDATES = 5
_TRIES = 200
# How much rarer words of a level are than those of the first.
_RARITY = {1: 1, 2: 4, 3: 12}


class EvenRandom(random.Random):
    """A random stream that remembers which words it has chosen.

    Some words fit in many sentences, others in few. Where a word is chosen, a few are drawn and the
    one chosen least often so far is taken, so the seldom ones catch up. A word of a higher level
    counts several times, and so stays rarer.
    """

    def __init__(self, seed: int, vocabulary: Vocabulary | None = None) -> None:
        super().__init__(seed)
        self._vocabulary = vocabulary
        self._chosen: defaultdict[object, int] = defaultdict(int)
        self._is_known = vocabulary and cache(vocabulary.has)  # a small one takes 15 draws a choice

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items; one of the vocabulary, if one of them comes soon."""
        item = super().choice(items)
        for _ in range(_TRIES if self._vocabulary else 0):
            if self._is_known(item):
                break
            item = super().choice(items)
        return item

    def chance(self, name: str) -> bool:
        """True with the probability of that name in `odds.toml`."""
        return self.random() < odds(name)

    def pick(self, items: Iterable[Item]) -> Item:
        """One of the items."""
        return self.choice(tuple(items))

    def weighted(self, weights: Mapping[Item, float]) -> Item:
        """One of the keys, as often as its weight says."""
        return self.choices(tuple(weights), tuple(weights.values()))[0]

    def word(self, entries: Iterable[Item]) -> Item:
        """One of these entries of the lexicon, rather one that has been chosen seldom."""
        entries = tuple(entries)
        drawn = [self.choice(entries) for _ in range(_CANDIDATES)]
        entry = min(drawn, key=self._chosen.__getitem__)
        self._chosen[entry] += _RARITY[getattr(entry, "level", 1)]
        return entry
