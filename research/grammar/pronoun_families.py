"""Two families of sentences whose 'it' is found by what an adjective can be said of.

By place: 'The animal didn't cross the street because it was too tired / too wide.' Each verb has
its own adjectives for its subject and its object, so verb and adjective together tell which of the
two 'it' is.

By meaning: 'We brought the apple to the horse because it was ripe / hungry.' and also 'We brought
the horse to the apple because it was ripe / hungry.' Nouns of each class stand in both places, so
neither the place nor the verb nor the adjective alone decides, but whether an apple or a horse can
be ripe.

German shows what was meant, because the two nouns always have different genders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product

from research.grammar import lexicon, names
from research.grammar.entries import MeaningPattern, Noun, PronounPattern
from research.grammar.even_random import EvenRandom
from research.grammar.selection import adjectives_for, is_apt, nouns_in, possessives_of
from research.grammar.syntax import (
    THEY,
    WE,
    AdjectivalPredicate,
    Clause,
    GradedAdjective,
    I,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Statement,
    Subordinate,
    it,
)
from research.grammar.tables import listed, table, words
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE

# German genders of two nouns -> the pairs of nouns that have them.
NounPairs = dict[tuple[str, str], list[tuple[Noun, Noun]]]
_AGES = frozenset({"old", "young"})
_SIZES = frozenset({"big", "small"})


@dataclass(frozen=True)
class Reference:
    """What a sentence of a family is about: the facts from which 'it' could be guessed.

    family: BY_PLACE or BY_MEANING; verb, adjective, subject, other: English lemmas. By meaning,
    `subject` is the noun that comes first, though it may be the object: 'We brought the apple'.
    meant: 'subject' or 'other', the noun that 'it' stands for.
    """

    family: str
    verb: str
    adjective: str
    subject: str
    other: str
    meant: str

    @property
    def noun_pair(self) -> tuple[str, str]:
        """Subject and other noun."""
        return self.subject, self.other

    @property
    def meant_noun(self) -> str:
        """The noun that 'it' stands for."""
        return self.subject if self.meant == "subject" else self.other

    @property
    def is_held_out(self) -> bool:
        """Whether the adjective is never said of this noun in a training sentence of the family."""
        is_by_meaning = self.family == BY_MEANING
        return is_by_meaning and names.is_held_out(f"{self.adjective} {self.meant_noun}")


@cache
def _noun_pairs(pattern: PronounPattern) -> NounPairs:
    return _told_apart(pattern.subjects, pattern.objects)


def _told_apart(ones: Iterable[Noun], others: Iterable[Noun]) -> NounPairs:
    found: NounPairs = {}
    for one, other in product(ones, others):
        if _are_told_apart(one, other):
            found.setdefault((one.gender, other.gender), []).append((one, other))
    return found


def _are_told_apart(one: Noun, other: Noun) -> bool:
    """Whether 'it' may be either, and German says which."""
    both_single = "p" not in (one.gender, other.gender) and not (
        one.is_plural_in_english or other.is_plural_in_english
    )
    return both_single and one.gender != other.gender


def family_noun_pairs() -> Iterator[tuple[str, str]]:
    """Every (subject, object) the family by place can use, by English lemma; pairs may repeat."""
    for pattern in lexicon.pronoun_patterns():
        for subject, other in chain.from_iterable(_noun_pairs(pattern).values()):
            yield subject.english, other.english


def draw_by_place(rng: EvenRandom) -> tuple[Statement, Reference]:
    """A sentence of the family by place, and what it is about."""
    pattern = _pattern(rng)
    subject, other = _balanced(rng, _noun_pairs(pattern))
    about_subject = rng.chance("it.subject")
    choices = pattern.subject_adjectives if about_subject else pattern.object_adjectives
    meant = subject if about_subject else other
    adjective = rng.pick(n for n in choices if is_apt(lexicon.adjectives()[n], meant))
    phrase = _subject_phrase(rng, subject, pattern, adjective)
    tree = build_by_place(
        pattern, phrase, NounPhrase(other), adjective, about_subject, past=rng.chance("it.past")
    )
    if tree.clause.negated and rng.chance("it.denied_in_full"):
        tree = replace(tree, clause=replace(tree.clause, full_negation=True))
    place = "subject" if about_subject else "other"
    names_of_both = subject.english, other.english
    return tree, Reference(BY_PLACE, pattern.verb, adjective, *names_of_both, place)


def _pattern(rng: EvenRandom) -> PronounPattern:
    """Verbs are drawn evenly, then the pattern by how many objects it has."""
    chosen = rng.pick(listed("verbs_by_place"))
    usable = [pattern for pattern in lexicon.pronoun_patterns() if pattern.verb == chosen]
    weights = [len(pattern.objects) * len(pattern.object_adjectives) for pattern in usable]
    return rng.choices(usable, weights)[0]


def _balanced(rng: EvenRandom, pairs: NounPairs) -> tuple[Noun, Noun]:
    """Two nouns of different gender; the genders are drawn first, to balance them."""
    return rng.choice(pairs[rng.pick(pairs)])


def _subject_phrase(
    rng: EvenRandom, noun: Noun, pattern: PronounPattern, predicate: str
) -> NounPhrase:
    """The subject, sometimes with an adjective that does not interfere with the predicate."""
    determiner = "definite"
    if "pet" in noun.classes and rng.chance("it.pet_owned"):
        determiner = rng.pick(("my", "our", "his", "her"))
    if not rng.chance("it.with_adjective"):
        return NounPhrase(noun, determiner)
    banned = _AGES if predicate in _AGES else _SIZES if pattern.verb == "fit" else frozenset()
    usable = [
        entry
        for entry in adjectives_for(noun)
        if entry.english in words("subject_attributes") - banned - {predicate}
    ]
    chosen = (GradedAdjective(rng.word(usable)),) if usable else ()
    return NounPhrase(noun, determiner, chosen)


def build_by_place(
    pattern: PronounPattern,
    subject: NounPhrase,
    other: NounPhrase,
    adjective: str,
    about_subject: bool,
    past: bool = True,
) -> Statement:
    """The tree of a sentence of the family by place."""
    tense = "past" if past else "present"
    verb = _verb(pattern.verb, other.noun)
    clause = Clause(subject, verb, tense, negated=pattern.mode in ("not", "plain_not"))
    if pattern.preposition is None:
        clause, at = replace(clause, object=other), "object"
    else:
        phrase = PrepositionalPhrase(pattern.preposition, other)
        clause, at = replace(clause, phrases=(phrase,)), "phrase0/object"
    meant, at = (subject, "subject") if about_subject else (other, at)
    predicate = AdjectivalPredicate(
        lexicon.adjectives()[adjective], table("degrees_by_mode")[pattern.mode]
    )
    reason = Clause(it(meant.noun.gender, at), tense=tense, predicate=predicate)
    conjunction = "although" if pattern.mode == "although" else "because"
    return Statement(clause, subordinate=Subordinate(conjunction, reason))


def _verb(english: str, other: Noun) -> lexicon.Verb:
    """'eat' is fressen here; one crosses a desert otherwise than a street."""
    if english == "eat":
        return lexicon.verb("eat", "fressen")
    entries = [entry for entry in lexicon.verbs() if entry.english == english]
    fitting = [entry for entry in entries if other.belongs_to(entry.objects)]
    return (fitting or entries)[0]


def draw_by_meaning(rng: EvenRandom) -> tuple[Statement, Reference]:
    """A sentence of the family by meaning, and what it is about."""
    pattern = rng.pick(lexicon.meaning_patterns())
    one, other = _balanced(rng, _meaning_pairs(pattern))
    said = ((one, pattern.first_adjectives), (other, pattern.second_adjectives))
    meant, choices = rng.pick(said)
    first, second = (one, other) if rng.chance("it.first") else (other, one)
    adjective = rng.pick(choices)
    people = _people(rng) if pattern.by_people else None
    past = rng.chance("it.past")
    tree = build_by_meaning(pattern, people, first, second, meant, adjective, past)
    place = "subject" if meant is first else "other"
    names_of_both = first.english, second.english
    return tree, Reference(BY_MEANING, pattern.verb.english, adjective, *names_of_both, place)


@cache
def _meaning_pairs(pattern: MeaningPattern) -> NounPairs:
    return _told_apart(pattern.first, pattern.second)


def _people(rng: EvenRandom) -> Nominal:
    """I, we, they or several people."""
    if rng.chance("it.pronoun"):
        return rng.pick((I, WE, THEY))
    noun = rng.word(nouns_in(words("bringers")))
    is_own = "relation" in noun.classes
    determiner = rng.pick(possessives_of(noun)) if is_own else "definite"
    return NounPhrase(noun, determiner, plural=noun.has_plural)


def build_by_meaning(
    pattern: MeaningPattern,
    people: Nominal | None,
    first: Noun,
    second: Noun,
    meant: Noun,
    adjective: str,
    past: bool,
) -> Statement:
    """The tree of a sentence of the family by meaning."""
    tense = "past" if past else "present"
    one, phrase = NounPhrase(first), PrepositionalPhrase(pattern.preposition, NounPhrase(second))
    clause = Clause(people or one, pattern.verb, tense, phrases=(phrase,), progressive=not past)
    if people is not None:
        clause = replace(clause, object=one)
    at_first = "subject" if people is None else "object"
    pronoun = it(meant.gender, at_first if meant is first else "phrase0/object")
    predicate = AdjectivalPredicate(lexicon.adjectives()[adjective])
    reason = Clause(pronoun, tense=tense, predicate=predicate)
    return Statement(clause, subordinate=Subordinate("because", reason))
