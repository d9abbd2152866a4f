"""Random clauses and plain statements about events."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.clauses import draw_clause, draw_phrase, settled, with_adverb
from research.grammar.entries import Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import (
    draw_known,
    draw_person,
    draw_stranger,
    draw_subject,
    draws_several,
    indefinite_determiner,
    is_several,
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
from research.grammar.tables import listed, odds, table, weights, words

# 'has no car', but not 'finds no car'.
_LACKED = frozenset({"have", "own"})
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


def draw_any_clause(
    rng: EvenRandom, tense: str | None = None, subject: Nominal | None = None
) -> Clause:
    """A clause of any verb, affirmative and without adverb."""
    frame = rng.pick(CORE_FRAMES)
    return draw_clause(rng, rng.word(verbs_with(frame)), frame, tense, subject)


def draw_deed(
    rng: EvenRandom,
    use: str,
    tense: str = "present",
    subject: Nominal | None = None,
    frames: frozenset[str] = DEEDS,
) -> Clause:
    """What people do, with a verb of this use."""
    verb = rng.word(verbs_for(use, frames))
    who = subject
    while who is None or not is_person(who):
        who = draw_subject(rng, verb)
    return draw_clause(rng, verb, rng.pick(sorted(verb.frames & frames)), tense, who)


def draw_framed(rng: EvenRandom, frame: str) -> Statement:
    """A statement in a frame, now and then negated, with an adverb, or about somebody new."""
    verb = rng.word(verbs_with(frame))
    draw = rng.random()
    if draw < odds("framed.denied"):
        return Statement(negate(rng, draw_clause(rng, verb, frame)))
    if draw < odds("framed.stranger") and "person" in verb.subjects and not verb.is_state:
        who = draw_stranger(rng)
        while "one" in verb.uses and is_several(who):  # not 'some bakers rode the scooter'
            who = draw_stranger(rng)
        return Statement(draw_clause(rng, verb, frame, "past", who))
    clause = draw_clause(rng, verb, frame)
    return Statement(with_adverb(rng, clause) if draw < odds("framed.with_adverb") else clause)


def draw_lying(rng: EvenRandom) -> Statement:
    """'The key lay on the table': neither denied nor asked, as 'to lie' is also lügen."""
    return Statement(draw_clause(rng, rng.word(verbs_with("lying")), "lying"))


def negate(rng: EvenRandom, clause: Clause) -> Clause:
    """The denied clause, mostly contracted in English; about things that are known."""
    thing, predicate = clause.object, clause.predicate
    if isinstance(predicate, AdjectivalPredicate) and predicate.degree in ("too", "really"):
        predicate = replace(predicate, degree="very")
    if isinstance(thing, NounPhrase):
        thing = _denied(thing, clause.verb)
    governed = clause.prepositional_object
    if isinstance(governed, NounPhrase):
        governed = _as_known(governed)
    return replace(
        clause,
        negated=True,
        full_negation=rng.chance("negate.in_full"),
        object=thing,
        prepositional_object=governed,
        predicate=predicate,
    )


def _denied(phrase: NounPhrase, verb: Verb) -> NounPhrase:
    is_mentioned = phrase.count is not None or phrase.determiner in ("many", "some", "a few")
    if not is_mentioned and verb.english in words("denied_at_all"):
        return replace(phrase, adjectives=())  # not 'hasn't eaten any delicious meat'
    return _as_known(phrase)


def draw_negation(rng: EvenRandom) -> Statement:
    """nicht, or kein before an indefinite object."""
    if rng.chance("negation.at_all"):
        verbs = [v for v in verbs_with("transitive") if _may_be_denied_at_all(v)]
        clause = draw_clause(rng, rng.word(verbs), "transitive")
        if isinstance(clause.object, NounPhrase) and not clause.object.noun.is_person:
            thing = clause.object.noun
            plural = draws_several(rng, thing)
            none = indefinite_determiner(thing, plural)
            if none != "definite" and clause.verb.english in _LACKED and rng.chance("negation.no"):
                none = "no"
            clause = replace(clause, object=NounPhrase(thing, none, (), plural))
            return Statement(clause if clause.object.determiner == "no" else negate(rng, clause))
        return Statement(negate(rng, clause))
    return Statement(negate(rng, draw_any_clause(rng)))


def draw_modal(rng: EvenRandom) -> Statement:
    """A modal verb with its infinitive at the end."""
    clause = draw_modal_clause(rng)
    is_could = clause.modal == "can" and clause.tense == "past"  # else it is 'könnte', too
    if is_could or rng.chance("modal.denied"):
        clause = negate(rng, clause)
    elif rng.chance("modal.with_day") and clause.tense == "present":
        day = lexicon.adverbs()[rng.pick(("today", "now", "tomorrow"))]
        return Statement(replace(clause, adverbs=(day,)))
    return Statement(clause)


def draw_modal_clause(rng: EvenRandom, subject: Nominal | None = None) -> Clause:
    """A clause with a modal verb and a person as its subject."""
    modal = rng.pick(table("modal_uses"))
    clause = draw_deed(rng, table("modal_uses")[modal], subject=subject)
    tense = "past" if modal in words("past_modals") and rng.chance("modal.past") else "present"
    return replace(clause, modal=modal, tense=tense, progressive=False)


def is_person(nominal: Nominal) -> bool:
    """Whether the nominal denotes a person."""
    return not isinstance(nominal, NounPhrase) or nominal.noun.is_person


def draw_separable(rng: EvenRandom) -> Statement:
    """A verb with separable prefix."""
    verb = rng.word(v for v in lexicon.verbs() if v.prefix != lexicon.ABSENT)
    while not verb.frames & set(CORE_FRAMES):
        verb = rng.word(v for v in lexicon.verbs() if v.prefix != lexicon.ABSENT)
    clause = draw_clause(rng, verb, rng.pick(sorted(verb.frames & set(CORE_FRAMES))))
    if rng.chance("separable.denied"):
        clause = negate(rng, clause)
    elif rng.chance("separable.with_adverb"):
        clause = with_adverb(rng, clause)
    return Statement(clause)


def draw_perfect(rng: EvenRandom) -> Statement:
    """The perfect with haben or sein."""
    if rng.chance("perfect.since"):
        return _draw_since(rng)
    clause = draw_any_clause(rng, "perfect")
    if rng.chance("perfect.denied"):
        clause = negate(rng, clause)
    elif rng.chance("perfect.with_adverb"):
        clause = with_adverb(rng, clause)
    return Statement(clause)


def _draw_since(rng: EvenRandom) -> Statement:
    """'has been waiting since the concert': the German present with seit."""
    verb = lexicon.verb(rng.pick(listed("lasting_verbs")))
    phrase = draw_phrase(rng, lexicon.preposition("since", "time"))
    return Statement(Clause(draw_person(rng), verb, "perfect", progressive=True, phrases=(phrase,)))


def draw_inversion(rng: EvenRandom) -> Statement:
    """A fronted adverb or phrase, which pushes the German subject behind the verb."""
    draw = rng.random()
    if draw < odds("inversion.event"):
        return _draw_around_an_event(rng)
    if draw < odds("inversion.opinion"):
        return _draw_with_opinion(rng)
    adverbed = _draw_adverbed(rng)
    while not adverbed.adverbs or not adverbed.adverbs[0].may_be_fronted:
        adverbed = _draw_adverbed(rng)
    return Statement(replace(adverbed, adverbs=()), fronted=adverbed.adverbs[0])


def _draw_adverbed(rng: EvenRandom) -> Clause:
    return with_adverb(rng, draw_any_clause(rng, rng.pick(("past", "past", "present"))))


def _draw_with_opinion(rng: EvenRandom) -> Statement:
    """'Maybe she will ...', 'Then he ...', 'Unfortunately we missed the train'."""
    name, tense = rng.pick(listed("openings"))
    if name == "unfortunately":
        verb = rng.word(verbs_for("pitied", DEEDS))
        frame = rng.pick(sorted(verb.frames & DEEDS))
        clause = draw_clause(rng, verb, frame, tense, draw_person(rng))
    else:
        clause = draw_deed(rng, "wished" if tense == "future" else "told", tense)
    clause = settled(replace(clause, progressive=False))
    return Statement(clause, fronted=lexicon.adverbs()[name])


def _draw_around_an_event(rng: EvenRandom) -> Statement:
    """'After the concert we had dinner', 'Because of the rain they came back'."""
    before = rng.pick(("before", "during", "after", "after", "because of"))
    role = "cause" if before == "because of" else "time"
    front = draw_phrase(rng, lexicon.preposition(before, role))
    front = PrepositionalPhrase(front.preposition, NounPhrase(front.object.noun))
    verb = lexicon.verb(rng.pick(table("around_events")[before]))
    frame = next(f for f in ("intransitive", "reflexive", "transitive") if f in verb.frames)
    clause = draw_clause(rng, verb, frame, "past", draw_person(rng))
    return Statement(settled(replace(clause, progressive=False)), fronted=front)


def draw_copula(rng: EvenRandom, subject: Nominal, tense: str | None = None) -> Clause:
    """'be' with an adjective that suits the subject."""
    if isinstance(subject, NounPhrase):
        subject = replace(subject, adjectives=())  # not "the dangerous moor isn't dangerous"
        entry = rng.word(predicates_of(subject.noun))
    else:
        (man,) = nouns_in(frozenset({"man"}))
        entry = rng.word(predicates_of(man))
    if is_person(subject) and rng.chance("copula.state"):
        entry = lexicon.adjectives()[rng.pick(listed("states"))]
    degree = rng.weighted(weights("degree"))
    if not entry.is_gradable or (degree == "too" and entry.english not in words("excessive")):
        degree = "positive"
    predicate = AdjectivalPredicate(entry, degree)
    return Clause(subject, tense=tense or rng.pick(("past", "present")), predicate=predicate)


def draw_thing_or_person(rng: EvenRandom) -> Nominal:
    """A subject one can describe: person, animal or thing."""
    if rng.chance("described.person"):
        subject = draw_person(rng)
        while subject == I:
            subject = draw_person(rng)
        return subject
    return draw_described_thing(rng)


def draw_described_thing(rng: EvenRandom) -> NounPhrase:
    """An animal or thing, or somebody, of whom one can say something with 'be'."""
    nouns = lexicon.nouns().values()
    noun = rng.word(nouns)
    while not predicates_of(noun) or "alone" in noun.classes:
        noun = rng.word(nouns)
    return draw_known(rng, noun, share="none")


def _may_be_denied_at_all(verb: Verb) -> bool:
    """'has no car', 'doesn't make a salad', but not 'makes no bed'."""
    return verb.english in words("denied_at_all") and verb.object_is in ("any", "new")


def _as_known(phrase: NounPhrase) -> NounPhrase:
    """'the book' for 'a book', 'some books', 'five books'."""
    is_kept = phrase.count is None and (
        phrase.owner is not None
        or phrase.noun.is_bare
        or phrase.determiner not in ("indefinite", "zero", "many", "some", "a few")
    )
    return phrase if is_kept else replace(phrase, determiner="definite", count=None)
