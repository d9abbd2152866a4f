"""Random clauses and plain statements about events."""

from __future__ import annotations

from dataclasses import replace

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.lexicon import Verb
from tf_models.data.grammar.phrases import LASTING, UNIQUE, PhraseSampler, settled
from tf_models.data.grammar.selection import adjectives_for, nouns_in, verbs_with
from tf_models.data.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Statement,
)

STATES = (
    *("tired", "hungry", "thirsty", "sick", "happy", "sad"),
    *("nervous", "scared", "curious", "exhausted", "injured"),
)
_MODALS = ("can", "must", "have to", "may", "be allowed to", "want", "should")
_UNWILLED = frozenset(
    {
        *("lose", "belong to", "disappear", "wake up", "have", "need", "arrive", "receive"),
        *("know", "love", "forget", "steal", "break"),
    }
)
_PAST_MODALS = frozenset({"can", "have to", "be allowed to", "want"})
CORE_FRAMES = (
    "transitive",
    "transitive",
    "transitive",
    "dative",
    "ditransitive",
    "prepositional",
    "intransitive",
    "intransitive",
    "position",
    "motion",
    "placement",
    "travel",
)


class StatementSampler(PhraseSampler):
    """Draws statements with one verb."""

    def any_clause(self, tense: str | None = None) -> Clause:
        """A clause of any verb, affirmative and without adverb."""
        frame = self.pick(CORE_FRAMES)
        return self.clause(self.pick(verbs_with(frame)), frame, tense)

    def framed(self, frame: str) -> Statement:
        """A statement in a frame, now and then negated or with an adverb."""
        clause = self.clause(self.pick(verbs_with(frame)), frame)
        if self.chance(0.15):
            clause = self.negate(clause)
        elif self.chance(0.4):
            clause = self.with_adverb(clause)
        elif frame in ("transitive", "dative") and clause.tense == "past" and self.chance(0.2):
            clause = replace(clause, phrases=(self.past_time_phrase(),))
        return Statement(clause)

    def past_time_phrase(self) -> PrepositionalPhrase:
        """'during the concert', 'after the meeting'."""
        entry = lexicon.preposition(self.pick(("during", "after")), "time")
        return self.phrase(entry)

    def negate(self, clause: Clause) -> Clause:
        """The denied clause, mostly contracted in English."""
        negated = replace(clause, negated=True, full_negation=self.chance(0.12))
        if isinstance(clause.object, NounPhrase) and clause.object.determiner == "no":
            return clause
        return negated

    def negation(self) -> Statement:
        """nicht, or kein before an indefinite object."""
        clause = self.any_clause()
        if isinstance(clause.object, NounPhrase) and clause.recipient is None:
            clause = self._indefinite_object(clause)
        if clause.object is not None and getattr(clause.object, "determiner", "") == "no":
            return Statement(clause)
        return Statement(self.negate(clause))

    def _indefinite_object(self, clause: Clause) -> Clause:
        noun = clause.object.noun
        if self.chance(0.5) or clause.verb.case != "acc" or noun.english in UNIQUE:
            return clause
        plural = noun.has_plural and self.chance(0.3)
        kind = "no" if self.chance(0.35) else "indefinite"
        kind = "zero" if (plural or noun.is_mass) and kind == "indefinite" else kind
        return replace(clause, object=NounPhrase(noun, kind, self.adjectives(noun, "x"), plural))

    def modal(self) -> Statement:
        """A modal verb with its infinitive at the end."""
        clause = self.modal_clause()
        if self.chance(0.25):
            clause = self.negate(clause)
        is_event = clause.verb.english not in LASTING
        if self.chance(0.12) and clause.tense == "present" and is_event:
            return Statement(replace(clause, adverb=lexicon.adverbs()["today"]))
        return Statement(clause)

    def modal_clause(self) -> Clause:
        """A clause with a modal verb and a person as its subject."""
        clause = self.any_clause("present")
        while not (self.is_person(clause.subject) and self.is_willed(clause.verb)):
            clause = self.any_clause("present")
        modal = self.pick(_MODALS)
        tense = "past" if modal in _PAST_MODALS and self.chance(0.4) else "present"
        return replace(clause, modal=modal, tense=tense, progressive=False)

    def is_person(self, nominal: Nominal) -> bool:
        """Whether the nominal denotes a person."""
        return not isinstance(nominal, NounPhrase) or nominal.noun.is_person

    def is_willed(self, verb: Verb) -> bool:
        """Whether one can want to do it, and be told to: not to lose, to steal, to know."""
        return verb.english not in _UNWILLED

    def separable(self) -> Statement:
        """A verb with separable prefix."""
        choices = [
            (verb, frame)
            for verb in lexicon.verbs()
            if verb.prefix != lexicon.ABSENT
            for frame in sorted(verb.frames & set(CORE_FRAMES))
        ]
        clause = self.clause(*self.pick(choices))
        if self.chance(0.2):
            clause = self.negate(clause)
        elif self.chance(0.3):
            clause = self.with_adverb(clause)
        return Statement(clause)

    def perfect(self) -> Statement:
        """The perfect with haben or sein."""
        clause = self.any_clause("perfect")
        if self.chance(0.1):
            return self._since()
        if self.chance(0.25):
            clause = self.negate(clause)
        elif self.chance(0.35):
            clause = self.with_adverb(clause)
        return Statement(clause)

    def _since(self) -> Statement:
        """'has been waiting since the concert': the German present with seit."""
        verb = lexicon.verb(
            self.pick(("work", "sleep", "wait", "sing", "dance", "cry", "laugh", "write", "travel"))
        )
        phrase = self.role_phrase("time")
        since = lexicon.preposition("since", "time")
        phrase = PrepositionalPhrase(since, phrase.object)
        return Statement(
            Clause(self.person(), verb, "perfect", progressive=True, phrases=(phrase,))
        )

    def inversion(self) -> Statement:
        """A fronted adverb or phrase, which pushes the German subject behind the verb."""
        clause = self.any_clause(self.pick(("past", "past", "present")))
        if self.chance(0.25):
            clause = replace(clause, progressive=False)
            front = self.role_phrase(self.pick(("time", "cause")))
            while front.preposition.english == "since":
                front = self.role_phrase("time")
            return Statement(settled(clause), fronted=front)
        adverbed = self.with_adverb(clause)
        while adverbed.adverb is None or not adverbed.adverb.may_be_fronted:
            adverbed = self.with_adverb(self.any_clause(self.pick(("past", "present"))))
        clause = replace(adverbed, adverb=None)
        is_single = adverbed.adverb.slot == "time" and "habit" not in adverbed.adverb.tenses
        if is_single and self.chance(0.15):
            clause = self.negate(clause)
        return Statement(clause, fronted=adverbed.adverb)

    def copula(self, subject: Nominal, tense: str | None = None) -> Clause:
        """'be' with an adjective that suits the subject."""
        if isinstance(subject, NounPhrase):
            subject = replace(subject, adjectives=())  # not "the dangerous moor isn't dangerous"
            entry = self.pick(adjectives_for(subject.noun))
            if subject.noun.is_person and self.chance(0.5):
                entry = lexicon.adjectives()[self.pick(STATES)]
        else:
            pool = nouns_in(frozenset({"man"}))[0]
            entry = self.pick(adjectives_for(pool))
        degree = self.rng.choices(("positive", "very", "too"), (6, 2, 1))[0]
        if not entry.is_gradable or (degree == "too" and entry.rank == 1):
            degree = "positive"
        predicate = AdjectivalPredicate(entry, degree)
        return Clause(subject, tense=tense or self.pick(("past", "present")), predicate=predicate)

    def thing_or_person(self) -> Nominal:
        """A subject one can describe: person, animal or thing."""
        if self.chance(0.3):
            return self.person()
        noun = self.pick(lexicon.nouns().values())
        while not adjectives_for(noun):
            noun = self.pick(lexicon.nouns().values())
        return self.definite(noun, 0.2)
