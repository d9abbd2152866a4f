"""Which words go together: selectional restrictions, read from the classes in the lexicon."""

from functools import cache

from research.grammar import lexicon
from research.grammar.entries import Adjective, Noun, Verb
from research.grammar.tables import table, words

POSSESSIVES = ("my", "your", "his", "her", "our", "their")
_LASTING_RANKS: dict[str, set[int]] = {
    "person": {2, 3},
    "animal": {2, 3, 5},
    "infant": {2},
    "personal_data": set(),
    "abstract": set(),
}
_OF_THINGS = {2, 3, 5, 6}
_LAST_OF_PREDICATES = 5  # the rank behind which adjectives only stand before a noun


def possessives_of(noun: Noun) -> tuple[str, ...]:
    """Possessives that suit a noun: not 'our husband'."""
    return table("partners").get(noun.english, POSSESSIVES)


@cache
def nouns_in(classes: frozenset[str]) -> tuple[Noun, ...]:
    """All nouns of the given classes, but those of which nothing can be said at random."""
    return tuple(
        noun
        for noun in lexicon.nouns().values()
        if noun.belongs_to(classes) and "alone" not in noun.classes
    )


@cache
def adjectives_for(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that make sense with the noun."""
    return tuple(
        entry
        for entry in lexicon.adjectives().values()
        if noun.belongs_to(entry.classes) and is_apt(entry, noun)
    )


@cache
def attributes_of(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that may stand before the noun."""
    return tuple(entry for entry in adjectives_for(noun) if entry.is_attributive)


@cache
def lasting_attributes_of(noun: Noun) -> tuple[Adjective, ...]:
    """The attributes that suit whatever happens: not 'opened the locked door'."""
    kinds = noun.classes & _LASTING_RANKS.keys()
    ranks = _LASTING_RANKS[min(kinds)] if kinds else _OF_THINGS
    return tuple(
        entry
        for entry in attributes_of(noun)
        if entry.rank in ranks or not kinds and entry.english in words("pleasant")
    )


@cache
def predicates_of(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that one says with 'be': not 'the tourist is German', who is 'Deutscher'."""
    return tuple(entry for entry in adjectives_for(noun) if entry.rank <= _LAST_OF_PREDICATES)


def is_apt(entry: Adjective, noun: Noun) -> bool:
    """Whether the adjective does not contradict the noun (no old child, no old lamb)."""
    return not noun.belongs_to(frozenset(table("ill_suited").get(entry.english, ())))


@cache
def verbs_with(frame: str) -> tuple[Verb, ...]:
    """All verbs that have the frame."""
    return tuple(verb for verb in lexicon.verbs() if frame in verb.frames)


@cache
def verbs_for(use: str, frames: frozenset[str]) -> tuple[Verb, ...]:
    """What people do, for a use of verbs ('liked', 'wished', ...), in one of the frames."""
    return tuple(
        verb
        for verb in lexicon.verbs()
        if use in verb.uses and verb.frames & frames and "person" in verb.subjects
    )


@cache
def verbs_taking(noun: Noun) -> tuple[Verb, ...]:
    """The transitive verbs that people do to such a noun."""
    return tuple(
        verb
        for verb in verbs_with("transitive")
        if noun.belongs_to(verb.objects) and "person" in verb.subjects
    )
