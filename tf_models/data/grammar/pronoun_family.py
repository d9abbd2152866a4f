"""The family of sentences whose 'it' can be resolved by the adjective alone.

'The animal didn't cross the street because it was too tired / too wide.': the adjective tells
whether 'it' is the animal or the street, and German shows the difference, because the two nouns
always have different genders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.lexicon import Noun, PronounPattern
from tf_models.data.grammar.phrases import PhraseSampler
from tf_models.data.grammar.selection import adjectives_for, is_apt, nouns_in
from tf_models.data.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    GradedAdjective,
    NounPhrase,
    PrepositionalPhrase,
    Statement,
    Subordinate,
    it,
)

_DEGREES = {"not": "too", "plain_not": "positive", "because": "positive", "although": "very"}
_SUBJECT_ATTRIBUTES = frozenset(
    {"big", "small", "old", "young", "black", "white", "new", "red", "blue", "green"}
)
_AGES = frozenset({"old", "young"})
_SIZES = frozenset({"big", "small"})


@cache
def _noun_pairs(pattern: PronounPattern) -> tuple[tuple[Noun, Noun], ...]:
    objects = [lexicon.nouns()[name] for name in pattern.objects]
    return tuple(
        (subject, other)
        for subject in nouns_in(pattern.subjects)
        for other in objects
        if subject.gender != other.gender
    )


def family_noun_pairs() -> Iterator[tuple[str, str]]:
    """Every (subject, object) the family can use, by English lemma; pairs may repeat."""
    for pattern in lexicon.pronoun_patterns():
        for subject, other in _noun_pairs(pattern):
            yield subject.english, other.english


def sample_pronoun_sentence(sampler: PhraseSampler) -> tuple[Statement, tuple[str, str]]:
    """A sentence of the family with its (subject, object) lemmas."""
    pattern = _pattern(sampler)
    subject, other = _pair(sampler, pattern)
    about_subject = sampler.chance(0.5)
    names = pattern.subject_adjectives if about_subject else pattern.object_adjectives
    meant = subject if about_subject else other
    adjective = sampler.pick(n for n in names if is_apt(lexicon.adjectives()[n], meant))
    phrase = _subject_phrase(sampler, subject, pattern, adjective)
    tree = build_pronoun_sentence(
        pattern, phrase, NounPhrase(other), adjective, meant.gender, past=sampler.chance(0.75)
    )
    if tree.clause.negated and sampler.chance(0.1):
        tree = replace(tree, clause=replace(tree.clause, full_negation=True))
    return tree, (subject.english, other.english)


def _pattern(sampler: PhraseSampler) -> PronounPattern:
    """Verbs are drawn evenly, then the pattern by how many objects it has."""
    patterns = lexicon.pronoun_patterns()
    verbs = (
        "cross",
        "cross",
        "cross",
        "fit",
        "fit",
        "enter",
        "leave",
        "reach",
        "climb",
        "avoid",
        "eat",
        "drink",
    )
    chosen = sampler.pick(verbs)
    usable = [pattern for pattern in patterns if pattern.verb == chosen]
    weights = [len(pattern.objects) * len(pattern.object_adjectives) for pattern in usable]
    return sampler.rng.choices(usable, weights)[0]


def _pair(sampler: PhraseSampler, pattern: PronounPattern) -> tuple[Noun, Noun]:
    """Two nouns of different gender; the genders are drawn first, to balance them."""
    pairs = _noun_pairs(pattern)
    genders = sorted({(subject.gender, other.gender) for subject, other in pairs})
    drawn = sampler.pick(genders)
    return sampler.pick([pair for pair in pairs if (pair[0].gender, pair[1].gender) == drawn])


def _subject_phrase(
    sampler: PhraseSampler, noun: Noun, pattern: PronounPattern, predicate: str
) -> NounPhrase:
    """The subject, sometimes with an adjective that does not interfere with the predicate."""
    determiner = "definite"
    if "pet" in noun.classes and sampler.chance(0.12):
        determiner = sampler.pick(("my", "our", "his", "her"))
    if not sampler.chance(0.25):
        return NounPhrase(noun, determiner)
    banned = _AGES if predicate in _AGES else _SIZES if pattern.verb == "fit" else frozenset()
    usable = [
        entry
        for entry in adjectives_for(noun)
        if entry.english in _SUBJECT_ATTRIBUTES - banned - {predicate}
    ]
    chosen = (GradedAdjective(sampler.pick(usable)),) if usable else ()
    return NounPhrase(noun, determiner, chosen)


def build_pronoun_sentence(
    pattern: PronounPattern,
    subject: NounPhrase,
    other: NounPhrase,
    adjective: str,
    gender: str,
    past: bool = True,
) -> Statement:
    """The tree of a family sentence; `gender` is that of the noun 'it' refers to."""
    tense = "past" if past else "present"
    verb = _verb(pattern.verb)
    clause = Clause(subject, verb, tense, negated=pattern.mode in ("not", "plain_not"))
    if verb.english_preposition == lexicon.ABSENT:
        clause = replace(clause, object=other)
    else:
        clause = replace(clause, phrases=(PrepositionalPhrase(_into(), other),))
    predicate = AdjectivalPredicate(lexicon.adjectives()[adjective], _DEGREES[pattern.mode])
    reason = Clause(it(gender), tense=tense, predicate=predicate)
    conjunction = "although" if pattern.mode == "although" else "because"
    return Statement(clause, subordinate=Subordinate(conjunction, reason))


def _verb(english: str) -> lexicon.Verb:
    return lexicon.verb(english, "fressen" if english == "eat" else None)


def _into() -> lexicon.Preposition:
    return lexicon.preposition("into", "container_direction")
