"""Random sentences of everyday life: requests, plans, wishes, possessions, whereabouts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from research.grammar import lexicon, names
from research.grammar.clauses import draw_city_phrase, draw_position, settled, with_adverb
from research.grammar.complex_sentences import plainly
from research.grammar.entries import Adverb, Found, Noun, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import (
    PERSON,
    draw_known,
    draw_new,
    draw_noun,
    draw_person,
    draw_subject,
    indefinite_determiner,
    is_distinct,
    is_kind,
    is_several,
    kind_of,
)
from research.grammar.questions import draw_asked_about
from research.grammar.selection import nouns_in, possessives_of, verbs_with
from research.grammar.statements import (
    draw_copula,
    draw_deed,
    draw_described_thing,
    draw_modal_clause,
    negate,
)
from research.grammar.syntax import (
    HE,
    WE,
    YOU,
    Bare,
    Clause,
    Command,
    Coordination,
    Existence,
    I,
    Nominal,
    NounPhrase,
    PlacePredicate,
    PrepositionalPhrase,
    Question,
    Somebody,
    Statement,
    Subordinate,
)
from research.grammar.tables import listed, odds, table, words

_DONE_TOGETHER = frozenset({"intransitive", "travel"})
_IN_ROOMS = 13  # where there are fewer things than this, it is somebody's kitchen or desk
_MANY = 100  # where there are more than these, one speaks of several: not 'a book' in a library
_FEW = 3  # where there are no more than these, one speaks of one: not 'seven stoves'


@cache
def _what_is_somewhere() -> tuple[Verb, ...]:
    """Verbs that say where people, animals, cars and things may be."""
    names_of_verbs = ("work", "wait", "sleep", "stand")
    found = tuple(verb for verb in verbs_with("position") if verb.english in names_of_verbs)
    return found + verbs_with("lying")


def draw_wish(rng: EvenRandom) -> Statement | Question:
    """'I would like an apple', 'Would you like to dance?', 'She likes to read'."""
    subject = draw_person(rng, "close")
    draw = rng.random()
    if draw < odds("wish.thing"):
        noun = draw_noun(rng, words("wished"))
        thing = draw_new(rng, noun, "paired" in noun.classes, share="wished")
        return _or_asked(rng, Clause(subject, modal="would like", object=thing))
    if draw < odds("wish.deed"):
        subject = YOU if rng.chance("wish.deed_asked") else subject
        clause = replace(draw_deed(rng, "wished", subject=subject), progressive=False)
        clause = replace(clause, modal="would like to")
        return Question(clause) if subject == YOU else Statement(clause)
    clause = replace(_draw_hobby(rng, subject), modal="like to")
    if rng.chance("wish.hobby_denied"):
        return Statement(negate(rng, clause))
    return Question(clause) if subject == YOU else Statement(clause)


def _draw_hobby(rng: EvenRandom, subject: Nominal) -> Clause:
    """'read novels', 'visit my aunt', 'dance': what one likes to do."""
    clause = replace(draw_deed(rng, "liked", subject=subject), progressive=False)
    thing = clause.object
    if not isinstance(thing, NounPhrase) or not is_kind(thing.noun):
        return clause
    return replace(clause, object=kind_of(thing.noun))


def _or_asked(rng: EvenRandom, clause: Clause) -> Statement | Question:
    """The clause as a statement, or asked of somebody."""
    if rng.chance("wish.thing_asked"):
        return Question(replace(clause, subject=YOU))
    return Statement(clause)


def draw_plan(rng: EvenRandom) -> Statement | Question:
    """'Tomorrow we will visit Anna.', 'Will you help me?'"""
    clause = replace(draw_deed(rng, "wished"), tense="future", progressive=False)
    draw = rng.random()
    if draw < odds("plan.asked") and clause.subject not in (I, WE):
        return Question(clause)
    if draw < odds("plan.denied"):
        return Statement(negate(rng, clause))
    clause = with_adverb(rng, clause) if draw < odds("plan.with_adverb") else clause
    if draw < odds("plan.fronted") and clause.adverbs and clause.adverbs[0].may_be_fronted:
        return Statement(replace(clause, adverbs=()), fronted=clause.adverbs[0])
    return Statement(clause)


def draw_command(rng: EvenRandom) -> Command:
    """'Please open the door.', 'Don't sell the car.', 'Let's dance.'"""
    if rng.chance("command.together"):
        clause = draw_deed(rng, "liked", subject=WE, frames=_DONE_TOGETHER)
        return Command(replace(clause, progressive=False), together=True)
    clause = replace(draw_deed(rng, "told", subject=YOU), progressive=False)
    if rng.chance("command.denied"):
        clause = replace(negate(rng, clause), full_negation=False)
    return Command(clause, rng.pick(("first", "first", "last", "", "", "")))


def draw_whereabouts(rng: EvenRandom) -> Statement | Question:
    """'My brother is in the garden.', 'Is Anna in Berlin?', 'The key is on the table.'"""
    verb = rng.word(_what_is_somewhere())
    is_by_people = "person" in verb.subjects
    subject = draw_person(rng, "somewhere") if is_by_people else draw_subject(rng, verb)
    phrase = draw_position(rng, verb, subject)
    if is_by_people and rng.chance("whereabouts.city"):
        phrase = draw_city_phrase(rng, direction=False)
    tense = rng.pick(("present", "present", "past"))
    clause = Clause(subject, tense=tense, predicate=PlacePredicate(phrase))
    if rng.chance("whereabouts.asked") and subject not in (I, WE):
        return Question(clause)
    return Statement(negate(rng, clause) if rng.chance("whereabouts.denied") else clause)


def draw_existence(rng: EvenRandom) -> Existence:
    """'There is a park in the village.', 'Are there many churches here?'"""
    row = rng.word(lexicon.found())
    noun = rng.word(row.things)
    may_be_several = noun.has_plural and row.most > _FEW
    is_alive = not noun.classes.isdisjoint(words("alive_things"))
    plural = is_alive or row.most > _MANY or (may_be_several and rng.chance("existence.plural"))
    is_asked = rng.chance("existence.asked")  # not 'Are there 8434 books in the library?'
    thing = draw_new(rng, noun, plural, share="existing")
    if may_be_several and not is_asked and rng.chance("existence.counted"):
        thing = NounPhrase(noun, "zero", plural=True, count=names.count(rng, row.most))
    place = _draw_place_of(rng, row)
    tense = rng.pick(("present", "present", "past"))
    is_counted = thing.count is not None or thing.determiner not in ("zero", "indefinite")
    if is_asked:
        return Existence(thing, place, tense, asked=True)
    return Existence(thing, place, tense, negated=not is_counted and rng.chance("existence.denied"))


def _draw_place_of(rng: EvenRandom, row: Found) -> PrepositionalPhrase | Adverb:
    noun = rng.word(row.places)
    if noun.english in listed("settlements") and rng.chance("existence.here"):
        return lexicon.adverbs()["here"]
    if noun.english == "city" and rng.chance("existence.named_city"):
        return draw_city_phrase(rng, direction=False)
    entry = lexicon.preposition("in", "place")
    if row.most < _IN_ROOMS and rng.chance("existence.possessed"):
        return PrepositionalPhrase(entry, NounPhrase(noun, rng.pick(possessives_of(noun))))
    return PrepositionalPhrase(entry, NounPhrase(noun))


def draw_nobody(rng: EvenRandom) -> Statement | Question:
    """'Nobody called me.', 'Has everybody eaten?', 'I bought something.'"""
    tense = rng.pick(("present", "past", "past"))
    if rng.chance("nobody.something"):
        return _draw_something(rng, tense)
    if rng.chance("nobody.everybody"):
        clause = draw_deed(rng, "liked", tense, HE, _DONE_TOGETHER)
        who = ("everybody", "everyone")
    else:
        clause = draw_deed(rng, "told", tense, YOU)
        who = ("somebody", "someone", "nobody", "no one")
    clause = settled(replace(clause, subject=Somebody(rng.pick(who))))
    return Question(clause) if rng.chance("nobody.asked") else Statement(clause)


def _draw_something(rng: EvenRandom, tense: str) -> Statement:
    subject = draw_person(rng, "finding")
    if rng.chance("nobody.affirmed"):
        verb = lexicon.verb(rng.pick(("buy", "see", "hear", "find", "need", "forget", "eat")))
        tense = tense if verb.is_state else "past"
        thing = Somebody(rng.pick(("something", "nothing", "everything")))
        return Statement(Clause(subject, verb, tense, object=thing))
    thing = Somebody(rng.pick(("nothing", "nobody")))
    verbs = {
        "nothing": ("buy", "see", "hear", "find", "need", "eat", "forget"),
        "nobody": ("see", "hear", "visit", "meet", "know", "call", "invite"),
    }
    verb = lexicon.verb(rng.pick(verbs[thing.english]))
    tense = tense if verb.is_state else "past"
    return Statement(Clause(subject, verb, tense, negated=True, object=thing))


def draw_numbers(rng: EvenRandom) -> Statement | Question:
    """'We have 25 students.', 'How many brothers do you have?', 'Which book ...?'"""
    if rng.chance("numbers.which"):
        return _draw_which(rng)
    row = rng.word(lexicon.counted())
    noun = rng.word(row.things)
    subject = draw_person(rng, "talking")
    while is_several(subject) and "kin" in noun.classes:
        subject = draw_person(rng, "talking")
    tense = rng.pick(("present", "past")) if row.verb.is_state else "past"
    if rng.chance("numbers.asked") and subject not in (I, WE):
        asked = NounPhrase(noun, "how many", plural=True)
        return Question(Clause(subject, row.verb, tense, object=asked), "phrase", "object")
    count = names.count(rng, row.high, row.low)
    thing = NounPhrase(noun, "zero", plural=True, count=count)
    return Statement(settled(Clause(subject, row.verb, tense, object=thing)))


def _draw_which(rng: EvenRandom) -> Question:
    """'Which film did you see?'"""
    verb = lexicon.verb(rng.pick(listed("which_verbs")))
    noun = draw_noun(rng, verb.objects)
    while noun.is_person or not noun.has_plural:
        noun = draw_noun(rng, verb.objects)
    asked = NounPhrase(noun, "which")
    tense = "present" if verb.is_state else "past"
    clause = Clause(draw_asked_about(rng), verb, tense, object=asked)
    return Question(clause, "phrase", "object")


def draw_language(rng: EvenRandom) -> Statement | Question:
    """'She speaks German.', 'My son plays soccer.', 'Do you study physics?'"""
    frame = rng.pick(("language", "language", "sport"))
    verb = rng.word(verbs_with(frame))
    clause = Clause(draw_person(rng, "close"), verb, rng.pick(("present", "present", "past")))
    clause = replace(clause, object=_draw_bare_object(rng, verb, frame))
    if rng.chance("language.modal") and not verb.is_state:
        kinds = ("can", "want", "have to", "would like to", "like to")
        clause = replace(clause, modal=rng.pick(kinds), tense="present")
    elif clause.tense == "present" and _is_going_on(verb, rng.chance("language.going_on")):
        clause = replace(clause, progressive=True)
    if rng.chance("language.asked") and clause.subject not in (I, WE):
        return Question(clause)
    if rng.chance("language.denied"):
        clause = negate(rng, clause)
    elif rng.chance("language.with_adverb"):
        clause = with_adverb(rng, clause)
    return Statement(clause)


def _draw_bare_object(rng: EvenRandom, verb: Verb, frame: str) -> Nominal:
    if frame == "language":
        return Bare(*rng.pick(lexicon.languages().items()))
    return NounPhrase(draw_noun(rng, verb.objects), "generic")


def draw_opinion(rng: EvenRandom) -> Statement | Question:
    """'I don't know whether he is coming', 'Do you know where she lives?'"""
    kind = rng.pick(("whether", "where", "why"))
    know = lexicon.verb("know", "wissen")
    subject = draw_asked_about(rng)
    subordinate = Subordinate(kind, _draw_unknown(rng, kind, subject))
    if subject != YOU and rng.chance("opinion.asked"):
        return Question(Clause(YOU, know), subordinate=subordinate)
    return Statement(negate(rng, Clause(rng.pick((I, I, WE)), know)), subordinate=subordinate)


