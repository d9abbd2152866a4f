"""Random nominals and clauses that make sense: every argument fits its verb.

Who and what a sentence is about is mostly known ('the', 'my', a name); only the objects that the
lexicon allows are new ('a', 'some'). Possessives are such that nobody asks whose it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from research.grammar import lexicon, names
from research.grammar.english import is_plural
from research.grammar.even_random import EvenRandom
from research.grammar.lexicon import Noun, Preposition, Verb
from research.grammar.selection import (
    lasting_attributes_of,
    nouns_in,
    possessives_of,
)
from research.grammar.syntax import (
    HE,
    PERSONAL_PRONOUNS,
    SHE,
    THEY,
    WE,
    YOU,
    Clause,
    Coordination,
    Count,
    GradedAdjective,
    I,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    ProperName,
)
from research.grammar.tables import odds, weights

PERSON = frozenset({"person"})
_OWNED = frozenset(
    {
        *("pet", "thing", "clothing", "ride", "instrument", "container", "idea", "asset"),
        *("furniture", "room", "text", "infant", "group", "accessory", "underclothes", "toy"),
        *("tool", "papers", "appliance", "personal_data", "task", "wish", "message", "home"),
    }
)
# What is always somebody's.
_SOMEBODYS = frozenset({"relation", "body", "possessed"})
# What several people own together; else it is 'They lost their keys'.
_SHARED = frozenset(
    {
        *("home", "room", "ride", "pet", "group", "infant", "idea", "furniture", "appliance"),
        *("task", "asset", "relation", "work", "message", "wish", "possessed"),
    }
)
_OFTEN_SEVERAL = frozenset(
    {
        *("fruit", "vegetable", "thing", "clothing", "underclothes", "text", "reading", "message"),
        *("lesson_item", "small_plant", "question", "mistake", "idea", "sweets", "cookable"),
        *("insect", "keepsake", "animal", "wild_bird", "water_animal", "supply", "toiletry"),
        *("person", "problem", "opening", "tree"),
    }
)
_ALIVE = frozenset({"person", "animal", "infant"})
NO_PLAIN_GENITIVE = "sßxz"  # after these letters German writes an apostrophe
OWN_POSSESSIVES = {I: "my", YOU: "your", HE: "his", SHE: "her", WE: "our", THEY: "their"}
# Nobody asks whose these are, whatever the subject.
_CLEAR = ("my", "your")
_OF_ONE = ("my", "your", "his", "her")
# What each has alone: not 'our passport'.
_PERSONAL = frozenset({"clothing", "accessory", "underclothes", "papers", "toiletry"})
_OWN_PLACES = frozenset({"home", "chamber", "ride", "furniture", "container"})
# Frame -> where one puts something: it lies there, stands there, or is hidden there.
_PLACING = {
    "placement": ("surface_direction", "container_direction", "hidden_direction"),
    "upright": ("upright_direction",),
    "placement_at": ("hidden_place",),
}
_OF_SCHOOL = frozenset({"at school", "in class"})
_LEARNERS = frozenset({"young", "student", "pupil", "classmate"})
# What a child does not do yet.
_GROWN_UP = frozenset(
    {
        *("marry", "get married", "smoke", "fall in love", "fall in love with", "park", "rent"),
        *("earn", "apply for", "sign", "shave", "drive", "drive away", "buy", "sell", "hire"),
    }
)


def agreement_pronoun(plural: bool) -> Pronoun:
    """The stand-in subject of a relative clause."""
    return THEY if plural else HE


def __init__(self, rng: EvenRandom) -> None:
    rng = rng


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
    return not noun.classes.isdisjoint(_OFTEN_SEVERAL) and rng.chance("nouns.plural")


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
    """The same in the singular or in the plural."""
    if noun.is_bare:
        return NounPhrase(noun, "zero")
    is_somebodys = not noun.classes.isdisjoint(_SOMEBODYS)
    is_owned = not noun.classes.isdisjoint(_OWNED)
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
    if is_everybodys and noun.classes.isdisjoint(_SHARED):
        plural = noun.has_plural
        determiner = determiner if plural or "body" in noun.classes else "definite"
    return NounPhrase(noun, determiner, draw_attribute(rng, noun, share), plural)


def draw_possessive(rng: EvenRandom, noun: Noun, holder: Nominal | None) -> str:
    """'my', 'your', ...: mostly the holder's own, else one that cannot be taken for it."""
    usable = possessives_of(noun)
    is_personal = holder is None and not noun.classes.isdisjoint(_PERSONAL)
    if is_personal or noun.classes.issuperset({"body", "single"}):
        usable = _OF_ONE
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
        while verb.english in _GROWN_UP and is_child(subject):
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


def draw_phrase(
    rng: EvenRandom, preposition: Preposition, holder: Nominal | None = None
) -> PrepositionalPhrase:
    """The preposition with an object of its classes."""
    return PrepositionalPhrase(
        preposition, draw_place(rng, draw_noun(rng, preposition.objects), holder)
    )


