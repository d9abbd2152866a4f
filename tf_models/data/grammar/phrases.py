"""Random nominals and clauses that make sense: every argument fits its verb."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.lexicon import Noun, Preposition, Verb
from tf_models.data.grammar.selection import adjectives_for, nouns_in
from tf_models.data.grammar.syntax import (
    HE,
    PERSONAL_PRONOUNS,
    SHE,
    THEY,
    CityName,
    Clause,
    GradedAdjective,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    ProperName,
)

PERSON = frozenset({"person"})
POSSESSIVES = ("my", "your", "his", "her", "our", "their")
_OWNED = frozenset(
    [
        "relation",
        "pet",
        "thing",
        "clothing",
        "ride",
        "instrument",
        "container",
        "idea",
        "furniture",
        "room",
        "text",
    ]
)
_KIN = frozenset(
    {
        "father",
        "mother",
        "brother",
        "sister",
        "son",
        "daughter",
        "uncle",
        "aunt",
        "grandfather",
        "grandmother",
    }
)
_PARENTS = frozenset({"father", "mother"})
# Not 'a truth', and 'a brother' only with 'have'.
UNIQUE = _KIN | {"truth"}
# 'carefully' is 'vorsichtig' with these verbs; careful reading is 'sorgfältig'.
_MANNER_VERBS = {
    "slowly": "run read eat drink write open close drive go dance get up wake up come back",
    "quickly": "run read eat drink write open close drive wash fall asleep disappear work",
    "carefully": "open close drive wash feed",
    "quietly": "open close sing cry laugh",
}
_PHRASAL_MANNERS = ("get up", "wake up", "come back", "fall asleep")
# What simply is so neither happens on Monday nor every day.
LASTING = frozenset({"know", "live", "love", "belong to", "admire", "respect"})


@cache
def _manner_verbs(adverb: str) -> frozenset[str]:
    listed = _MANNER_VERBS[adverb]
    phrasal = {verb for verb in _PHRASAL_MANNERS if verb in listed}
    return frozenset(listed.split()) | phrasal


def agreement_pronoun(noun: Noun, plural: bool) -> Pronoun:
    """The stand-in subject of a relative clause about the noun."""
    return THEY if plural else HE


class PhraseSampler:
    """Draws nominals, phrases and clauses from one random stream."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.rng.random() < probability

    def pick(self, items: Iterable):
        """One of the items."""
        return self.rng.choice(tuple(items))

    def noun(self, classes: frozenset[str]) -> Noun:
        """A noun of the classes; the classes are equally likely, however many nouns they have."""
        if len(classes) > 1:
            classes = frozenset({self.pick(sorted(classes))})
        return self.pick(nouns_in(classes))

    def determiner(self, noun: Noun, plural: bool = False) -> str:
        """A determiner that suits the noun."""
        draw = self.rng.random()
        if draw < 0.3 and not noun.classes.isdisjoint(_OWNED):
            return self.pick(POSSESSIVES)
        if draw < 0.5 and noun.english not in UNIQUE:
            return "zero" if noun.is_mass or plural else "indefinite"
        return "definite"

    def adjectives(self, noun: Noun, determiner: str = "") -> tuple[GradedAdjective, ...]:
        """No, one or two attributive adjectives in their customary order."""
        usable = [entry for entry in adjectives_for(noun) if entry.is_attributive]
        if not usable or not self.chance(0.5):
            return ()
        first = self.pick(usable)
        is_lasting = first.is_gradable and first.rank < 4  # not "the most tired soldier"
        if is_lasting and determiner == "definite" and self.chance(0.06):
            return (GradedAdjective(first, "superlative"),)
        if is_lasting and determiner == "indefinite" and self.chance(0.06):
            return (GradedAdjective(first, "comparative"),)
        colors = [entry for entry in usable if entry.rank == 5 and first.rank < 5]
        second = [self.pick(colors)] if colors and self.chance(0.15) else []
        return tuple(GradedAdjective(entry) for entry in [first, *second])

    def noun_phrase(self, classes: frozenset[str], plural_share: float = 0.2) -> NounPhrase:
        """A noun phrase around a noun of the classes."""
        return self.phrase_of(self.noun(classes), plural_share)

    def phrase_of(self, noun: Noun, plural_share: float = 0.2) -> NounPhrase:
        """A noun phrase around the noun."""
        plural = noun.has_plural and self.chance(plural_share)
        determiner = self.determiner(noun, plural)
        if determiner in POSSESSIVES and noun.english in _PARENTS:
            plural = False
        return NounPhrase(noun, determiner, self.adjectives(noun, determiner), plural)

    def definite(self, noun: Noun, plural_share: float = 0.1) -> NounPhrase:
        """A definite or possessive noun phrase."""
        phrase = self.phrase_of(noun, plural_share)
        if phrase.determiner in ("indefinite", "zero"):
            return NounPhrase(noun, "definite", plural=phrase.plural)
        return phrase

    def name(self) -> ProperName:
        """A person's name."""
        return ProperName(self.pick(lexicon.names().values()))

    def person(self, pronouns: float = 0.45, names: float = 0.2) -> Nominal:
        """A person: pronoun, name or noun phrase."""
        draw = self.rng.random()
        if draw < pronouns:
            return self.pick(PERSONAL_PRONOUNS)
        if draw < pronouns + names:
            return self.name()
        return self.noun_phrase(PERSON, 0.15)

    def subject(self, verb: Verb) -> Nominal:
        """A subject that can do what the verb says."""
        if "person" in verb.subjects and self.chance(0.85):
            return self.person()
        phrase = self.noun_phrase(verb.subjects)
        if phrase.determiner == "zero":
            return replace(phrase, determiner="definite")
        return phrase

    def object(self, verb: Verb, subject: Nominal) -> Nominal:
        """An object of the verb, other than its subject."""
        while True:
            found = self._object(verb.objects)
            if verb.english == "have":
                found = self.indefinite(found.noun, found.plural)
            if is_distinct(subject, found):
                return found

    def indefinite(self, noun: Noun, plural: bool) -> NounPhrase:
        """A noun phrase that mentions something new."""
        kind = "zero" if plural or noun.is_mass else "indefinite"
        return NounPhrase(noun, kind, self.adjectives(noun, kind), plural)

    def _object(self, classes: frozenset[str]) -> Nominal:
        kind = self.pick(sorted(classes))
        if kind == "person":
            return self.person(pronouns=0.4, names=0.15)
        return self.noun_phrase(frozenset({kind}))

    def phrase(self, preposition: Preposition) -> PrepositionalPhrase:
        """The preposition with an object of its classes."""
        noun = self.noun(preposition.objects)
        return PrepositionalPhrase(preposition, self._place(noun, preposition.role))

    def _place(self, noun: Noun, role: str) -> NounPhrase:
        if role in ("time", "cause"):
            return self.definite(noun, 0.0)
        if noun.is_person or self.chance(0.75):
            return self.definite(noun, 0.05)
        return self.phrase_of(noun, 0.0)

    def role_phrase(self, role: str) -> PrepositionalPhrase:
        """A phrase in the role, over all its prepositions."""
        return self.phrase(self.pick(lexicon.prepositions(role)))

    def city_phrase(self, direction: bool) -> PrepositionalPhrase:
        """'in Berlin' or 'to Berlin'."""
        entry = (
            lexicon.preposition("to", "direction")
            if direction
            else lexicon.preposition("in", "place")
        )
        return PrepositionalPhrase(entry, CityName(self.pick(lexicon.cities())))

    def tense(self) -> str:
        """Mostly the past, as in stories."""
        return self.rng.choices(("past", "present", "perfect"), (5, 4, 1.5))[0]

    def clause(self, verb: Verb, frame: str, tense: str | None = None) -> Clause:
        """An affirmative clause of the verb in one of its frames."""
        subject = self.subject(verb)
        clause = Clause(subject, verb, tense or self.tense())
        clause = self._with_arguments(clause, frame)
        if clause.tense == "present" and verb.has_progressive and self.chance(0.5):
            clause = replace(clause, progressive=True)
        return settled(clause)

    def _with_arguments(self, clause: Clause, frame: str) -> Clause:
        verb = clause.verb
        if frame in ("transitive", "dative"):
            return replace(clause, object=self.object(verb, clause.subject))
        if frame == "ditransitive":
            return self._ditransitive(clause)
        if frame == "prepositional":
            return replace(clause, prepositional_object=self.object(verb, clause.subject))
        if frame in ("placement", "placement_at"):
            return self._placement(clause, frame)
        return self._located(clause, frame)

    def _located(self, clause: Clause, frame: str) -> Clause:
        if frame == "position":
            return replace(clause, phrases=(self.position(clause.verb),))
        if frame == "motion":
            return replace(clause, phrases=(self._direction(clause),))
        if frame == "travel":
            return replace(clause, phrases=(self.city_phrase(direction=True),))
        return clause

    def _direction(self, clause: Clause) -> PrepositionalPhrase:
        if clause.verb.english == "jump":
            entry = lexicon.preposition("onto", "surface_direction")
        elif clause.verb.english == "come":
            entry = lexicon.preposition(self.pick(("out of", "to", "into")), "direction")
        else:
            entry = self.pick(lexicon.prepositions("direction"))
        phrase = self.phrase(entry)
        is_animal = isinstance(clause.subject, NounPhrase) and not clause.subject.noun.is_person
        if is_animal and phrase.object.noun.belongs_to(frozenset({"profession", "public"})):
            return replace(phrase, object=NounPhrase(lexicon.nouns()["house"]))
        return phrase

    def position(self, verb: Verb) -> PrepositionalPhrase:
        """Where the verb's subject is."""
        if verb.english == "lie":
            return self.role_phrase("surface_place")
        if verb.english == "live" and self.chance(0.4):
            return self.city_phrase(direction=False)
        fitting = [
            (entry, noun)
            for entry in lexicon.prepositions("place")
            for noun in nouns_in(entry.objects)
            if noun.belongs_to(verb.objects)
        ]
        entry, noun = self.pick(fitting)
        return PrepositionalPhrase(entry, self._place(noun, "place"))

    def _placement(self, clause: Clause, frame: str) -> Clause:
        role = self.pick(("surface_direction", "container_direction", "hidden_direction"))
        role = "surface_place" if frame == "placement_at" else role
        thing = self.noun_phrase(clause.verb.objects, 0.1)
        phrase = self.role_phrase(role)
        while not is_distinct(thing, phrase.object):
            phrase = self.role_phrase(role)
        return replace(clause, object=thing, phrases=(phrase,))

    def _ditransitive(self, clause: Clause) -> Clause:
        recipient = self.person(pronouns=0.45, names=0.2)
        while not is_distinct(clause.subject, recipient):
            recipient = self.person(pronouns=0.45, names=0.2)
        pronoun = self.chance(0.08) and clause.verb.english != "tell"
        vague = ("zero", "indefinite") if pronoun else ("zero",)
        if isinstance(recipient, NounPhrase) and recipient.determiner in vague:
            recipient = replace(recipient, determiner="definite")
        if pronoun:
            return replace(clause, object=THEY, recipient=recipient)
        # 'gave her books' could be 'ihr Bücher' or 'ihre Bücher': keep a determiner.
        thing = self.noun_phrase(clause.verb.objects)
        if thing.determiner == "zero":
            thing = replace(thing, determiner="definite")
        return replace(clause, object=thing, recipient=recipient)

    def with_adverb(self, clause: Clause) -> Clause:
        """The clause with an adverb that suits its tense, its verb and its polarity."""
        usable = [entry for entry in lexicon.adverbs().values() if _suits(entry, clause)]
        if not usable:
            return clause
        slot = self.pick(sorted({entry.slot for entry in usable}))
        return replace(clause, adverb=self.pick([e for e in usable if e.slot == slot]))


