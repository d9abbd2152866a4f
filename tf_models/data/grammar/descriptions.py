"""Random statements about what someone or something is like."""

from __future__ import annotations

from dataclasses import replace

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.lexicon import Noun
from tf_models.data.grammar.phrases import PERSON, is_distinct, natural_pronoun, settled
from tf_models.data.grammar.selection import adjectives_for, nouns_in, verbs_taking, verbs_with
from tf_models.data.grammar.statements import StatementSampler
from tf_models.data.grammar.syntax import (
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
    Statement,
)

_PROFESSION = frozenset({"profession", "friend"})
# Nobody is praised as a lazy cook.
_UNFLATTERING = frozenset({"bad", "lazy", "sad", "nervous"})
_NEUTRAL_VERBS = frozenset({"know", "describe", "introduce"})
_COMPARED = (
    "animal",
    "person",
    "building",
    "vehicle",
    "furniture",
    "text",
    "clothing",
    "room",
    "container",
    "work",
)
_POSSESSED = frozenset(
    {"estate", "room", "ride", "thing", "clothing", "pet", "text", "instrument", "idea"}
)


_VERBS_WITH_PHRASE = {
    "companion": ("sing", "dance", "work", "travel", "go", "eat", "play", "visit", "cook"),
    "beneficiary": ("buy", "write", "cook", "bake", "build", "repair", "sing"),
    "source": ("receive",),
    "opposition": ("vote",),
}
_FRAMES_WITH_PHRASE = ("transitive", "intransitive", "travel", "motion", "voting")


class DescriptionSampler(StatementSampler):
    """Draws statements with be, roles, comparisons and attributes."""

    def predicate(self) -> Statement:
        """be + adjective."""
        subject = self.thing_or_person()
        if isinstance(subject, NounPhrase):
            subject = replace(subject, adjectives=())
        clause = self.copula(subject)
        if self.chance(0.25):
            clause = self.negate(clause)
        elif clause.predicate.adjective.rank == 4 and self.chance(0.2):
            clause = self.with_adverb(clause)
        return Statement(clause)

    def nominal_predicate(self) -> Statement:
        """be + noun: 'Sie ist eine gute Lehrerin'."""
        subject = self.pick((HE, SHE, THEY, self.name(), self.name(), self._known_sex()))
        phrase = self._profession_phrase(natural_pronoun(subject))
        tense = self.pick(("past", "present", "present"))
        clause = Clause(subject, tense=tense, predicate=NominalPredicate(phrase))
        return Statement(self.negate(clause) if self.chance(0.2) else clause)

    def _known_sex(self) -> NounPhrase:
        noun = self.pick(nouns_in(frozenset({"male", "female"})))
        kinds = (
            ("definite",)
            if "relation" not in noun.classes
            else ("my", "his", "her", "your", "our", "their")
        )
        plural = "male" in noun.classes and noun.english != "father" and self.chance(0.1)
        return NounPhrase(noun, self.pick(kinds), plural=plural)

    def _profession_phrase(
        self, referent: Pronoun | None, banned: frozenset[str] = frozenset()
    ) -> NounPhrase:
        """'a great director' in the gender and number of its referent."""
        plural = referent is not None and referent.plural
        noun = self.pick(nouns_in(_PROFESSION))
        usable = [e for e in adjectives_for(noun) if e.is_attributive and e.rank in (1, 3)]
        graded = GradedAdjective(self.pick(e for e in usable if e.english not in banned))
        kind = "zero" if plural else "indefinite"
        if self.chance(0.08) and not plural:
            kind = self.pick(("my", "our", "their", "his", "her"))
            best = lexicon.adjectives()["good"]
            graded = GradedAdjective(best, "superlative")
            noun = self.pick(nouns_in(frozenset({"friend", "colleague", "student", "teacher"})))
        female = referent is not None and not plural and referent.gender == "f"
        return NounPhrase(noun, kind, (graded,), plural, female)

    def role(self) -> Statement:
        """'He admired her as a great director.'"""
        verb = self.pick(verbs_with("role"))
        subject = self.person()
        target = self._role_target()
        while not is_distinct(subject, target):
            target = self._role_target()
        banned = frozenset() if verb.english in _NEUTRAL_VERBS else _UNFLATTERING
        phrase = self._profession_phrase(natural_pronoun(target), banned)
        clause = Clause(subject, verb, self.tense(), object=target, role=phrase)
        if self.chance(0.08) and verb.english != "know":
            clause = replace(clause, modal=self.pick(("must", "should", "can")), tense="present")
        elif self.chance(0.15):
            clause = self.negate(clause)
        return Statement(clause)

    def _role_target(self) -> Nominal:
        draw = self.rng.random()
        if draw < 0.5:
            return self.pick((HE, SHE, HE, SHE, THEY))
        return self.name() if draw < 0.75 else self._known_sex()

    def comparison(self) -> Statement:
        """bigger than, as big as, or the biggest."""
        kind = frozenset({self.pick(_COMPARED)})
        first, second = self.rng.sample(nouns_in(kind), 2)
        pool = [e for e in adjectives_for(first) if e in adjectives_for(second) and e.is_gradable]
        if not pool:
            return self.comparison()
        degree = self.pick(("comparative", "comparative", "equal"))
        left, right = self._compared(first), self._compared(second)
        predicate = AdjectivalPredicate(self.pick(pool), degree, right)
        clause = Clause(left, tense=self.pick(("past", "present")), predicate=predicate)
        if degree == "equal" and self.chance(0.3):
            clause = self.negate(clause)
        return Statement(clause)

    def _compared(self, noun: Noun) -> Nominal:
        if noun.is_person and self.chance(0.3):
            return self.name()
        return replace(self.definite(noun, 0.08), adjectives=())

    def genitive(self) -> Statement:
        """'the house of the teacher' as subject or object."""
        possessed = self.noun(_POSSESSED)
        owner = self.definite(self.noun(PERSON), 0.15)
        phrase = NounPhrase(
            possessed,
            "definite",
            self.adjectives(possessed, "x"),
            possessed.has_plural and self.chance(0.15),
            genitive=owner,
        )
        takers = [verb for verb in verbs_taking(possessed) if verb.english != "have"]
        if not takers or self.chance(0.3):
            return Statement(self.copula(replace(phrase, adjectives=())))
        clause = self.clause(self.pick(takers), "transitive")
        if not self.is_person(clause.subject) or not is_distinct(clause.subject, owner):
            clause = replace(clause, subject=self.name())
        return Statement(settled(replace(clause, object=phrase)))

    def companion(self) -> Statement:
        """Prepositional phrases with mit, ohne, für, von and gegen."""
        role = self.pick(("companion", "companion", "beneficiary", "source", "opposition"))
        verb = lexicon.verb(self.pick(_VERBS_WITH_PHRASE[role]))
        frame = next(frame for frame in _FRAMES_WITH_PHRASE if frame in verb.frames)
        clause, phrase = self.clause(verb, frame), self.role_phrase(role)
        while self._clashes(phrase, clause):
            clause, phrase = self.clause(verb, frame), self.role_phrase(role)
        kept = clause.phrases if frame == "travel" else ()
        return Statement(replace(clause, phrases=(phrase, *kept)))

    def _clashes(self, phrase: PrepositionalPhrase, clause: Clause) -> bool:
        return (
            not self.is_person(clause.subject)
            or not is_distinct(clause.subject, phrase.object)
            or (clause.object is not None and not isinstance(clause.object, NounPhrase))
            or (clause.object is not None and self.is_person(clause.object))
            or phrase.object.determiner == "indefinite"
        )