def draw_place(rng: EvenRandom, noun: Noun, holder: Nominal | None = None) -> NounPhrase:
    """'the garden', 'my room': one place, which is known."""
    is_somebodys = not noun.classes.isdisjoint(_SOMEBODYS)
    is_own = not noun.classes.isdisjoint(_OWN_PLACES)
    is_shared = isinstance(holder, NounPhrase) and is_several(holder)  # by many tourists
    if not is_somebodys and (is_shared or not is_own):
        return NounPhrase(noun, "definite", draw_attribute(rng, noun, "place"))
    return draw_identified(rng, noun, False, holder, "place")


def draw_role_phrase(
    rng: EvenRandom, role: str, holder: Nominal | None = None
) -> PrepositionalPhrase:
    """A phrase in the role, over all its prepositions."""
    return draw_phrase(rng, rng.word(lexicon.prepositions(role)), holder)


def draw_city_phrase(rng: EvenRandom, direction: bool) -> PrepositionalPhrase:
    """'in Berlin', 'to Berlin', 'to Switzerland'."""
    entry = (
        lexicon.preposition("to", "direction") if direction else lexicon.preposition("in", "place")
    )
    place = names.city(rng) if rng.chance("place.city") else names.country(rng)
    return PrepositionalPhrase(entry, place)


def draw_tense(rng: EvenRandom, verb: Verb) -> str:
    """Mostly the past, as in stories: above all of what happens in a moment."""
    return rng.weighted(weights("tense_of_events" if verb.kind == "event" else "tense"))


def draw_clause(
    rng: EvenRandom,
    verb: Verb,
    frame: str,
    tense: str | None = None,
    subject: Nominal | None = None,
) -> Clause:
    """An affirmative clause of the verb in one of its frames."""
    tense = tense or draw_tense(rng, verb)
    is_momentary = verb.kind == "event" and not verb.has_progressive
    if (tense == "perfect" and verb.is_state) or (tense == "present" and is_momentary):
        tense = "past"
    clause = Clause(subject or draw_subject(rng, verb), verb, tense)
    clause = _with_arguments(rng, clause, frame)
    share = "activity_going_on" if verb.kind == "activity" else "going_on"
    is_going_on = rng.chance(f"clause.{share}") or not _may_be_habit(clause)
    if clause.tense == "present" and verb.has_progressive and is_going_on:
        clause = replace(clause, progressive=True)
    return settled(clause)


