"""Short constructors for trees of the grammar, as a test writes them by hand."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.entries import Preposition
from research.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    GradedAdjective,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PlaceName,
    PrepositionalPhrase,
    ProperName,
    Question,
    RelativeClause,
    Statement,
    Subordinate,
    it,
)

PAST = {"tense": "past"}
PERFECT = {"tense": "perfect"}
NOT = {"negated": True}
ING = {"progressive": True}


def verb(english_lemma: str, german_infinitive: str | None = None) -> lexicon.Verb:
    """The verb with this lemma."""
    return lexicon.verb(english_lemma, german_infinitive)


def the(noun: str, *adjectives, kind="definite", **features) -> NounPhrase:
    """A definite noun phrase."""
    graded = tuple(
        item if isinstance(item, GradedAdjective) else GradedAdjective(adjective(item))
        for item in adjectives
    )
    return NounPhrase(lexicon.nouns()[noun], kind, graded, **features)


def a(noun: str, *adjectives, **features) -> NounPhrase:
    """An indefinite noun phrase."""
    return the(noun, *adjectives, kind="indefinite", **features)


def bare(noun: str, *adjectives, **features) -> NounPhrase:
    """A noun phrase without article."""
    return the(noun, *adjectives, kind="zero", **features)


def no(noun: str, *adjectives, **features) -> NounPhrase:
    """A noun phrase with no (kein)."""
    return the(noun, *adjectives, kind="no", **features)


def adjective(name) -> lexicon.Adjective:
    """The adjective with this lemma."""
    return lexicon.adjectives()[name]


def graded(name, degree: str) -> GradedAdjective:
    """An attributive adjective in a degree."""
    return GradedAdjective(adjective(name), degree)


def name(full: str) -> ProperName:
    """A person's name; the first of them tells the sex."""
    return ProperName(full, lexicon.first_names()[full.split()[0]].gender)


def city(english: str) -> PlaceName:
    """A city by its English name."""
    (place,) = (place for place in lexicon.cities() if place.english == english)
    return PlaceName(place.english, place.german)


def in_role(preposition: str, role, governed: Nominal) -> PrepositionalPhrase:
    """A prepositional phrase."""
    return PrepositionalPhrase(lexicon.preposition(preposition, role), governed)


def do(subject, lemma, obj=None, to=None, *phrases, **features) -> Clause:
    """A statement's clause: subject, verb, object, recipient and phrases."""
    entry = lemma if isinstance(lemma, lexicon.Verb) else verb(lemma)
    if obj is not None and entry.english_preposition != lexicon.ABSENT:
        features["prepositional_object"], obj = obj, None
    return Clause(subject, entry, object=obj, recipient=to, phrases=phrases, **features)


def be(subject, predicate, degree="positive", standard=None, **features) -> Clause:
    """A clause with be."""
    if isinstance(predicate, NounPhrase):
        return Clause(subject, predicate=NominalPredicate(predicate), **features)
    said = AdjectivalPredicate(adjective(predicate), degree, standard)
    return Clause(subject, predicate=said, **features)


def when(clause: Clause, adverb: str) -> Clause:
    """The clause with an adverb."""
    return replace(clause, adverbs=(lexicon.adverbs()[adverb],))


def front(clause: Clause, first) -> Statement:
    """A statement with something fronted."""
    first = lexicon.adverbs()[first] if isinstance(first, str) else first
    return Statement(clause, fronted=first)


def sub(clause: Clause, conjunction: str, inner: Clause) -> Statement:
    """A statement with a subordinate clause."""
    return Statement(clause, subordinate=Subordinate(conjunction, inner))


def if_(condition: Clause, clause: Clause) -> Statement:
    """A statement after an if-clause."""
    return Statement(clause, fronted=Subordinate("if", condition))


def which(phrase: NounPhrase, gap, clause: Clause) -> NounPhrase:
    """The phrase with a relative clause."""
    return replace(phrase, relative=RelativeClause(clause, gap))


def of(phrase: NounPhrase, owner: NounPhrase) -> NounPhrase:
    """The phrase with an owner."""
    return replace(phrase, owner=owner)


def ask(clause: Clause, asked=None, gap=None) -> Question:
    """A question."""
    return Question(clause, asked, gap)


def cross(
    subject, obj, predicate, about_subject: bool, lemma=("cross", "überqueren"), **features
) -> Statement:
    """A family sentence about crossing."""
    main = do(subject, verb(*lemma), obj, negated=True, **PAST, **features)
    pronoun = it(
        (subject if about_subject else obj).noun.gender, "subject" if about_subject else "object"
    )
    return sub(main, "because", be(pronoun, predicate, "too", **PAST))


def fit(subject, container: NounPhrase, predicate, about_subject: bool) -> Statement:
    """A family sentence about fitting."""
    into = in_role("into", "container_direction", container)
    entry = lexicon.verb("fit", "passen")
    main = Clause(subject, entry, phrases=(into,), **PAST, **NOT)
    meant, at = (subject, "subject") if about_subject else (container, "phrase0/object")
    return sub(main, "because", be(it(meant.noun.gender, at), predicate, "too", **PAST))


def admire(subject, target, role, lemma="admire", **features) -> Clause:
    """A clause with 'as a ...'."""
    return do(subject, lemma, target, role=role, **(features or PAST))


HOPKINS, BAY, ANNA = name("Anthony Hopkins"), name("Michael Bay"), name("Anna")
EAT_ANIMAL = ("eat", "fressen")
OF_WAITING = Preposition("for", "auf", "acc", "object", frozenset())
