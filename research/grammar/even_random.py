"""Random choices that favour the words of the first lessons and leave none behind."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

Entry = TypeVar("Entry")
_CANDIDATES = 5
# How much rarer words of a level are than those of the first.
_RARITY = {1: 1, 2: 4, 3: 12}


class EvenRandom(random.Random):
    """A random stream that remembers which words it has chosen.

    Some words fit in many sentences, others in few. Where a word is chosen, a few are drawn and the
    one chosen least often so far is taken, so the seldom ones catch up. A word of a higher level
    counts several times, and so stays rarer.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._chosen: defaultdict[int, int] = defaultdict(int)

    def word(self, entries: Sequence[Entry]) -> Entry:
        """One of the entries; they must be the same objects at each call, as the lexicon's are."""
        chosen, count = self._chosen, len(entries)
        drawn = [entries[int(count * self.random())] for _ in range(_CANDIDATES)]
        entry = min(drawn, key=lambda one: chosen[id(one)])
        chosen[id(entry)] += _RARITY[getattr(entry, "level", 1)]
        return entry