def _with_arguments(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    verb, subject = clause.verb, clause.subject
    if frame in ("transitive", "dative"):
        return replace(clause, object=draw_object(rng, verb, subject))
    if frame == "ditransitive":
        return _with_recipient(rng, clause)
    if frame in ("prepositional", "reflexive_prepositional"):
        return replace(clause, prepositional_object=draw_object(rng, verb, subject))
    if frame in _PLACING:
        return _with_placement(rng, clause, frame)
    return _with_place(rng, clause, frame)


def _with_place(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    if frame in ("position", "lying"):
        return replace(clause, phrases=(draw_position(rng, clause.verb, clause.subject),))
    if frame == "motion":
        return replace(clause, phrases=(_draw_direction(rng, clause.verb, clause.subject),))
    if frame == "travel":
        return replace(clause, phrases=(draw_city_phrase(rng, direction=True),))
    return clause


def _draw_direction(rng: EvenRandom, verb: Verb, subject: Nominal) -> PrepositionalPhrase:
    role = "surface_direction" if verb.english == "jump" else "direction"
    entries = lexicon.prepositions(role)
    if verb.english == "come":
        entries = [e for e in entries if e.english in ("out of", "to", "into")]
    return _at_place(rng, rng.pick(_fitting(entries, verb)), subject)


def draw_position(
    rng: EvenRandom, verb: Verb, subject: Nominal | None = None
) -> PrepositionalPhrase:
    """Where the verb's subject is."""
    if verb.english == "live" and rng.chance("place.live_in_city"):
        return draw_city_phrase(rng, direction=False)
    role = "surface_place" if verb.english == "lie" else "place"
    return _at_place(rng, rng.pick(_fitting(lexicon.prepositions(role), verb)), subject)


def _at_place(
    rng: EvenRandom, found: tuple[Preposition, Noun], subject: Nominal | None
) -> PrepositionalPhrase:
    entry, noun = found
    return PrepositionalPhrase(entry, draw_place(rng, noun, subject))


def _with_placement(rng: EvenRandom, clause: Clause, frame: str) -> Clause:
    role = rng.pick(_PLACING[frame])
    thing = draw_object(rng, clause.verb, clause.subject)
    phrase = draw_role_phrase(rng, role, clause.subject)
    while not is_distinct(thing, phrase.object):
        phrase = draw_role_phrase(rng, role, clause.subject)
    return replace(clause, object=thing, phrases=(phrase,))


def _with_recipient(rng: EvenRandom, clause: Clause) -> Clause:
    recipient = draw_person(rng)
    while not is_distinct(clause.subject, recipient):
        recipient = draw_person(rng)
    thing = draw_object(rng, clause.verb, clause.subject)
    # 'gave her books' could be 'ihr Bücher' or 'ihre Bücher': keep a determiner. And 'sold Tom
    # his car' could be either's.
    own = own_possessive(clause.subject) if is_third_singular(recipient) else "zero"
    if thing.determiner in ("zero", own) and not thing.owner:
        thing = replace(thing, determiner="definite", count=None)
    return replace(clause, object=thing, recipient=recipient)


def with_adverb(rng: EvenRandom, clause: Clause) -> Clause:
    """The clause with an adverb that suits its tense, its verb and its polarity."""
    usable = [entry for entry in lexicon.adverbs().values() if _suits(entry, clause)]
    if not usable:
        return clause
    slot = rng.pick(sorted({entry.slot for entry in usable}))
    chosen = rng.pick([entry for entry in usable if entry.slot == slot])
    return replace(clause, adverbs=(*clause.adverbs, chosen))


def _may_be_habit(clause: Clause) -> bool:
    """'reads', 'writes letters', but 'is writing a letter', 'is catching a cold'."""
    verb = clause.verb
    is_repeated = "repeated" in verb.uses and verb.kind != "event" and not is_new(clause.object)
    return verb.is_state or is_repeated


def _is_the(verb: Verb) -> bool:
    """Whether its subject, a thing, is somebody's because of the verb: 'The coat suits me'."""
    return "the" in verb.uses and "person" not in verb.subjects


def _fitting(entries: Iterable[Preposition], verb: Verb) -> list[tuple[Preposition, Noun]]:
    """Prepositions with their objects, of those that the verb names if it names any."""
    return [
        (entry, noun)
        for entry in entries
        for noun in nouns_in(entry.objects)
        if not verb.objects or noun.belongs_to(verb.objects)
    ]


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


def _suits(adverb: lexicon.Adverb, clause: Clause) -> bool:
    if clause.tense not in adverb.tenses or clause.modal is not None or clause.adverbs:
        return False
    if clause.verb is None or not adverb.suits(clause.verb):
        return False
    if adverb.slot == "first" or (clause.passive and adverb.slot != "time"):
        return False
    if adverb.verbs and clause.recipient is not None:  # not 'read him the letter all night'
        return False
    if adverb.slot in ("manner", "degree", "place", "goal"):
        return _suits_deed(adverb, clause)
    is_habit = "habit" in adverb.tenses and clause.tense == "present"
    if adverb.slot == "frequency" or is_habit:
        return _suits_habit(adverb, clause)
    return clause.progressive or clause.tense != "present"


def _suits_deed(adverb: lexicon.Adverb, clause: Clause) -> bool:
    """How, how much and where: of people and animals, and said once."""
    subject = clause.subject
    is_alive = not isinstance(subject, NounPhrase) or subject.noun.belongs_to(_ALIVE)
    if not is_alive or clause.negated or clause.passive:
        return False
    if adverb.english == "together" and not is_several(subject):
        return False
    if adverb.english in _OF_SCHOOL and not _may_be_at_school(subject):
        return False
    if adverb.english.startswith("by "):
        return True
    if adverb.slot == "degree":
        return clause.object is None and clause.prepositional_object is None
    return not clause.phrases


def _may_be_at_school(subject: Nominal) -> bool:
    """Not 'My dad learns Finnish at school'."""
    return not isinstance(subject, NounPhrase) or subject.noun.belongs_to(_LEARNERS)


def _suits_habit(adverb: lexicon.Adverb, clause: Clause) -> bool:
    """'often' and 'every day': for repeated events, not for 'a' single thing."""
    is_single = is_new(clause.object) or is_new(clause.prepositional_object)
    if clause.negated or clause.progressive or is_single or clause.recipient is not None:
        return False
    if clause.tense == "present" and clause.verb.kind == "event":
        return False
    if any(_is_passed(phrase.preposition) for phrase in clause.phrases):
        return False
    return adverb.slot == "frequency" or clause.verb.has_progressive


def _is_passed(preposition: Preposition) -> bool:
    """'out of the bathroom': one way, where 'to school' is a habit."""
    return preposition.role == "direction" and preposition.english != "to"


def settled(clause: Clause) -> Clause:
    """The clause without what English would leave open: 'they read' is past or present."""
    verb = clause.verb
    is_open = verb is not None and verb.past == verb.english and not clause.progressive
    is_told = is_open and not clause.negated and clause.modal is None
    if not is_told or is_third_singular(clause.subject):
        return clause
    if clause.tense == "past" and not verb.is_state:
        return replace(clause, tense="perfect")
    if clause.tense == "perfect":
        return clause
    return replace(clause, tense="present", progressive=verb.has_progressive)


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
