"""Random statements about what someone or something is like."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from research.grammar import lexicon
from research.grammar.lexicon import Noun, Verb
from research.grammar.phrases import PERSON, is_distinct, natural_pronoun
from research.grammar.selection import (
    adjectives_for,
    nouns_in,
    possessives_of,
    verbs_taking,
)
from research.grammar.statements import StatementSampler
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

_PROFESSION = frozenset({"profession", "friend"})
# What one says of people at their work.
_PROFESSIONAL = frozenset(
    {
        *("great", "good", "bad", "famous", "brilliant", "excellent", "talented", "experienced"),
        *("honest", "friendly", "polite", "strict", "important", "successful", "reliable"),
        *("patient", "careful", "popular", "young", "old", "new", "hardworking", "punctual"),
        *("modern", "creative", "smart", "lazy", "rich", "poor"),
    }
)
_COMPARED = ("animal", "kin", "building", "vehicle", "furniture", "fruit", "clothing")
# Of which one also says that they are alike: hardly of a coat and a sock.
_ALIKE = frozenset({"animal", "kin", "vehicle", "fruit"})
# As what one is admired.
_ADMIRED = frozenset({"great", "brilliant", "excellent", "talented"})
_GENERAL = frozenset({"animal", "pet", "building", "furniture", "fruit", "clothes"})
# What is often a part of another building: a school is bigger than its cafeteria.
_PARTS = frozenset({"cafeteria", "library", "gym", "bar", "store", "shop", "restaurant", "bakery"})
# What two things of a kind differ in.
_COMPARABLE = frozenset(
    {
        *("big", "small", "fast", "slow", "heavy", "light", "expensive", "cheap", "old", "new"),
        *("beautiful", "tall", "strong", "young", "modern", "dangerous", "comfortable"),
        *("intelligent", "smart", "friendly", "loud", "quiet", "sweet", "popular", "long", "high"),
        *("happy", "brave", "patient", "careful", "lazy", "funny", "nice"),
    }
)
_POSSESSED = frozenset(
    {
        *("thing", "clothing", "ride", "pet", "instrument", "home", "furniture", "container"),
        *("toy", "accessory", "room"),
    }
)
_VERBS_WITH_PHRASE = {
    "companion": ("sing", "dance", "work", "travel", "eat", "visit", "cook"),
    "beneficiary": ("buy", "write", "cook", "bake", "repair", "sing"),
    "source": ("receive",),
    "opposition": ("vote",),
}
_FRAMES_WITH_PHRASE = ("transitive", "intransitive", "travel", "voting")


class DescriptionSampler(StatementSampler):
    """Draws statements with be, comparisons and attributes."""

    def predicate(self) -> Statement:
        """be + adjective."""
        clause = self.copula(self.thing_or_person())
        if self.chance(0.25):
            return Statement(self.negate(clause))
        return Statement(self._of_every(clause) if self.chance(0.08) else clause)

    def _of_every(self, clause: Clause) -> Clause:
        """'Every room was clean.'"""
        subject = clause.subject
        if not isinstance(subject, NounPhrase) or not subject.noun.has_plural:
            return clause
        if not subject.noun.classes.isdisjoint({"relation", "body", "possessed"}):
            return clause
        return replace(clause, subject=NounPhrase(subject.noun, "every"))

    def nominal_predicate(self) -> Statement:
        """be + noun: 'Sie ist eine gute Lehrerin'."""
        subject = self.pick(
            (HE, SHE, THEY, self.name(known=True), self.name(known=True), self._known_sex())
        )
        phrase = self._profession_phrase(natural_pronoun(subject))
        tense = self.pick(("past", "present", "present"))
        clause = Clause(subject, tense=tense, predicate=NominalPredicate(phrase))
        return Statement(self.negate(clause) if self.chance(0.2) else clause)

    def _known_sex(self) -> NounPhrase:
        """'my brother', 'her wife'."""
        relations = nouns_in(frozenset({"relation"}))
        noun = self.word(n for n in relations if n.classes & {"male", "female"})
        return NounPhrase(noun, self.pick(possessives_of(noun)))

    def _profession_phrase(self, referent: Pronoun) -> NounPhrase:
        """'a great director' in the gender and number of its referent."""
        plural = referent.plural
        female = not plural and referent.gender == "f"
        if self.chance(0.08) and not plural:
            best = GradedAdjective(lexicon.adjectives()["good"], "superlative")
            noun = self.word(nouns_in(frozenset({"friend", "colleague", "student"})))
            return NounPhrase(noun, self.pick(("my", "our")), (best,), female=female)
        noun = self.word(nouns_in(_PROFESSION))
        usable = [e for e in adjectives_for(noun) if e.english in _PROFESSIONAL]
        graded = GradedAdjective(self.word(usable))
        return NounPhrase(noun, "zero" if plural else "indefinite", (graded,), plural, female)

    def admiration(self) -> Statement:
        """'He admired her as a great director.'"""
        target = self.pick((HE, SHE, HE, SHE, self.name(known=True), self._known_sex()))
        subject = self.person()
        while not is_distinct(subject, target):
            subject = self.person()
        noun = self.word(nouns_in(frozenset({"renowned"})))
        praise = self.word(e for e in adjectives_for(noun) if e.english in _ADMIRED)
        female = natural_pronoun(target) == SHE
        role = NounPhrase(noun, "indefinite", (GradedAdjective(praise),), female=female)
        tense = self.pick(("past", "past", "present"))
        return Statement(Clause(subject, lexicon.verb("admire"), tense, object=target, role=role))

    def comparison(self) -> Statement:
        """bigger than, or as big as."""
        kind = frozenset({self.pick(_COMPARED)})
        special = [n for n in nouns_in(kind) if n.english not in _GENERAL | _PARTS]
        first, second = self.rng.sample(special, 2)
        pool = [e for e in adjectives_for(first) if e in adjectives_for(second)]
        pool = [e for e in pool if e.english in _COMPARABLE and e.is_gradable]
        if not pool or not is_distinct(NounPhrase(first), NounPhrase(second)):
            return self.comparison()
        degrees = ("comparative", "comparative", "equal" if kind <= _ALIKE else "comparative")
        degree = self.pick(degrees)
        left, right = self._compared(first), self._compared(second)
        predicate = AdjectivalPredicate(self.word(pool), degree, right)
        clause = Clause(left, tense=self.pick(("past", "present")), predicate=predicate)
        if degree == "equal" and self.chance(0.3):
            clause = self.negate(clause)
        return Statement(clause)

    def _compared(self, noun: Noun) -> Nominal:
        if noun.is_person and self.chance(0.3):
            return self.name()
        if noun.is_person:
            return NounPhrase(noun, self.pick(possessives_of(noun)))
        if "paired" in noun.classes:
            return NounPhrase(noun, plural=True)
        is_somebodys = self.chance(0.5) and not noun.classes.isdisjoint(_POSSESSED)
        return NounPhrase(noun, self.pick(("my", "your")) if is_somebodys else "definite")

    def possession(self) -> Statement | Question:
        """'Anna's car is new.', 'I found the teacher's book.', 'Is your brother's dog old?'"""
        noun = self.noun(_POSSESSED)
        phrase = self.owned(noun)
        if self.chance(0.4):
            phrase = replace(phrase, owner=self._owner())
        if self.chance(0.4):
            verb = self.word(_takers(noun))
            subject = self.person(0.7, 0.3)
            while not is_distinct(subject, phrase.owner):
                subject = self.person(0.7, 0.3)
            return Statement(replace(self.clause(verb, "transitive", None, subject), object=phrase))
        clause = self.copula(phrase)
        if self.chance(0.2):
            return Question(clause)
        return Statement(self.negate(clause) if self.chance(0.2) else clause)

    def _owner(self) -> NounPhrase:
        """'the teacher', whose things are spoken of."""
        noun = self.noun(PERSON)
        while "relation" in noun.classes or not noun.has_plural:
            noun = self.noun(PERSON)
        return NounPhrase(noun)

    def companion(self) -> Statement:
        """Prepositional phrases with mit, ohne, für, von and gegen."""
        role = self.pick(("companion", "companion", "beneficiary", "source", "opposition"))
        verb = lexicon.verb(self.pick(_VERBS_WITH_PHRASE[role]))
        frame = next(frame for frame in _FRAMES_WITH_PHRASE if frame in verb.frames)
        subject = self.person()
        clause, phrase = self.clause(verb, frame, None, subject), self.role_phrase(role, subject)
        while self._clashes(phrase, clause):
            clause = self.clause(verb, frame, None, subject)
            phrase = self.role_phrase(role, subject)
        if role == "opposition":  # hardly to one's own plan
            phrase = replace(phrase, object=NounPhrase(phrase.object.noun))
        return Statement(replace(clause, phrases=(phrase, *clause.phrases)))

    def _clashes(self, phrase: PrepositionalPhrase, clause: Clause) -> bool:
        things = [clause.subject] if clause.object is None else [clause.subject, clause.object]
        is_about_people = clause.object is not None and self.is_person(clause.object)
        return is_about_people or not all(is_distinct(one, phrase.object) for one in things)


@cache
def _takers(noun: Noun) -> tuple[Verb, ...]:
    """What people do to somebody else's thing of this kind."""
    return tuple(
        verb
        for verb in verbs_taking(noun)
        if verb.object_is in ("known", "any") and "own" not in verb.uses
    )