def _suits(adverb: lexicon.Adverb, clause: Clause) -> bool:
    if clause.tense not in adverb.tenses or clause.modal is not None or clause.adverb is not None:
        return False
    if clause.verb is not None and clause.verb.english in LASTING:
        return False
    if adverb.slot == "manner":
        is_named = clause.verb is not None and clause.verb.english in _manner_verbs(adverb.english)
        return is_named and not clause.negated and not clause.phrases
    is_habit = "habit" in adverb.tenses and clause.tense == "present"
    if adverb.slot == "frequency" or is_habit:
        return _suits_habit(adverb, clause)
    if clause.tense == "present" and clause.verb is not None and clause.verb.has_progressive:
        return clause.progressive
    return True


def _suits_habit(adverb: lexicon.Adverb, clause: Clause) -> bool:
    """'often' and 'every day': for repeated events that are not denied."""
    denies = isinstance(clause.object, NounPhrase) and clause.object.determiner == "no"
    if clause.negated or clause.progressive or denies or clause.recipient is not None:
        return False
    return adverb.slot == "frequency" or clause.verb is None or clause.verb.has_progressive


def settled(clause: Clause) -> Clause:
    """The clause without what English would leave open: 'they read' is past or present."""
    verb = clause.verb
    if verb is None or verb.past != verb.english or clause.tense != "past":
        return clause
    return clause if is_third_singular(clause.subject) else replace(clause, tense="present")


