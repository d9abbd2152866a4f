"""The embedded stories: five kinds of questions, and none of them in two splits."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping

from tf_models.data.stories.story import Question
from tf_models.data.stories.world import PEOPLE, PLACES, THINGS, World

MIN_FACTS, MAX_FACTS = 2, 10
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
_TEST_BUCKETS, _VALIDATION_BUCKETS, _BUCKETS = 2, 1, 20

# (question, answer, support)
Asked = tuple[str, str, tuple[int, ...]]


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
