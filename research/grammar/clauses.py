"""Random clauses and phrases that make sense: every argument fits its verb."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from research.grammar import lexicon, names
from research.grammar.entries import Noun, Preposition, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import (
    draw_attribute,
    draw_identified,
    draw_noun,
    draw_object,
    draw_person,
    draw_subject,
    is_distinct,
    is_new,
    is_several,
    is_third_singular,
    own_possessive,
)
from research.grammar.selection import nouns_in
from research.grammar.syntax import Clause, Nominal, NounPhrase, PrepositionalPhrase
from research.grammar.tables import table, weights, words

_ALIVE = frozenset({"person", "animal", "infant"})
_OF_SCHOOL = frozenset({"at school", "in class"})


def draw_phrase(
    rng: EvenRandom, preposition: Preposition, holder: Nominal | None = None
) -> PrepositionalPhrase:
    """The preposition with an object of its classes."""
    return PrepositionalPhrase(
        preposition, draw_place(rng, draw_noun(rng, preposition.objects), holder)
    )


def draw_place(rng: EvenRandom, noun: Noun, holder: Nominal | None = None) -> NounPhrase:
    """'the garden', 'my room': one place, which is known."""
    is_somebodys = not noun.classes.isdisjoint(words("somebodys"))
    is_own = not noun.classes.isdisjoint(words("own_places"))
    is_shared = isinstance(holder, NounPhrase) and is_several(holder)  # by many tourists
    if not is_somebodys and (is_shared or not is_own):
        return NounPhrase(noun, "definite", draw_attribute(rng, noun, "place"))
    return draw_identified(rng, noun, False, holder, "place")


def draw_role_phrase(
    rng: EvenRandom, role: str, holder: Nominal | None = None
) -> PrepositionalPhrase:
    """A phrase in the role, over all its prepositions."""
    return draw_phrase(rng, rng.word(lexicon.prepositions(role)), holder)


def draw_city_phrase(rng: EvenRandom, direction: bool) -> PrepositionalPhrase:
    """'in Berlin', 'to Berlin', 'to Switzerland'."""
    entry = (
        lexicon.preposition("to", "direction") if direction else lexicon.preposition("in", "place")
    )
    place = names.city(rng) if rng.chance("place.city") else names.country(rng)
    return PrepositionalPhrase(entry, place)


def draw_tense(rng: EvenRandom, verb: Verb) -> str:
    """Mostly the past, as in stories: above all of what happens in a moment."""
    return rng.weighted(weights("tense_of_events" if verb.kind == "event" else "tense"))


def draw_clause(
    rng: EvenRandom,
    verb: Verb,
    frame: str,
    tense: str | None = None,
    subject: Nominal | None = None,
) -> Clause:
    """An affirmative clause of the verb in one of its frames."""
    tense = tense or draw_tense(rng, verb)
    is_momentary = verb.kind == "event" and not verb.has_progressive
    if (tense == "perfect" and verb.is_state) or (tense == "present" and is_momentary):
        tense = "past"
    clause = Clause(subject or draw_subject(rng, verb), verb, tense)
    clause = _with_arguments(rng, clause, frame)
    share = "activity_going_on" if verb.kind == "activity" else "going_on"
    is_going_on = rng.chance(f"clause.{share}") or not _may_be_habit(clause)
    if clause.tense == "present" and verb.has_progressive and is_going_on:
        clause = replace(clause, progressive=True)
    return settled(clause)


def _with_arguments(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    verb, subject = clause.verb, clause.subject
    if frame in ("transitive", "dative"):
        return replace(clause, object=draw_object(rng, verb, subject))
    if frame == "ditransitive":
        return _with_recipient(rng, clause)
    if frame in ("prepositional", "reflexive_prepositional"):
        return replace(clause, prepositional_object=draw_object(rng, verb, subject))
    if frame in table("placing"):
        return _with_placement(rng, clause, frame)
    return _with_place(rng, clause, frame)


def _with_place(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    if frame in ("position", "lying"):
        return replace(clause, phrases=(draw_position(rng, clause.verb, clause.subject),))
    if frame == "motion":
        return replace(clause, phrases=(_draw_direction(rng, clause.verb, clause.subject),))
    if frame == "travel":
        return replace(clause, phrases=(draw_city_phrase(rng, direction=True),))
    return clause


def _draw_direction(rng: EvenRandom, verb: Verb, subject: Nominal) -> PrepositionalPhrase:
    role = "surface_direction" if verb.english == "jump" else "direction"
    entries = lexicon.prepositions(role)
    if verb.english == "come":
        entries = [e for e in entries if e.english in ("out of", "to", "into")]
    return _at_place(rng, rng.pick(_fitting(entries, verb)), subject)


def draw_position(
    rng: EvenRandom, verb: Verb, subject: Nominal | None = None
) -> PrepositionalPhrase:
    """Where the verb's subject is."""
    if verb.english == "live" and rng.chance("place.live_in_city"):
        return draw_city_phrase(rng, direction=False)
    role = "surface_place" if verb.english == "lie" else "place"
    return _at_place(rng, rng.pick(_fitting(lexicon.prepositions(role), verb)), subject)