def is_third_singular(subject: Nominal) -> bool:
    """Whether the subject shows the tense of 'read' and 'put' (he reads, he read)."""
    if isinstance(subject, Pronoun):
        return subject.person == 3 and not subject.plural
    return not (isinstance(subject, NounPhrase) and subject.plural)


def is_distinct(first: Nominal, second: Nominal) -> bool:
    """Whether two nominals can denote different things without a reflexive."""
    if isinstance(first, Pronoun) and isinstance(second, Pronoun):
        return first.person != second.person or (first.person == 3 and first is not second)
    if isinstance(first, NounPhrase) and isinstance(second, NounPhrase):
        return first.noun is not second.noun
    return first != second


def natural_pronoun(nominal: Nominal) -> Pronoun | None:
    """he, she or they for a person; None where the sex is not known."""
    if isinstance(nominal, Pronoun):
        return nominal
    if isinstance(nominal, ProperName):
        return SHE if nominal.name.gender == "f" else HE
    if isinstance(nominal, NounPhrase) and nominal.plural:
        return THEY
    if isinstance(nominal, NounPhrase) and nominal.noun.is_person:
        return _sex_of(nominal.noun)
    return None


def _sex_of(noun: Noun) -> Pronoun | None:
    if "female" in noun.classes:
        return SHE
    return HE if noun.gender == "m" else None