def _draw_unknown(rng: EvenRandom, kind: str, subject: Nominal) -> Clause:
    """What one does not know of somebody or something."""
    if kind == "where":
        return Clause(subject, lexicon.verb(rng.pick(("live", "work", "sleep"))))
    if kind == "whether" and rng.chance("opinion.copula"):
        return plainly(draw_copula(rng, draw_described_thing(rng), "present"))
    if kind == "why":
        verb = lexicon.verb(rng.pick(listed("why_verbs")))
        clause = Clause(subject, verb, rng.pick(("present", "past")))
        return replace(clause, progressive=clause.tense == "present")
    clause = draw_modal_clause(rng, subject)
    return replace(clause, modal=rng.pick(("can", "want")), tense="present")


def draw_passive(rng: EvenRandom) -> Statement:
    """'The house was built by my father.'"""
    verb = rng.word(v for v in verbs_with("transitive") if _may_be_told_of_things(v))
    thing = draw_noun(rng, verb.objects)
    while thing.is_person:
        thing = draw_noun(rng, verb.objects)
    has_agent = rng.chance("passive.agent")
    agent = draw_known(rng, draw_noun(rng, PERSON), share="none") if has_agent else None
    passive = Clause(draw_known(rng, thing), verb, "past", passive=True, agent=agent)
    return Statement(with_adverb(rng, passive) if agent is None else passive)