def _at_place(
    rng: EvenRandom, found: tuple[Preposition, Noun], subject: Nominal | None
) -> PrepositionalPhrase:
    entry, noun = found
    return PrepositionalPhrase(entry, draw_place(rng, noun, subject))


def _with_placement(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    role = rng.pick(table("placing")[frame])
    thing = draw_object(rng, clause.verb, clause.subject)
    phrase = draw_role_phrase(rng, role, clause.subject)
    while not is_distinct(thing, phrase.object):
        phrase = draw_role_phrase(rng, role, clause.subject)
    return replace(clause, object=thing, phrases=(phrase,))


def _with_recipient(rng: EvenRandom, clause: Clause) -> Clause:
    recipient = draw_person(rng)
    while not is_distinct(clause.subject, recipient):
        recipient = draw_person(rng)
    thing = draw_object(rng, clause.verb, clause.subject)
    # 'gave her books' could be 'ihr Bücher' or 'ihre Bücher': keep a determiner. And 'sold Tom
    # his car' could be either's.
    own = own_possessive(clause.subject) if is_third_singular(recipient) else "zero"
    if thing.determiner in ("zero", own) and not thing.owner:
        thing = replace(thing, determiner="definite", count=None)
    return replace(clause, object=thing, recipient=recipient)


def with_adverb(rng: EvenRandom, clause: Clause) -> Clause:
    """The clause with an adverb that suits its tense, its verb and its polarity."""
    usable = [entry for entry in lexicon.adverbs().values() if _suits(entry, clause)]
    if not usable:
        return clause
    slot = rng.pick(sorted({entry.slot for entry in usable}))
    chosen = rng.pick([entry for entry in usable if entry.slot == slot])
    return replace(clause, adverbs=(*clause.adverbs, chosen))


def _may_be_habit(clause: Clause) -> bool:
    """'reads', 'writes letters', but 'is writing a letter', 'is catching a cold'."""
    verb = clause.verb
    is_repeated = "repeated" in verb.uses and verb.kind != "event" and not is_new(clause.object)
    return verb.is_state or is_repeated


def _fitting(entries: Iterable[Preposition], verb: Verb) -> list[tuple[Preposition, Noun]]:
    """Prepositions with their objects, of those that the verb names if it names any."""
    return [
        (entry, noun)
        for entry in entries
        for noun in nouns_in(entry.objects)
        if not verb.objects or noun.belongs_to(verb.objects)
    ]


def _suits(adverb: lexicon.Adverb, clause: Clause) -> bool:
    if clause.tense not in adverb.tenses or clause.modal is not None or clause.adverbs:
        return False
    if clause.verb is None or not adverb.suits(clause.verb):
        return False
    if adverb.slot == "first" or (clause.passive and adverb.slot != "time"):
        return False
    if adverb.verbs and clause.recipient is not None:  # not 'read him the letter all night'
        return False
    if adverb.slot in ("manner", "degree", "place", "goal"):
        return _suits_deed(adverb, clause)
    is_habit = "habit" in adverb.tenses and clause.tense == "present"
    if adverb.slot == "frequency" or is_habit:
        return _suits_habit(adverb, clause)
    return clause.progressive or clause.tense != "present"


def _suits_deed(adverb: lexicon.Adverb, clause: Clause) -> bool:
    """How, how much and where: of people and animals, and said once."""
    subject = clause.subject
    is_alive = not isinstance(subject, NounPhrase) or subject.noun.belongs_to(_ALIVE)
    if not is_alive or clause.negated or clause.passive:
        return False
    if adverb.english == "together" and not is_several(subject):
        return False
    if adverb.english in _OF_SCHOOL and not _may_be_at_school(subject):
        return False
    if adverb.english.startswith("by "):
        return True
    if adverb.slot == "degree":
        return clause.object is None and clause.prepositional_object is None
    return not clause.phrases


def _may_be_at_school(subject: Nominal) -> bool:
    """Not 'My dad learns Finnish at school'."""
    return not isinstance(subject, NounPhrase) or subject.noun.belongs_to(words("learners"))


def _suits_habit(adverb: lexicon.Adverb, clause: Clause) -> bool:
    """'often' and 'every day': for repeated events, not for 'a' single thing."""
    is_single = is_new(clause.object) or is_new(clause.prepositional_object)
    if clause.negated or clause.progressive or is_single or clause.recipient is not None:
        return False
    if clause.tense == "present" and clause.verb.kind == "event":
        return False
    if any(_is_passed(phrase.preposition) for phrase in clause.phrases):
        return False
    return adverb.slot == "frequency" or clause.verb.has_progressive


def _is_passed(preposition: Preposition) -> bool:
    """'out of the bathroom': one way, where 'to school' is a habit."""
    return preposition.role == "direction" and preposition.english != "to"


def settled(clause: Clause) -> Clause:
    """The clause without what English would leave open: 'they read' is past or present."""
    verb = clause.verb
    is_open = verb is not None and verb.past == verb.english and not clause.progressive
    is_told = is_open and not clause.negated and clause.modal is None
    if not is_told or is_third_singular(clause.subject):
        return clause
    if clause.tense == "past" and not verb.is_state:
        return replace(clause, tense="perfect")
    if clause.tense == "perfect":
        return clause
    return replace(clause, tense="present", progressive=verb.has_progressive)
