"""The world of the embedded stories, as in bAbI (Weston et al. 2016): people carry things about.

`World` keeps what is so after each fact, and which facts made it so. There are five kinds of
questions, and none of them is in two splits.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tf_models.data.stories.story import Question

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
MIN_FACTS, MAX_FACTS = 2, 10
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
_TEST_BUCKETS, _VALIDATION_BUCKETS, _BUCKETS = 2, 1, 20

# (question, answer, support)
Asked = tuple[str, str, tuple[int, ...]]


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


def generated_questions(counts: Mapping[str, int], seed: int = 0) -> dict[str, list[Question]]:
    """Distinct questions, the kinds in turn; a story with its question is in one split.

    Args:
        counts: how many by split: "train", "validation", "test".
        seed: of the stories.
    """
    found: dict[str, dict[str, Question]] = {split: {} for split in counts}
    for question in _endless(seed):
        short = [split for split, count in counts.items() if len(found[split]) < count]
        if not short:
            break
        text = " ".join((*question.facts, question.question))
        if (split := _split_of(text)) in short:
            found[split].setdefault(text, question)
    return {split: list(questions.values()) for split, questions in found.items()}


def _endless(seed: int) -> Iterator[Question]:
    rng = random.Random(seed)
    while True:
        for kind, ask in KINDS.items():
            asked = None
            while asked is None:
                world = World()
                for _ in range(rng.randint(MIN_FACTS, MAX_FACTS)):
                    world.happen(rng)
                asked = ask(world, rng)
            question, answer, support = asked
            yield Question(tuple(world.facts), question, answer, tuple(sorted(support)), kind)


def _split_of(text: str) -> str:
    bucket = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % _BUCKETS
    if bucket < _TEST_BUCKETS:
        return "test"
    return "validation" if bucket < _TEST_BUCKETS + _VALIDATION_BUCKETS else "train"


def _where_is(world: World, rng: random.Random) -> Asked | None:
    """Of a person, or of a thing, which takes two facts."""
    if rng.random() < 0.5:
        person = rng.choice(sorted(world.visits))
        place, told = world.place_of(person)
        return f"Where is {person}?", PLACES[place][0], (told,)
    known = [thing for thing in THINGS if world.whereabouts(thing)]
    if not known:
        return None
    thing = rng.choice(known)
    place, support = world.whereabouts(thing)
    return f"Where is the {thing}?", PLACES[place][0], support


def _who_has(world: World, rng: random.Random) -> Asked | None:
    known = sorted({*world.holders, *world.left})
    if not known:
        return None
    thing = rng.choice(known)
    if thing in world.holders:
        person, told = world.holders[thing]
        return f"Who has the {thing}?", person, (told,)
    return f"Who has the {thing}?", "nobody", world.left[thing][1][:1]


def _yes_or_no(world: World, rng: random.Random) -> Asked | None:
    """As often yes as no; where it is no, mostly a place that somebody was at."""
    person = rng.choice(sorted(world.visits))
    place, told = world.place_of(person)
    if rng.random() < 0.5:
        return f"Is {person} {PLACES[place][0]}?", "yes", (told,)
    named = sorted({name for visits in world.visits.values() for name, _ in visits} - {place})
    other = rng.choice(named or sorted(PLACES.keys() - {place}))
    return f"Is {person} {PLACES[other][0]}?", "no", (told,)


def _how_many(world: World, rng: random.Random) -> Asked | None:
    """Not only of those who have nothing."""
    owners = sorted({who for who, _ in world.holders.values()})
    person = rng.choice(owners if owners and rng.random() < 0.8 else PEOPLE[:4])
    if person not in world.visits:
        return None
    things = world.things_of(person)
    return f"How many things does {person} have?", NUMBERS[len(things)], tuple(things.values())


def _before_and_after(world: World, rng: random.Random) -> Asked | None:
    """Of somebody who was at two places at least; no place may come twice, or it were unclear."""
    travelled = [
        person
        for person, visits in sorted(world.visits.items())
        if len(visits) > 1 and len({place for place, _ in visits}) == len(visits)
    ]
    if not travelled:
        return None
    person = rng.choice(travelled)
    visits = world.visits[person]
    i = rng.randrange(len(visits) - 1)
    (earlier, one), (later, other) = visits[i], visits[i + 1]
    if rng.random() < 0.5:
        question = f"Where was {person} before {person} went {PLACES[later][1]}?"
        return question, PLACES[earlier][0], (one, other)
    question = f"Where did {person} go after {person} was {PLACES[earlier][0]}?"
    return question, PLACES[later][1], (one, other)


KINDS: dict[str, Callable[[World, random.Random], Asked | None]] = {
    "where is": _where_is,
    "who has": _who_has,
    "yes or no": _yes_or_no,
    "how many": _how_many,
    "before and after": _before_and_after,
}
