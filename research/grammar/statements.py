"""Random clauses and plain statements about events."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.lexicon import Verb
from research.grammar.phrases import (
    PhraseSampler,
    indefinite_determiner,
    is_several,
    settled,
)
from research.grammar.selection import nouns_in, predicates_of, verbs_for, verbs_with
from research.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    I,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Statement,
)

STATES = (
    *("tired", "hungry", "thirsty", "sick", "happy", "sad"),
    *("nervous", "curious", "exhausted", "injured"),
)
# Modal -> the use of verbs that it goes with.
_MODALS = {
    "can": "wished",
    "must": "told",
    "have to": "told",
    "be allowed to": "wished",
    "want": "wished",
    "should": "told",
}
_PAST_MODALS = frozenset({"can", "have to", "be allowed to", "want"})
# Of these one also denies that there is any: 'They didn't buy a car'.
_DENIED_AT_ALL = frozenset(
    {
        *("have", "need", "buy", "eat", "drink", "find", "see", "read", "wear", "own", "get"),
        *("order", "make", "write", "cook", "receive"),
    }
)
# 'has no car', but not 'finds no car'.
_LACKED = frozenset({"have", "own"})
# What may be too much of something.
_EXCESSIVE = frozenset(
    {
        *("big", "small", "long", "short", "expensive", "heavy", "loud", "hot", "cold", "old"),
        *("slow", "difficult", "dark", "high", "low", "wide", "narrow", "thick", "thin", "hard"),
        *("sweet", "salty", "spicy", "sour", "dangerous", "tired", "sick", "nervous", "young"),
        *("strict", "tall", "deep", "steep", "full", "lazy", "weak", "complicated", "dirty"),
        *("far away", "noisy", "exhausted"),
    }
)
_DEGREES = ("positive", "very", "too", "really")
CORE_FRAMES = (
    "transitive",
    "transitive",
    "transitive",
    "dative",
    "ditransitive",
    "prepositional",
    "intransitive",
    "intransitive",
    "reflexive",
    "position",
    "motion",
    "placement",
    "upright",
    "travel",
)
DEEDS = frozenset(CORE_FRAMES) | {"reflexive_prepositional"}
# What people do before, during and after an event, and because of the weather or an accident.
_AROUND_EVENTS = {
    "before": "eat;have breakfast;take a shower;get dressed;practice;smoke;have lunch;sleep",
    "during": "sleep;laugh;fall asleep;cry;cough;eat;smile;whisper;snore;sneeze",
    "after": "eat;sleep;have dinner;go to bed;take a shower;go out;rest;go shopping;come back"
    ";go away;say goodbye;relax;have lunch;watch TV;lie down;fall asleep;smoke;go back",
    "because of": "wait;come back;cancel;postpone;go back;hurry",
}
# What opens a sentence, and in which tense.
_OPENINGS = (
    ("maybe", "future"),
    ("of course", "future"),
    ("unfortunately", "past"),
    ("then", "past"),
    ("finally", "past"),
)
_LASTING = ("work", "sleep", "wait", "cry", "travel", "practice", "train")


class StatementSampler(PhraseSampler):
    """Draws statements with one verb."""

    def any_clause(self, tense: str | None = None, subject: Nominal | None = None) -> Clause:
        """A clause of any verb, affirmative and without adverb."""
        frame = self.pick(CORE_FRAMES)
        return self.clause(self.word(verbs_with(frame)), frame, tense, subject)

    def deed(
        self,
        use: str,
        tense: str = "present",
        subject: Nominal | None = None,
        frames: frozenset[str] = DEEDS,
    ) -> Clause:
        """What people do, with a verb of this use."""
        verb = self.word(verbs_for(use, frames))
        who = subject
        while who is None or not self.is_person(who):
            who = self.subject(verb)
        return self.clause(verb, self.pick(sorted(verb.frames & frames)), tense, who)

    def framed(self, frame: str) -> Statement:
        """A statement in a frame, now and then negated, with an adverb, or about somebody new."""
        verb = self.word(verbs_with(frame))
        draw = self.rng.random()
        if draw < 0.12:
            return Statement(self.negate(self.clause(verb, frame)))
        if draw < 0.2 and "person" in verb.subjects and not verb.is_state:
            who = self.stranger()
            while "one" in verb.uses and is_several(who):  # not 'some bakers rode the scooter'
                who = self.stranger()
            return Statement(self.clause(verb, frame, "past", who))
        clause = self.clause(verb, frame)
        return Statement(self.with_adverb(clause) if draw < 0.55 else clause)

    def lying(self) -> Statement:
        """'The key lay on the table': neither denied nor asked, as 'to lie' is also lügen."""
        return Statement(self.clause(self.word(verbs_with("lying")), "lying"))

    def negate(self, clause: Clause) -> Clause:
        """The denied clause, mostly contracted in English; about things that are known."""
        thing, predicate = clause.object, clause.predicate
        if isinstance(predicate, AdjectivalPredicate) and predicate.degree in ("too", "really"):
            predicate = replace(predicate, degree="very")
        if isinstance(thing, NounPhrase):
            thing = self._denied(thing, clause.verb)
        governed = clause.prepositional_object
        if isinstance(governed, NounPhrase):
            governed = _as_known(governed)
        return replace(
            clause,
            negated=True,
            full_negation=self.chance(0.12),
            object=thing,
            prepositional_object=governed,
            predicate=predicate,
        )

    def _denied(self, phrase: NounPhrase, verb: Verb) -> NounPhrase:
        is_mentioned = phrase.count is not None or phrase.determiner in ("many", "some", "a few")
        if not is_mentioned and verb.english in _DENIED_AT_ALL:
            return replace(phrase, adjectives=())  # not 'hasn't eaten any delicious meat'
        return _as_known(phrase)

    def negation(self) -> Statement:
        """nicht, or kein before an indefinite object."""
        if self.chance(0.4):
            verbs = [v for v in verbs_with("transitive") if _may_be_denied_at_all(v)]
            clause = self.clause(self.word(verbs), "transitive")
            if isinstance(clause.object, NounPhrase) and not clause.object.noun.is_person:
                thing = clause.object.noun
                plural = self.several(thing)
                none = indefinite_determiner(thing, plural)
                if none != "definite" and clause.verb.english in _LACKED and self.chance(0.5):
                    none = "no"
                clause = replace(clause, object=NounPhrase(thing, none, (), plural))
                return Statement(
                    clause if clause.object.determiner == "no" else self.negate(clause)
                )
            return Statement(self.negate(clause))
        return Statement(self.negate(self.any_clause()))

    def modal(self) -> Statement:
        """A modal verb with its infinitive at the end."""
        clause = self.modal_clause()
        is_could = clause.modal == "can" and clause.tense == "past"  # else it is 'könnte', too
        if is_could or self.chance(0.25):
            clause = self.negate(clause)
        elif self.chance(0.15) and clause.tense == "present":
            day = lexicon.adverbs()[self.pick(("today", "now", "tomorrow"))]
            return Statement(replace(clause, adverbs=(day,)))
        return Statement(clause)

    def modal_clause(self, subject: Nominal | None = None) -> Clause:
        """A clause with a modal verb and a person as its subject."""
        modal = self.pick(_MODALS)
        clause = self.deed(_MODALS[modal], subject=subject)
        tense = "past" if modal in _PAST_MODALS and self.chance(0.4) else "present"
        return replace(clause, modal=modal, tense=tense, progressive=False)

    def is_person(self, nominal: Nominal) -> bool:
        """Whether the nominal denotes a person."""
        return not isinstance(nominal, NounPhrase) or nominal.noun.is_person

    def separable(self) -> Statement:
        """A verb with separable prefix."""
        verb = self.word(v for v in lexicon.verbs() if v.prefix != lexicon.ABSENT)
        while not verb.frames & set(CORE_FRAMES):
            verb = self.word(v for v in lexicon.verbs() if v.prefix != lexicon.ABSENT)
        clause = self.clause(verb, self.pick(sorted(verb.frames & set(CORE_FRAMES))))
        if self.chance(0.15):
            clause = self.negate(clause)
        elif self.chance(0.3):
            clause = self.with_adverb(clause)
        return Statement(clause)

    def perfect(self) -> Statement:
        """The perfect with haben or sein."""
        if self.chance(0.1):
            return self._since()
        clause = self.any_clause("perfect")
        if self.chance(0.2):
            clause = self.negate(clause)
        elif self.chance(0.35):
            clause = self.with_adverb(clause)
        return Statement(clause)

    def _since(self) -> Statement:
        """'has been waiting since the concert': the German present with seit."""
        verb = lexicon.verb(self.pick(_LASTING))
        phrase = self.phrase(lexicon.preposition("since", "time"))
        return Statement(
            Clause(self.person(), verb, "perfect", progressive=True, phrases=(phrase,))
        )

    def inversion(self) -> Statement:
        """A fronted adverb or phrase, which pushes the German subject behind the verb."""
        draw = self.rng.random()
        if draw < 0.25:
            return self._around_an_event()
        if draw < 0.45:
            return self._with_opinion()
        adverbed = self._adverbed()
        while not adverbed.adverbs or not adverbed.adverbs[0].may_be_fronted:
            adverbed = self._adverbed()
        return Statement(replace(adverbed, adverbs=()), fronted=adverbed.adverbs[0])

    def _adverbed(self) -> Clause:
        return self.with_adverb(self.any_clause(self.pick(("past", "past", "present"))))

    def _with_opinion(self) -> Statement:
        """'Maybe she will ...', 'Then he ...', 'Unfortunately we missed the train'."""
        name, tense = self.pick(_OPENINGS)
        if name == "unfortunately":
            verb = self.word(verbs_for("pitied", DEEDS))
            frame = self.pick(sorted(verb.frames & DEEDS))
            clause = self.clause(verb, frame, tense, self.person())
        else:
            clause = self.deed("wished" if tense == "future" else "told", tense)
        clause = settled(replace(clause, progressive=False))
        return Statement(clause, fronted=lexicon.adverbs()[name])

    def _around_an_event(self) -> Statement:
        """'After the concert we had dinner', 'Because of the rain they came back'."""
        before = self.pick(("before", "during", "after", "after", "because of"))
        role = "cause" if before == "because of" else "time"
        front = self.phrase(lexicon.preposition(before, role))
        front = PrepositionalPhrase(front.preposition, NounPhrase(front.object.noun))
        verb = lexicon.verb(self.pick(_AROUND_EVENTS[before].split(";")))
        frame = next(f for f in ("intransitive", "reflexive", "transitive") if f in verb.frames)
        clause = self.clause(verb, frame, "past", self.person())
        return Statement(settled(replace(clause, progressive=False)), fronted=front)

    def copula(self, subject: Nominal, tense: str | None = None) -> Clause:
        """'be' with an adjective that suits the subject."""
        if isinstance(subject, NounPhrase):
            subject = replace(subject, adjectives=())  # not "the dangerous moor isn't dangerous"
            entry = self.word(predicates_of(subject.noun))
        else:
            (man,) = nouns_in(frozenset({"man"}))
            entry = self.word(predicates_of(man))
        if self.is_person(subject) and self.chance(0.4):
            entry = lexicon.adjectives()[self.pick(STATES)]
        degree = self.rng.choices(_DEGREES, (9, 4, 2, 1))[0]
        if not entry.is_gradable or (degree == "too" and entry.english not in _EXCESSIVE):
            degree = "positive"
        predicate = AdjectivalPredicate(entry, degree)
        return Clause(subject, tense=tense or self.pick(("past", "present")), predicate=predicate)

    def thing_or_person(self) -> Nominal:
        """A subject one can describe: person, animal or thing."""
        if self.chance(0.3):
            subject = self.person()
            while subject == I:
                subject = self.person()
            return subject
        return self.described_thing()

    def described_thing(self) -> NounPhrase:
        """An animal or thing, or somebody, of whom one can say something with 'be'."""
        nouns = lexicon.nouns().values()
        noun = self.word(nouns)
        while not predicates_of(noun) or "alone" in noun.classes:
            noun = self.word(nouns)
        return self.known(noun, share=0.0)


def _may_be_denied_at_all(verb: Verb) -> bool:
    """'has no car', 'doesn't make a salad', but not 'makes no bed'."""
    return verb.english in _DENIED_AT_ALL and verb.object_is in ("any", "new")


def _as_known(phrase: NounPhrase) -> NounPhrase:
    """'the book' for 'a book', 'some books', 'five books'."""
    is_kept = phrase.count is None and (
        phrase.owner is not None
        or phrase.noun.is_bare
        or phrase.determiner not in ("indefinite", "zero", "many", "some", "a few")
    )
    return phrase if is_kept else replace(phrase, determiner="definite", count=None)
