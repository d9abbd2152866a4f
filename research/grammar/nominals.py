"""Random nominals that make sense: people, and things that are known or new.

Who and what a sentence is about is mostly known ('the', 'my', a name); only the objects that the
lexicon allows are new ('a', 'some'). Possessives are such that nobody asks whose it is."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import names
from research.grammar.english_verbs import is_plural
from research.grammar.entries import Noun, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.selection import lasting_attributes_of, nouns_in, possessives_of
from research.grammar.syntax import (
    HE,
    PERSONAL_PRONOUNS,
    SHE,
    THEY,
    WE,
    YOU,
    Coordination,
    Count,
    GradedAdjective,
    I,
    Nominal,
    NounPhrase,
    Pronoun,
    ProperName,
)
from research.grammar.tables import listed, odds, weights, words

PERSON = frozenset({"person"})


NO_PLAIN_GENITIVE = "sśşșšßxzźžż"  # after these letters German writes an apostrophe


OWN_POSSESSIVES = {I: "my", YOU: "your", HE: "his", SHE: "her", WE: "our", THEY: "their"}


# Nobody asks whose these are, whatever the subject.
_CLEAR = ("my", "your")


def agreement_pronoun(plural: bool) -> Pronoun:
    """The stand-in subject of a relative clause."""
    return THEY if plural else HE


def draw_noun(rng: EvenRandom, classes: frozenset[str]) -> Noun:
    """A noun of the classes; the classes are equally likely, however many nouns they have."""
    if len(classes) > 1:
        classes = frozenset({rng.pick(sorted(classes))})
    return rng.word(nouns_in(classes))


def draws_several(rng: EvenRandom, noun: Noun) -> bool:
    """Whether to speak of more than one: of shoes mostly, of bakeries never."""
    if not noun.has_plural or "single" in noun.classes:
        return False
    if "paired" in noun.classes:
        return rng.chance("nouns.paired_plural")
    return not noun.classes.isdisjoint(words("often_several")) and rng.chance("nouns.plural")


def draw_attribute(rng: EvenRandom, noun: Noun, share: str) -> tuple[GradedAdjective, ...]:
    """No adjective, or one of those that suit whatever happens."""
    usable = lasting_attributes_of(noun)
    if "relation" in noun.classes or not usable or not rng.chance(f"attributes.{share}"):
        return ()
    return (GradedAdjective(rng.word(usable)),)


def draw_known(
    rng: EvenRandom, noun: Noun, holder: Nominal | None = None, share: str = "known"
) -> NounPhrase:
    """'the book', 'my brother', 'her coats'; holder: the subject that has to do with it."""
    return draw_identified(rng, noun, draws_several(rng, noun), holder, share)


def draw_identified(
    rng: EvenRandom, noun: Noun, plural: bool, holder: Nominal | None = None, share: str = "none"
) -> NounPhrase:
    """'the book', 'her coats', in the singular or in the plural."""
    if noun.is_bare:
        return NounPhrase(noun, "zero")
    if "general" in noun.classes:
        return NounPhrase(noun, "in general", draw_attribute(rng, noun, share), plural)
    is_somebodys = not noun.classes.isdisjoint(words("somebodys"))
    is_owned = not noun.classes.isdisjoint(words("owned"))
    if is_somebodys or (is_owned and rng.chance("nouns.possessed")):
        return _draw_possessed(rng, noun, plural, holder, share)
    if is_owned and not plural and rng.chance("nouns.of_a_name"):
        return replace(draw_owned(rng, noun), adjectives=draw_attribute(rng, noun, share))
    is_shown = noun.classes.isdisjoint({"unique", "single", "mass"}) and rng.chance("nouns.shown")
    determiner = "this" if is_shown else "definite"
    return NounPhrase(noun, determiner, draw_attribute(rng, noun, share), plural)


def _draw_possessed(
    rng: EvenRandom, noun: Noun, plural: bool, holder: Nominal | None, share: str
) -> NounPhrase:
    determiner = draw_possessive(rng, noun, holder)
    is_everybodys = determiner == own_possessive(holder) and is_several(holder)
    if is_everybodys and noun.classes.isdisjoint(words("shared")):
        plural = noun.has_plural
        determiner = determiner if plural or "body" in noun.classes else "definite"
    return NounPhrase(noun, determiner, draw_attribute(rng, noun, share), plural)


def draw_possessive(rng: EvenRandom, noun: Noun, holder: Nominal | None) -> str:
    """'my', 'your', ...: mostly the holder's own, else one that cannot be taken for it."""
    usable = possessives_of(noun)
    is_personal = holder is None and not noun.classes.isdisjoint(words("personal"))
    if is_personal or noun.classes.issuperset({"body", "single"}):
        usable = listed("of_one")
    own = own_possessive(holder)
    if holder is None:
        return rng.pick(usable)
    if own in usable and rng.chance("nouns.own"):
        return own
    return rng.pick(one for one in usable if one in _CLEAR and one != own)


