"""Random statements about what someone or something is like."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from research.grammar import lexicon
from research.grammar.clauses import draw_clause, draw_role_phrase
from research.grammar.entries import Noun, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import (
    PERSON,
    draw_name,
    draw_noun,
    draw_owned,
    draw_person,
    is_distinct,
    natural_pronoun,
)
from research.grammar.selection import adjectives_for, nouns_in, possessives_of, verbs_taking
from research.grammar.statements import draw_copula, draw_thing_or_person, is_person, negate
from research.grammar.syntax import (
    HE,
    SHE,
    THEY,
    AdjectivalPredicate,
    Clause,
    GradedAdjective,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    Question,
    Statement,
)
from research.grammar.tables import listed, table, words

_PROFESSION = frozenset({"profession", "friend"})


def draw_predicate(rng: EvenRandom) -> Statement:
    """be + adjective."""
    clause = draw_copula(rng, draw_thing_or_person(rng))
    if rng.chance("predicate.denied"):
        return Statement(negate(rng, clause))
    return Statement(_of_every(clause) if rng.chance("predicate.every") else clause)


def _of_every(clause: Clause) -> Clause:
    """'Every room was clean.'"""
    subject = clause.subject
    if not isinstance(subject, NounPhrase) or not subject.noun.has_plural:
        return clause
    if not subject.noun.classes.isdisjoint({"relation", "body", "possessed"}):
        return clause
    return replace(clause, subject=NounPhrase(subject.noun, "every"))


def draw_nominal_predicate(rng: EvenRandom) -> Statement:
    """be + noun: 'Sie ist eine gute Lehrerin'."""
    subject = rng.pick(
        (
            HE,
            SHE,
            THEY,
            draw_name(rng, known=True),
            draw_name(rng, known=True),
            _draw_known_sex(rng),
        )
    )
    phrase = _draw_profession_phrase(rng, natural_pronoun(subject))
    tense = rng.pick(("past", "present", "present"))
    clause = Clause(subject, tense=tense, predicate=NominalPredicate(phrase))
    return Statement(negate(rng, clause) if rng.chance("nominal_predicate.denied") else clause)


def _draw_known_sex(rng: EvenRandom) -> NounPhrase:
    """'my brother', 'her wife'."""
    relations = nouns_in(frozenset({"relation"}))
    noun = rng.word(n for n in relations if n.classes & {"male", "female"})
    return NounPhrase(noun, rng.pick(possessives_of(noun)))


def _draw_profession_phrase(rng: EvenRandom, referent: Pronoun) -> NounPhrase:
    """'a great director' in the gender and number of its referent."""
    plural = referent.plural
    female = not plural and referent.gender == "f"
    if rng.chance("nominal_predicate.best") and not plural:
        best = GradedAdjective(lexicon.adjectives()["good"], "superlative")
        noun = rng.word(nouns_in(frozenset({"friend", "colleague", "student"})))
        return NounPhrase(noun, rng.pick(("my", "our")), (best,), female=female)
    noun = rng.word(nouns_in(_PROFESSION))
    usable = [e for e in adjectives_for(noun) if e.english in words("professional")]
    graded = GradedAdjective(rng.word(usable))
    return NounPhrase(noun, "zero" if plural else "indefinite", (graded,), plural, female)


def draw_admiration(rng: EvenRandom) -> Statement:
    """'He admired her as a great director.'"""
    target = rng.pick((HE, SHE, HE, SHE, draw_name(rng, known=True), _draw_known_sex(rng)))
    subject = draw_person(rng)
    while not is_distinct(subject, target):
        subject = draw_person(rng)
    noun = rng.word(nouns_in(frozenset({"renowned"})))
    praise = rng.word(e for e in adjectives_for(noun) if e.english in words("admired"))
    female = natural_pronoun(target) == SHE
    role = NounPhrase(noun, "indefinite", (GradedAdjective(praise),), female=female)
    tense = rng.pick(("past", "past", "present"))
    return Statement(Clause(subject, lexicon.verb("admire"), tense, object=target, role=role))


def draw_comparison(rng: EvenRandom) -> Statement:
    """bigger than, or as big as."""
    kind = frozenset({rng.pick(listed("compared"))})
    special = [n for n in nouns_in(kind) if n.english not in words("general") | words("parts")]
    first, second = rng.sample(special, 2)
    pool = [e for e in adjectives_for(first) if e in adjectives_for(second)]
    pool = [e for e in pool if e.english in words("comparable") and e.is_gradable]
    if not pool or not is_distinct(NounPhrase(first), NounPhrase(second)):
        return draw_comparison(rng)
    degrees = ("comparative", "comparative", "equal" if kind <= words("alike") else "comparative")
    degree = rng.pick(degrees)
    left, right = _draw_compared(rng, first), _draw_compared(rng, second)
    predicate = AdjectivalPredicate(rng.word(pool), degree, right)
    clause = Clause(left, tense=rng.pick(("past", "present")), predicate=predicate)
    if degree == "equal" and rng.chance("comparison.denied"):
        clause = negate(rng, clause)
    return Statement(clause)


def _draw_compared(rng: EvenRandom, noun: Noun) -> Nominal:
    if noun.is_person and rng.chance("comparison.name"):
        return draw_name(rng)
    if noun.is_person:
        return NounPhrase(noun, rng.pick(possessives_of(noun)))
    if "paired" in noun.classes:
        return NounPhrase(noun, plural=True)
    is_somebodys = rng.chance("comparison.possessed") and not noun.classes.isdisjoint(
        words("possessed")
    )
    return NounPhrase(noun, rng.pick(("my", "your")) if is_somebodys else "definite")


def draw_possession(rng: EvenRandom) -> Statement | Question:
    """'Anna's car is new.', 'I found the teacher's book.', 'Is your brother's dog old?'"""
    noun = draw_noun(rng, words("possessed"))
    phrase = draw_owned(rng, noun)
    if rng.chance("possession.of_a_noun"):
        phrase = replace(phrase, owner=_draw_owner(rng))
    if rng.chance("possession.told"):
        verb = rng.word(_takers(noun))
        subject = draw_person(rng, "no_nouns")
        while not is_distinct(subject, phrase.owner):
            subject = draw_person(rng, "no_nouns")
        return Statement(
            replace(draw_clause(rng, verb, "transitive", None, subject), object=phrase)
        )
    clause = draw_copula(rng, phrase)
    if rng.chance("possession.asked"):
        return Question(clause)
    return Statement(negate(rng, clause) if rng.chance("possession.denied") else clause)


