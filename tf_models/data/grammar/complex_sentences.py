"""Random sentences with a subordinate or a relative clause."""

from __future__ import annotations

from dataclasses import replace

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.descriptions import DescriptionSampler
from tf_models.data.grammar.lexicon import Noun, Preposition, Verb
from tf_models.data.grammar.phrases import agreement_pronoun, is_distinct, natural_pronoun, settled
from tf_models.data.grammar.selection import adjectives_for, nouns_in, verbs_taking, verbs_with
from tf_models.data.grammar.statements import STATES
from tf_models.data.grammar.syntax import (
    PERSONAL_PRONOUNS,
    AdjectivalPredicate,
    Clause,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    RelativeClause,
    Statement,
    Subordinate,
)


class ComplexSentenceSampler(DescriptionSampler):
    """Draws sentences with two clauses."""

    def subordinate(self) -> Statement:
        """weil, obwohl, wenn or dass with its verb at the end."""
        conjunction = self.pick(("because", "because", "although", "if", "that", "that"))
        if conjunction == "that":
            return self._that()
        if conjunction == "if":
            return self._if()
        tense = self.pick(("past", "past", "present"))
        main = self._human_clause(tense)
        if self.chance(0.25):
            main = self.negate(main)
        return Statement(main, subordinate=Subordinate(conjunction, self._reason(main, tense)))

    def _human_clause(self, tense: str) -> Clause:
        clause = self.any_clause(tense)
        while not self.is_person(clause.subject) or clause.tense != tense:
            clause = self.any_clause(tense)
        return clause

    def _reason(self, main: Clause, tense: str) -> Clause:
        """Why: a state or a deed. 'he' and 'she' with a state refer to a pronoun or a name."""
        if self.chance(0.5):
            clause = self._human_clause(tense)
            again = natural_pronoun(main.subject)
            if again is not None and self.chance(0.5) and self._may_repeat(clause, again):
                clause = replace(clause, subject=again)
            return self.negate(clause) if self.chance(0.2) else clause
        subject = main.subject
        if isinstance(subject, NounPhrase):
            subject = self.pick(PERSONAL_PRONOUNS[:2] + PERSONAL_PRONOUNS[4:])
        again = natural_pronoun(subject)
        return self._state(again if self.chance(0.8) else self._known_sex(), tense)

    def _may_repeat(self, clause: Clause, subject: Pronoun) -> bool:
        others = (clause.object, clause.recipient, clause.prepositional_object)
        repeated = replace(clause, subject=subject)
        return (
            all(is_distinct(subject, other) for other in others if other is not None)
            and settled(repeated).tense == clause.tense
        )

    def _state(self, subject: Nominal, tense: str) -> Clause:
        entry = lexicon.adjectives()[self.pick(STATES)]
        degree = self.pick(("positive", "positive", "very", "too"))
        if entry.english == "injured":
            degree = "positive"
        elif entry.english in ("happy", "sad", "curious") and degree == "too":
            degree = "very"
        return Clause(subject, tense=tense, predicate=AdjectivalPredicate(entry, degree))

    def _if(self) -> Statement:
        condition = self._human_clause("present")
        if self.chance(0.4):
            condition = self._state(self.person(0.6, 0.2), "present")
        condition = replace(condition, progressive=False)
        main = replace(self._human_clause("present"), progressive=False)
        if self.chance(0.2):
            main = self.negate(main)
        part = Subordinate("if", condition)
        if self.chance(0.5):
            return Statement(main, fronted=part)
        return Statement(main, subordinate=part)

    def _that(self) -> Statement:
        verb = self.pick(verbs_with("that"))
        tense = self.pick(("past", "present", "present"))
        main = Clause(self.person(), verb, tense)
        if self.chance(0.15):
            main = self.negate(main)
        draw = self.rng.random()
        inner = self._human_clause(tense)
        if draw < 0.3:
            inner = self.copula(self.thing_or_person(), tense)
        elif draw < 0.5:
            inner = self.modal_clause()
        if self.chance(0.2):
            inner = self.negate(inner)
        return Statement(main, subordinate=Subordinate("that", inner))

    def relative(self) -> Statement:
        """A noun with a relative clause, as subject of 'be' or as object."""
        head = self._relative_phrase()
        takers = [verb for verb in verbs_taking(head.noun) if self._may_govern(verb, head)]
        if takers and self.chance(0.55):
            verb = self.pick(takers)
            subject = self.person(0.7, 0.3)
            clause = Clause(subject, verb, self.pick(("past", "present")), object=head)
            return Statement(settled(clause))
        return Statement(self.copula(replace(head, determiner="definite")))

    def _may_govern(self, verb: Verb, head: NounPhrase) -> bool:
        """Neither the verb inside nor "have", and no prefix that would trail behind the clause."""
        is_inside = verb is head.relative.clause.verb
        return not is_inside and verb.prefix == lexicon.ABSENT and verb.english != "have"

    def _relative_phrase(self) -> NounPhrase:
        noun, relative, plural = self.pick(
            (
                self._subject_relative,
                self._object_relative,
                self._object_relative,
                self._phrase_relative,
            )
        )()
        if not adjectives_for(noun):
            return self._relative_phrase()
        kind = "indefinite" if self.chance(0.2) and not plural and not noun.is_mass else "definite"
        return NounPhrase(noun, kind, (), plural, relative=relative)

    def _subject_relative(self) -> tuple[Noun, RelativeClause, bool]:
        noun = self.noun(frozenset({"person", "profession", "animal"}))
        verbs = [
            (verb, frame)
            for frame in ("transitive", "dative", "intransitive", "position", "motion")
            for verb in verbs_with(frame)
            if noun.belongs_to(verb.subjects)
        ]
        clause = self.clause(*self.pick(verbs), self.pick(("past", "present")))
        plural = noun.has_plural and self.chance(0.2)
        clause = replace(clause, subject=agreement_pronoun(noun, plural), progressive=False)
        if any(
            part is not None and not is_distinct(NounPhrase(noun), part)
            for part in (clause.object,)
        ):
            return self._subject_relative()
        return noun, RelativeClause(settled(clause), "subject"), plural

    def _object_relative(self) -> tuple[Noun, RelativeClause, bool]:
        frame = self.pick(("transitive", "transitive", "dative"))
        verb = self.pick([v for v in verbs_with(frame) if "person" in v.subjects])
        noun = self.noun(verb.objects)
        subject = self.person(0.6, 0.2)
        while not is_distinct(subject, NounPhrase(noun)):
            subject = self.person(0.6, 0.2)
        clause = Clause(subject, verb, self.pick(("past", "past", "present")))
        plural = noun.has_plural and self.chance(0.2)
        return noun, RelativeClause(settled(clause), "object"), plural

    def _phrase_relative(self) -> tuple[Noun, RelativeClause, bool]:
        subject = self.person(0.6, 0.2)
        tense = self.pick(("past", "past", "present"))
        if self.chance(0.5):
            verb = lexicon.verb(self.pick(("live", "work", "sleep", "sing", "sit", "stay")))
            entry = lexicon.preposition("in", "place")
            noun = self.pick(
                [
                    n
                    for n in nouns_in(entry.objects)
                    if n.belongs_to(verb.objects)
                    or verb.english == "live"
                    and "building" in n.classes
                ]
            )
        else:
            verb = self.pick(verbs_with("prepositional"))
            entry = Preposition(
                verb.english_preposition, verb.german_preposition, verb.case, "object", verb.objects
            )
            noun = self.noun(verb.objects)
        while not is_distinct(subject, NounPhrase(noun)):
            subject = self.person(0.6, 0.2)
        phrase = PrepositionalPhrase(entry, NounPhrase(noun))
        clause = Clause(subject, verb, tense, phrases=(phrase,))
        return noun, RelativeClause(clause, "phrase"), noun.has_plural and self.chance(0.15)
