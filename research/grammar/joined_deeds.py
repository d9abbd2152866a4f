"""Random sentences of two deeds that belong together."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.complex_sentences import deed_of, draw_consequence, draw_somebody, is_clear_of
from research.grammar.entries import Deed, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import draw_person, is_distinct, natural_pronoun
from research.grammar.selection import verbs_with
from research.grammar.statements import draw_deed
from research.grammar.syntax import (
    WE,
    YOU,
    AdjectivalPredicate,
    Clause,
    Compound,
    I,
    Nominal,
    Pronoun,
    Statement,
    Subordinate,
)
from research.grammar.tables import listed, table, words

_SOON = 4  # deeds of a scene that are joined follow within fewer than so many


def draw_aim(rng: EvenRandom) -> Statement:
    """'He tries to open the door.'"""
    verb = rng.word(verbs_with("aim"))
    subject = draw_person(rng, "aiming")
    tense = "present" if verb.is_state else rng.pick(("present", "past", "past"))
    main = Clause(subject, verb, tense)
    deed = draw_deed(rng, table("aims")[verb.english], subject=subject)
    while not _may_be_aim(verb, deed.verb):
        deed = draw_deed(rng, table("aims")[verb.english], subject=subject)
    deed = replace(deed, progressive=False)
    return Statement(main, subordinate=Subordinate("to", deed))


def draw_two_deeds(rng: EvenRandom) -> Compound:
    """'He sings and dances.', 'I washed the plates, and Anna dried the cups.'"""
    if rng.chance("two_deeds.state"):
        return _draw_state_and_deed(rng)
    tense = rng.pick(("past", "past", "present"))
    subject, other = _draw_two_subjects(rng)
    first, second = _draw_deeds_of_a_scene(rng, (subject, other))
    if rng.chance("two_deeds.shared"):
        clauses = (deed_of(one, subject, tense) for one in (first, second))
        return Compound(*_joined("and", *clauses), shares_subject=True)
    one, two = deed_of(first, subject, tense), deed_of(second, other, tense)
    return Compound(*_joined("and", one, two))


def _draw_two_subjects(rng: EvenRandom) -> tuple[Nominal, Nominal]:
    """Two people, neither of them 'you': 'du hast gelacht' and 'er lachte' do not mix."""
    first, second = draw_somebody(rng), draw_somebody(rng)
    is_told = YOU not in (first, second) and is_distinct(first, second)
    is_clear = _is_named_first(first, second) and _is_named_first(second, first)
    return (first, second) if is_told and is_clear else _draw_two_subjects(rng)


def _draw_state_and_deed(rng: EvenRandom) -> Compound:
    """'He was tired, so he went to bed', 'She was sick, but she worked'."""
    subject = draw_somebody(rng)
    again = natural_pronoun(subject)
    conjunction = rng.pick(("so", "and", "but"))
    kinds = "undone" if conjunction == "but" else "deeds"
    reason, deed = draw_consequence(rng, kinds, subject)
    is_shared = conjunction == "and"
    second = deed_of(deed, subject if is_shared else again, "past")
    degree = rng.pick(("positive", "very")) if reason.state.is_gradable else "positive"
    first = Clause(subject, tense="past", predicate=AdjectivalPredicate(reason.state, degree))
    return Compound(*_joined(conjunction, first, second), shares_subject=is_shared)


def _draw_deeds_of_a_scene(rng: EvenRandom, subjects: tuple[Nominal, ...]) -> tuple[Deed, Deed]:
    """Two deeds that go together, in their order, and not both about one thing."""
    scene = rng.pick(lexicon.scenes())
    place = rng.randrange(len(scene) - 1)
    later = min(len(scene) - 1, place + rng.randrange(1, _SOON))
    first, second = scene[place], scene[later]
    is_same = first.noun is not None and first.noun is second.noun
    is_clear = all(is_clear_of(deed, who) for deed in (first, second) for who in subjects)
    return _draw_deeds_of_a_scene(rng, subjects) if is_same or not is_clear else (first, second)


def draw_meanwhile(rng: EvenRandom) -> Statement:
    """'When I came in, the children were sleeping.', 'He shaves before he gets dressed.'"""
    conjunction = rng.pick(("when", "while", "before"))
    subject = draw_somebody(rng)
    if conjunction == "before":
        first, second = _draw_deeds_of_a_scene(rng, (subject,))
        tense = rng.pick(("past", "present"))
        main = deed_of(first, subject, tense)
        inner = deed_of(second, natural_pronoun(subject), tense)
        return Statement(main, subordinate=Subordinate(conjunction, inner))
    subject, other = _draw_two_subjects(rng)
    main = _draw_going_on(rng, other)
    if conjunction == "while":
        inner = _draw_going_on(rng, subject)
        while inner.verb is main.verb:
            inner = _draw_going_on(rng, subject)
    else:
        inner = Clause(subject, lexicon.verb(rng.pick(listed("interrupting"))), "past")
    return Statement(main, fronted=Subordinate(conjunction, inner))


def _draw_going_on(rng: EvenRandom, subject: Nominal) -> Clause:
    """What lasts a while at home."""
    deeds = [deed for scene in lexicon.scenes() for deed in scene]
    deed = rng.pick(deed for deed in deeds if deed.verb.english in words("lasting_at_home"))
    return replace(deed_of(deed, subject, "past"), progressive=True)


def _is_named_first(one: Nominal, other: Nominal) -> bool:
    """Whether 'he' beside the other cannot be taken for the other; 'she' and 'they' are 'sie'."""
    is_open = isinstance(one, Pronoun) and one.person == 3
    return not is_open or other in (I, WE)


def _may_be_aim(verb: Verb, deed: Verb) -> bool:
    """Neither 'tried to try on' nor 'forgot to hold' nor 'began to go to bed'."""
    usual = table("usual_aims").get(verb.english)
    return deed.english in usual if usual else not deed.english.startswith(verb.english)


def _joined(conjunction: str, first: Clause, second: Clause) -> tuple[Statement, str, Statement]:
    return Statement(first), conjunction, Statement(second)
