"""People who walk about and carry things, as in the stories of bAbI (Weston et al. 2016).

`World` keeps what is so after each fact, and which facts made it so.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

PEOPLE = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans")
# Place -> where one is there, and where one goes.
PLACES = {
    "kitchen": ("in the kitchen", "to the kitchen"),
    "garden": ("in the garden", "to the garden"),
    "bathroom": ("in the bathroom", "to the bathroom"),
    "bedroom": ("in the bedroom", "to the bedroom"),
    "office": ("in the office", "to the office"),
    "park": ("in the park", "to the park"),
    "school": ("at school", "to school"),
    "station": ("at the station", "to the station"),
}
THINGS = ("apple", "ball", "book", "cup", "hat", "key", "letter", "newspaper")
_GO = ("went", "walked", "ran", "hurried")
_TAKE = ("took", "picked up", "grabbed")
_DROP = ("dropped", "put down", "left")


@dataclass
class World:
    """What is so now.

    facts: as they were told.
    visits: of each person, the places in order, each with the fact that told it.
    holders: who has a thing, with the fact that told it; nobody's thing is missing.
    left: where a thing was left, with the facts that told it.
    """

    facts: list[str] = field(default_factory=list)
    visits: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    holders: dict[str, tuple[str, int]] = field(default_factory=dict)
    left: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)

    def place_of(self, person: str) -> tuple[str, int] | None:
        """Where somebody is, and the fact that told it; None if nobody said."""
        return self.visits[person][-1] if person in self.visits else None

    def things_of(self, person: str) -> dict[str, int]:
        """What somebody has, and the facts that told it."""
        return {thing: fact for thing, (who, fact) in self.holders.items() if who == person}

    def whereabouts(self, thing: str) -> tuple[str, tuple[int, ...]] | None:
        """Where a thing is, and the facts that told it; None if nobody said."""
        if thing not in self.holders:
            return self.left.get(thing)
        person, taken = self.holders[thing]
        there = self.place_of(person)
        return (there[0], (taken, there[1])) if there else None

    def happen(self, rng: random.Random) -> None:
        """One more fact."""
        deeds = [deed for deed in (self._give, self._drop, self._take) if rng.random() < 0.4]
        if not any(deed(rng) for deed in deeds):
            self._go(rng)

    def _go(self, rng: random.Random) -> bool:
        person = rng.choice(PEOPLE[:4] if rng.random() < 0.5 else PEOPLE)
        here = self.place_of(person)
        place = rng.choice([name for name in PLACES if not here or name != here[0]])
        self.visits.setdefault(person, []).append((place, len(self.facts)))
        self._tell(f"{person} {rng.choice(_GO)} {PLACES[place][1]}")
        return True

    def _take(self, rng: random.Random) -> bool:
        """Somebody whose place is known takes a thing that may be there."""
        person = _one_of(rng, self.visits)
        place = self.place_of(person)[0] if person else None
        free = [
            thing
            for thing in THINGS
            if thing not in self.holders and self.left.get(thing, (place,))[0] == place
        ]
        if not person or not free:
            return False
        thing = rng.choice(free)
        self.holders[thing] = (person, len(self.facts))
        self._tell(f"{person} {rng.choice(_TAKE)} the {thing}")
        return True

    def _drop(self, rng: random.Random) -> bool:
        thing = _one_of(rng, self.holders)
        if not thing:
            return False
        person, _ = self.holders.pop(thing)
        place, told = self.place_of(person)
        self.left[thing] = (place, (len(self.facts), told))
        there = " there" if (verb := rng.choice(_DROP)) == "left" else ""
        self._tell(f"{person} {verb} the {thing}{there}")
        return True

    def _give(self, rng: random.Random) -> bool:
        """Somebody gives a thing to somebody else at the same place."""
        thing = _one_of(rng, self.holders)
        if not thing:
            return False
        giver, _ = self.holders[thing]
        place = self.place_of(giver)[0]
        near = [who for who in self.visits if who != giver and self.place_of(who)[0] == place]
        if not near:
            return False
        taker = rng.choice(near)
        self.holders[thing] = (taker, len(self.facts))
        self._tell(f"{giver} gave the {thing} to {taker}")
        return True

    def _tell(self, fact: str) -> None:
        self.facts.append(f"{fact}.")


def _one_of(rng: random.Random, found) -> str | None:
    return rng.choice(sorted(found)) if found else None