def draw_owned(rng: EvenRandom, noun: Noun) -> NounPhrase:
    """'Anna's book', 'my brother's car'; of one's family only 'Anna's brother'."""
    owner: Nominal = draw_name(rng)
    while owner.name[-1] in NO_PLAIN_GENITIVE:
        owner = draw_name(rng)
    if "kin" not in noun.classes and rng.chance("nouns.of_kin"):
        relation = rng.word(nouns_in(frozenset({"kin"})))
        owner = NounPhrase(relation, rng.pick(possessives_of(relation)))
    return NounPhrase(noun, owner=owner)


def draw_new(
    rng: EvenRandom, noun: Noun, plural: bool | None = None, share: str = "new"
) -> NounPhrase:
    """'a book', 'bread', 'some cookies': what is mentioned for the first time."""
    plural = draws_several(rng, noun) if plural is None else plural
    adjectives = draw_attribute(rng, noun, share)
    if plural and rng.chance("nouns.quantified"):
        return _draw_quantified(rng, noun, adjectives)
    return NounPhrase(noun, indefinite_determiner(noun, plural), adjectives, plural)


def _draw_quantified(
    rng: EvenRandom, noun: Noun, adjectives: tuple[GradedAdjective, ...]
) -> NounPhrase:
    if rng.chance("nouns.counted"):
        count = Count(rng.randrange(2, 8), spelled=True)
        return NounPhrase(noun, "zero", adjectives, plural=True, count=count)
    # 'ein paar Schuhe' would be two of them
    few = () if "paired" in noun.classes else ("a few",)
    return NounPhrase(noun, rng.pick(("many", "some", *few)), adjectives, plural=True)


def draw_name(rng: EvenRandom, known: bool = False) -> ProperName:
    """A person's name; `known` where German needs to know the sex."""
    return names.person(rng, known)


def draw_person(rng: EvenRandom, shares: str = "usual") -> Nominal:
    """Somebody one knows: pronoun, name or noun phrase, in these shares of `[people]`."""
    pronouns, named = weights("people")[shares]
    draw = rng.random()
    if draw < pronouns:
        return rng.pick(PERSONAL_PRONOUNS)
    if draw < pronouns + named:
        return draw_name(rng)
    if rng.chance("people.two"):
        return _draw_two_people(rng)
    return draw_known(rng, draw_noun(rng, PERSON))


def draw_stranger(rng: EvenRandom) -> NounPhrase:
    """'a man', 'this tourist', 'some students': who was not spoken of yet."""
    noun = draw_noun(rng, PERSON)
    while "relation" in noun.classes or not noun.has_plural:
        noun = draw_noun(rng, PERSON)
    kind = rng.pick(("indefinite", "indefinite", "this", "some", "some"))
    plural = kind == "some"
    return NounPhrase(noun, kind, () if plural else draw_attribute(rng, noun, "new"), plural)


def _draw_two_people(rng: EvenRandom) -> Coordination:
    """'Anna and Tom', 'my brother and Anna'."""
    relation = NounPhrase(rng.word(nouns_in(frozenset({"relation"}))), "my")
    return Coordination(rng.pick((draw_name(rng), relation)), draw_name(rng))


def draw_subject(rng: EvenRandom, verb: Verb) -> Nominal:
    """A subject that can do what the verb says."""
    if "person" in verb.subjects and rng.chance("subject.person"):
        subject = draw_person(rng)
        while verb.english in words("grown_up") and is_child(subject):
            subject = draw_person(rng)
        return subject
    subject = draw_known(rng, draw_noun(rng, verb.subjects))
    return replace(subject, determiner="definite", owner=None) if _is_the(verb) else subject


def draw_object(rng: EvenRandom, verb: Verb, subject: Nominal) -> Nominal:
    """An object of the verb, other than its subject."""
    while True:
        found = _draw_object(rng, verb, subject)
        if is_distinct(subject, found) and not _is_one_for_several(found, subject):
            return found


