"""Random sentences with a subordinate or a relative clause, whose two clauses belong together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from research.grammar import lexicon
from research.grammar.clauses import settled
from research.grammar.entries import Deed, Noun, Reason, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import (
    agreement_pronoun,
    draw_person,
    draws_several,
    is_distinct,
    is_several,
    is_third_singular,
    natural_pronoun,
    own_possessive,
)
from research.grammar.selection import nouns_in, predicates_of, verbs_with
from research.grammar.statements import (
    draw_copula,
    draw_deed,
    draw_modal_clause,
    draw_thing_or_person,
    negate,
)
from research.grammar.syntax import (
    HE,
    SHE,
    YOU,
    AdjectivalPredicate,
    Clause,
    Nominal,
    NounPhrase,
    PrepositionalPhrase,
    RelativeClause,
    Statement,
    Subordinate,
)
from research.grammar.tables import listed, odds

# What one says about people and things that one talks of.
_RELATED_TO = ("transitive", "transitive", "dative")
_HEADS = frozenset({"person", "profession", "young"})
_MOST_COMMON = 3  # words of the levels below it are in relative clauses


def draw_somebody(rng: EvenRandom) -> Nominal:
    """A person whom a pronoun may take up again: not 'the child', whose sex is not known."""
    subject = draw_person(rng, "familiar")
    while natural_pronoun(subject) is None:
        subject = draw_person(rng, "familiar")
    return subject


def deed_of(deed: Deed, subject: Nominal, tense: str) -> Clause:
    """The clause of a deed that a table names."""
    clause = Clause(subject, deed.verb, tense)
    if deed.noun is None:
        return clause
    own = own_possessive(subject) or "definite"
    articles = {"a": "indefinite", "the": "definite", "own": own}
    plural = deed.plural
    if deed.article == "own" and is_several(subject) and "single" not in deed.noun.classes:
        plural = deed.noun.has_plural
    thing = NounPhrase(deed.noun, articles.get(deed.article, "zero"), (), plural)
    return replace(clause, object=thing)


def draw_consequence(rng: EvenRandom, kind: str, subject: Nominal) -> tuple[Reason, Deed]:
    """A state with what one then does ('deeds') or does not do ('undone')."""
    reason = rng.pick(one for one in lexicon.reasons() if getattr(one, kind))
    deed = rng.pick(getattr(reason, kind))
    return (reason, deed) if is_clear_of(deed, subject) else draw_consequence(rng, kind, subject)


def draw_state(rng: EvenRandom, reason: Reason, subject: Nominal, tense: str) -> Clause:
    """'He was too tired'."""
    predicate = AdjectivalPredicate(reason.state, rng.pick(reason.degrees))
    return Clause(subject, tense=tense, predicate=predicate)


def draw_subordinate(rng: EvenRandom) -> Statement:
    """weil, obwohl, wenn or dass with its verb at the end."""
    kind = rng.pick(("because", "because", "although", "if", "that", "that"))
    if kind == "that":
        return _draw_that(rng)
    subject, tense = draw_somebody(rng), rng.pick(("past", "past", "present"))
    tense = "present" if kind == "if" else tense
    is_done = kind != "although" and rng.chance("subordinate.done")
    reason, deed = draw_consequence(rng, "deeds" if is_done else "undone", subject)
    main = deed_of(deed, subject, tense)
    state = draw_state(rng, reason, natural_pronoun(subject), tense)
    if kind == "although" or (is_done and state.predicate.degree == "too"):
        state = _very(state)
    if kind == "if" and is_done:
        state = plainly(state)
    if kind != "although" and not is_done:
        main = negate(rng, main)
    if kind == "if":
        return _condition(main, state, subject)
    is_going_on = tense == "present" and main.verb.has_progressive
    main = replace(main, progressive=is_going_on)
    return Statement(main, subordinate=Subordinate(kind, state))


def _condition(main: Clause, state: Clause, subject: Nominal) -> Statement:
    """'If he is tired, he goes to bed', the name in the first of the clauses."""
    state = replace(state, subject=subject)
    main = replace(main, subject=natural_pronoun(subject))
    return Statement(main, fronted=Subordinate("if", state))


def _draw_that(rng: EvenRandom) -> Statement:
    """'I think that the film is boring', 'She said that she could swim'."""
    verb = rng.pick(v for v in verbs_with("that") if v.english in listed("said"))
    subject = draw_person(rng, "talking")
    if verb.english == "hope":
        inner = replace(draw_deed(rng, "wished", "future"), progressive=False)
        return Statement(Clause(subject, verb), subordinate=Subordinate("that", inner))
    tense = rng.pick(("past", "present", "present"))
    main = Clause(subject, verb, tense)
    if rng.chance("that.denied") and verb.english in ("think", "believe", "know"):
        main = negate(rng, main)
    return Statement(main, subordinate=Subordinate("that", _draw_said(rng, subject, tense)))


def _draw_said(rng: EvenRandom, subject: Nominal, tense: str) -> Clause:
    draw = rng.random()
    if draw < odds("said.copula"):
        return draw_copula(rng, draw_thing_or_person(rng), tense)
    if draw < odds("said.perfect") and tense == "present":
        return draw_deed(rng, "told", "perfect", draw_person(rng, "familiar"))
    again = natural_pronoun(subject) or rng.pick((HE, SHE))
    inner = draw_modal_clause(rng, again if again in (HE, SHE) else draw_person(rng, "close"))
    while inner.modal == "want" or (tense == "past" and inner.modal in ("must", "should")):
        inner = draw_modal_clause(rng, inner.subject)
    return replace(inner, tense=tense)


def draw_relative(rng: EvenRandom) -> Statement:
    """A noun with a relative clause, as subject of 'be' or as object."""
    head = _draw_relative_phrase(rng)
    if head.noun.is_person and rng.chance("relative.as_object"):
        verb = lexicon.verb(rng.pick(("know", "see", "meet", "like", "thank")))
        subject = draw_person(rng, "no_nouns")
        # Of one tense; without this draw all sentences after it would be others.
        return Statement(Clause(subject, verb, rng.pick(("past", "past")), object=head))
    return Statement(draw_copula(rng, head))


def _draw_relative_phrase(rng: EvenRandom) -> NounPhrase:
    kinds = (_draw_subject_relative, _draw_object_relative, _draw_phrase_relative)
    noun, relative, plural = rng.pick((*kinds, _draw_object_relative))(rng)
    if not predicates_of(noun):
        return _draw_relative_phrase(rng)
    return NounPhrase(noun, "definite", (), plural, relative=relative)


def _draw_subject_relative(rng: EvenRandom) -> tuple[Noun, RelativeClause, bool]:
    noun = rng.word(_heads(_HEADS))
    plural = rng.chance("relative.plural")
    stand_in = agreement_pronoun(plural)
    clause = draw_deed(rng, "told", "past", YOU)
    while not _is_told_apart(noun, clause.object):
        clause = draw_deed(rng, "told", "past", YOU)
    clause = settled(replace(clause, subject=stand_in))
    return noun, RelativeClause(clause, "subject"), plural


def _draw_object_relative(rng: EvenRandom) -> tuple[Noun, RelativeClause, bool]:
    verb = rng.word(v for v in verbs_with(rng.pick(_RELATED_TO)) if _may_relate(v))
    noun = rng.word(_heads(verb.objects))
    subject = draw_person(rng, "close")
    while not is_distinct(subject, NounPhrase(noun)):
        subject = draw_person(rng, "close")
    clause = settled(Clause(subject, verb, "past"))
    return noun, RelativeClause(clause, "object"), draws_several(rng, noun)


def _draw_phrase_relative(rng: EvenRandom) -> tuple[Noun, RelativeClause, bool]:
    verb = lexicon.verb(rng.pick(("live", "work", "sleep")))
    entry = lexicon.preposition("in", "place")
    usable = [n for n in nouns_in(entry.objects) if n.belongs_to(verb.objects)]
    noun = rng.word(usable)
    subject, tense = draw_person(rng, "close"), rng.pick(("past", "present"))
    phrase = PrepositionalPhrase(entry, NounPhrase(noun))
    clause = Clause(subject, verb, tense, phrases=(phrase,))
    return noun, RelativeClause(clause, "phrase"), False


def is_clear_of(deed: Deed, subject: Nominal) -> bool:
    """Whether English shows the tense: not of 'they cut the bread'."""
    return deed.verb.past != deed.verb.english or is_third_singular(subject)


def plainly(state: Clause) -> Clause:
    """Without 'very': 'If he is sad, he cries'."""
    return replace(state, predicate=replace(state.predicate, degree="positive"))


def _very(state: Clause) -> Clause:
    """'although he was very tired'."""
    degree = "very" if state.predicate.adjective.is_gradable else "positive"
    return replace(state, predicate=replace(state.predicate, degree=degree))


@cache
def _heads(classes: frozenset[str]) -> tuple[Noun, ...]:
    """Nouns that a relative clause tells apart from others: not one's only mother."""
    return tuple(
        noun
        for noun in nouns_in(classes)
        if noun.has_plural and noun.classes.isdisjoint({"relation", "body"})
    )


def _may_relate(verb: Verb) -> bool:
    """Whether people do it, without a prefix that would trail behind, to what may be known."""
    is_plain = verb.prefix == lexicon.ABSENT and verb.object_is in ("known", "any")
    is_common = "person" in verb.subjects and verb.level < _MOST_COMMON
    return is_plain and is_common and bool(_heads(verb.objects))


def _is_told_apart(noun: Noun, other: Nominal | None) -> bool:
    return other is None or is_distinct(NounPhrase(noun), other)