def draw_pairs(rng: EvenRandom) -> Statement | Question:
    """'an apple and a pear', 'a fork or a spoon', 'my brother and I'."""
    name = rng.pick(table("done_to_pairs"))
    kind = frozenset({rng.pick(table("done_to_pairs")[name])})
    things = _mentioned(draw_noun(rng, kind)), _mentioned(draw_noun(rng, kind))
    while not _go_together(*things, kind):
        things = _mentioned(draw_noun(rng, kind)), _mentioned(draw_noun(rng, kind))
    verb = lexicon.verb(name)
    if rng.chance("pairs.asked"):
        tense = "present" if verb.is_state else "past"
        return Question(Clause(YOU, verb, tense, object=Coordination(*things, "or")))
    tense = rng.pick(("past", "past", "present"))
    subject = draw_person(rng, "familiar")
    if rng.chance("pairs.with_me"):
        relation = NounPhrase(rng.word(nouns_in(frozenset({"relation"}))), "my")
        subject = Coordination(relation, I)
    clause = Clause(subject, verb, tense, object=Coordination(*things))
    is_going_on = tense == "present" and verb.has_progressive
    return Statement(replace(clause, progressive=is_going_on))


def _is_going_on(verb: Verb, may_be: bool) -> bool:
    """'She is learning Romanian', but 'She is teaching' or 'teaches English'."""
    return verb.english == "learn" or (verb.has_progressive and may_be)


def _mentioned(noun: Noun) -> NounPhrase:
    """'a fork', 'tea', 'cherries'."""
    plural = "paired" in noun.classes
    return NounPhrase(noun, indefinite_determiner(noun, plural), (), plural)


def _go_together(first: NounPhrase, second: NounPhrase, kind: frozenset[str]) -> bool:
    """Not 'cherries and fruit', 'white wine and wine', nor 'a ladder and the scissors'."""
    is_alike = first.determiner == second.determiner
    is_special = {first.noun.english, second.noun.english}.isdisjoint({*kind, "clothes"})
    one, other = first.noun.english, second.noun.english
    is_special = is_special and not (one.endswith(f" {other}") or other.endswith(f" {one}"))
    return is_alike and is_special and is_distinct(first, second)


def _may_be_told_of_things(verb: Verb) -> bool:
    """'was built', by people."""
    return verb.english in words("done_to_things") and "person" in verb.subjects