def _draw_owner(rng: EvenRandom) -> NounPhrase:
    """'the teacher', whose things are spoken of."""
    noun = draw_noun(rng, PERSON)
    while "relation" in noun.classes or not noun.has_plural:
        noun = draw_noun(rng, PERSON)
    return NounPhrase(noun)


def draw_companion(rng: EvenRandom) -> Statement:
    """Prepositional phrases with mit, ohne, für, von and gegen."""
    role = rng.pick(("companion", "companion", "beneficiary", "source", "opposition"))
    verb = lexicon.verb(rng.pick(table("verbs_with_phrase")[role]))
    frame = next(frame for frame in listed("frames_with_phrase") if frame in verb.frames)
    subject = draw_person(rng)
    clause, phrase = (
        draw_clause(rng, verb, frame, None, subject),
        draw_role_phrase(rng, role, subject),
    )
    while _clashes(phrase, clause):
        clause = draw_clause(rng, verb, frame, None, subject)
        phrase = draw_role_phrase(rng, role, subject)
    if role == "opposition":  # hardly to one's own plan
        phrase = replace(phrase, object=NounPhrase(phrase.object.noun))
    return Statement(replace(clause, phrases=(phrase, *clause.phrases)))


def _clashes(phrase: PrepositionalPhrase, clause: Clause) -> bool:
    things = [clause.subject] if clause.object is None else [clause.subject, clause.object]
    is_about_people = clause.object is not None and is_person(clause.object)
    return is_about_people or not all(is_distinct(one, phrase.object) for one in things)


@cache
def _takers(noun: Noun) -> tuple[Verb, ...]:
    """What people do to somebody else's thing of this kind."""
    return tuple(
        verb
        for verb in verbs_taking(noun)
        if verb.object_is in ("known", "any") and "own" not in verb.uses
    )