def _draw_object(rng: EvenRandom, verb: Verb, subject: Nominal) -> Nominal:
    kind = rng.pick(sorted(verb.objects))
    is_one = "one" in verb.uses
    if kind == "person":
        draw = rng.random()
        if draw < odds("object.pronoun"):
            return rng.pick(p for p in PERSONAL_PRONOUNS if not (is_one and p.plural))
        if draw < odds("object.name"):
            return draw_name(rng)
    noun = draw_noun(rng, frozenset({kind}))
    plural = not is_one and draws_several(rng, noun)
    if "own" in verb.uses and "mass" not in noun.classes:  # several people, several hats
        plural = noun.has_plural and (is_several(subject) or "paired" in noun.classes)
    if verb.object_is == "kind":
        return kind_of(noun) if is_kind(noun) else _draw_object(rng, verb, subject)
    is_new = verb.object_is == "new" or (verb.object_is == "any" and rng.chance("object.new"))
    if is_new and not noun.is_person:
        return draw_new(rng, noun, plural)
    phrase = draw_identified(rng, noun, plural, subject, "none" if verb.is_state else "object")
    if "the" in verb.uses and not noun.is_bare and not noun.is_person:
        return replace(phrase, determiner="definite", owner=None)
    if "own" in verb.uses and phrase.determiner not in ("definite", "this", "zero"):
        own = own_possessive(subject) or "definite"
        return replace(phrase, determiner=own, owner=None)
    return phrase


def _is_the(verb: Verb) -> bool:
    """Whether its subject, a thing, is somebody's because of the verb: 'The coat suits me'."""
    return "the" in verb.uses and "person" not in verb.subjects


def is_kind(noun: Noun) -> bool:
    """Whether one can speak of the kind: 'likes dogs', 'likes tea', but not 'likes series'."""
    is_named = noun.has_plural or noun.is_mass or noun.is_bare
    return is_named and noun.classes.isdisjoint({"person", "group", "pair"})


def kind_of(noun: Noun) -> NounPhrase:
    """'dogs', 'tea', without 'any' even where they are denied."""
    return NounPhrase(noun, "zero" if noun.is_bare else "generic", (), noun.has_plural)


def indefinite_determiner(noun: Noun, plural: bool = False) -> str:
    """'a', or none for what is not counted; 'the' where neither can be said."""
    if "unique" in noun.classes or "pair" in noun.classes:
        return "definite"
    if noun.is_bare or noun.is_mass or plural or noun.gender == "p":
        return "zero"
    return "indefinite"


def is_third_singular(subject: Nominal) -> bool:
    """Whether the subject shows the tense of 'read' and 'put' (he reads, he read)."""
    if isinstance(subject, Pronoun):
        return subject.person == 3 and not subject.plural
    return not is_several(subject)


def is_several(nominal: Nominal | None) -> bool:
    """Whether more than one are meant."""
    if isinstance(nominal, Pronoun):
        return nominal.plural
    is_two = isinstance(nominal, Coordination) and nominal.conjunction == "and"
    return is_two or (isinstance(nominal, NounPhrase) and is_plural(nominal))


def is_child(nominal: Nominal) -> bool:
    """Whether a child is meant."""
    return isinstance(nominal, NounPhrase) and "young" in nominal.noun.classes


def is_new(nominal: Nominal | None) -> bool:
    """'a book', 'two books': something new."""
    if not isinstance(nominal, NounPhrase):
        return False
    return nominal.count is not None or nominal.determiner in ("indefinite", "some", "a few")


def _is_one_for_several(nominal: Nominal, holder: Nominal) -> bool:
    """Whether several would share one pair of glasses: the German singular says so."""
    if not isinstance(nominal, NounPhrase) or "pair" not in nominal.noun.classes:
        return False
    return is_several(holder)


def is_distinct(first: Nominal, second: Nominal) -> bool:
    """Whether two nominals can denote different things without a reflexive."""
    if isinstance(first, Pronoun) and isinstance(second, Pronoun):
        return first.person != second.person or (first.person == 3 and first is not second)
    if isinstance(first, Coordination):
        return is_distinct(first.first, second) and is_distinct(first.second, second)
    if isinstance(second, Coordination):
        return is_distinct(second, first)
    if isinstance(first, NounPhrase) and isinstance(second, NounPhrase):
        return first.noun.german != second.noun.german
    return first != second


def own_possessive(holder: Nominal | None) -> str | None:
    """'his' for Tom, 'her' for my sister; None for nobody and for whom one would have to guess."""
    return None if holder is None else OWN_POSSESSIVES.get(natural_pronoun(holder))


def natural_pronoun(nominal: Nominal) -> Pronoun | None:
    """he, she or they for a person; None where the sex is not known."""
    if isinstance(nominal, Pronoun):
        return nominal
    if isinstance(nominal, ProperName):
        return SHE if nominal.gender == "f" else HE
    if isinstance(nominal, Coordination):
        if nominal.conjunction != "and":
            return None
        return WE if I in (nominal.first, nominal.second) else THEY
    if isinstance(nominal, NounPhrase) and nominal.noun.is_person:
        return THEY if is_plural(nominal) else _sex_of(nominal.noun)
    return None


def _sex_of(noun: Noun) -> Pronoun | None:
    if "female" in noun.classes:
        return SHE
    return HE if noun.gender == "m" else None
