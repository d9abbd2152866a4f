"""Random sentences with a subordinate or a relative clause, whose two clauses belong together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from research.grammar import lexicon
from research.grammar.descriptions import DescriptionSampler
from research.grammar.lexicon import Deed, Noun, Reason, Verb
from research.grammar.phrases import (
    agreement_pronoun,
    is_distinct,
    is_several,
    is_third_singular,
    natural_pronoun,
    own_possessive,
    settled,
)
from research.grammar.selection import nouns_in, predicates_of, verbs_with
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

_SAID = ("say", "think", "believe", "know", "hope")
# What one says about people and things that one talks of.
_RELATED_TO = ("transitive", "transitive", "dative")
_HEADS = frozenset({"person", "profession", "young"})
_MOST_COMMON = 3  # words of the levels below it are in relative clauses


class ComplexSentenceSampler(DescriptionSampler):
    """Draws sentences with two clauses."""

    def somebody(self) -> Nominal:
        """A person whom a pronoun may take up again: not 'the child', whose sex is not known."""
        subject = self.person(0.5, 0.3)
        while natural_pronoun(subject) is None:
            subject = self.person(0.5, 0.3)
        return subject

    def deed_of(self, deed: Deed, subject: Nominal, tense: str) -> Clause:
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

    def consequence(self, kind: str, subject: Nominal) -> tuple[Reason, Deed]:
        """A state with what one then does ('deeds') or does not do ('undone')."""
        reason = self.pick(one for one in lexicon.reasons() if getattr(one, kind))
        deed = self.pick(getattr(reason, kind))
        return (reason, deed) if is_clear_of(deed, subject) else self.consequence(kind, subject)

    def state_of(self, reason: Reason, subject: Nominal, tense: str) -> Clause:
        """'He was too tired'."""
        predicate = AdjectivalPredicate(reason.state, self.pick(reason.degrees))
        return Clause(subject, tense=tense, predicate=predicate)

    def subordinate(self) -> Statement:
        """weil, obwohl, wenn or dass with its verb at the end."""
        kind = self.pick(("because", "because", "although", "if", "that", "that"))
        if kind == "that":
            return self._that()
        subject, tense = self.somebody(), self.pick(("past", "past", "present"))
        tense = "present" if kind == "if" else tense
        is_done = kind != "although" and self.chance(0.5)
        reason, deed = self.consequence("deeds" if is_done else "undone", subject)
        main = self.deed_of(deed, subject, tense)
        state = self.state_of(reason, natural_pronoun(subject), tense)
        if kind == "although" or (is_done and state.predicate.degree == "too"):
            state = _very(state)
        if kind == "if" and is_done:
            state = plainly(state)
        if kind != "although" and not is_done:
            main = self.negate(main)
        if kind == "if":
            return self._condition(main, state, subject)
        is_going_on = tense == "present" and main.verb.has_progressive
        main = replace(main, progressive=is_going_on)
        return Statement(main, subordinate=Subordinate(kind, state))

    def _condition(self, main: Clause, state: Clause, subject: Nominal) -> Statement:
        """'If he is tired, he goes to bed', the name in the first of the clauses."""
        state = replace(state, subject=subject)
        main = replace(main, subject=natural_pronoun(subject))
        return Statement(main, fronted=Subordinate("if", state))

    def _that(self) -> Statement:
        """'I think that the film is boring', 'She said that she could swim'."""
        verb = self.pick(v for v in verbs_with("that") if v.english in _SAID)
        subject = self.person(0.65, 0.25)
        if verb.english == "hope":
            inner = replace(self.deed("wished", "future"), progressive=False)
            return Statement(Clause(subject, verb), subordinate=Subordinate("that", inner))
        tense = self.pick(("past", "present", "present"))
        main = Clause(subject, verb, tense)
        if self.chance(0.15) and verb.english in ("think", "believe", "know"):
            main = self.negate(main)
        return Statement(main, subordinate=Subordinate("that", self._said(subject, tense)))

    def _said(self, subject: Nominal, tense: str) -> Clause:
        draw = self.rng.random()
        if draw < 0.5:
            return self.copula(self.thing_or_person(), tense)
        if draw < 0.7 and tense == "present":
            return self.deed("told", "perfect", self.person(0.5, 0.3))
        again = natural_pronoun(subject) or self.pick((HE, SHE))
        inner = self.modal_clause(again if again in (HE, SHE) else self.person(0.6, 0.3))
        while inner.modal == "want" or (tense == "past" and inner.modal in ("must", "should")):
            inner = self.modal_clause(inner.subject)
        return replace(inner, tense=tense)

    def relative(self) -> Statement:
        """A noun with a relative clause, as subject of 'be' or as object."""
        head = self._relative_phrase()
        if head.noun.is_person and self.chance(0.5):
            verb = lexicon.verb(self.pick(("know", "see", "meet", "like", "thank")))
            subject = self.person(0.7, 0.3)
            # Of one tense; without this draw all sentences after it would be others.
            return Statement(Clause(subject, verb, self.pick(("past", "past")), object=head))
        return Statement(self.copula(head))

    def _relative_phrase(self) -> NounPhrase:
        kinds = (self._subject_relative, self._object_relative, self._phrase_relative)
        noun, relative, plural = self.pick((*kinds, self._object_relative))()
        if not predicates_of(noun):
            return self._relative_phrase()
        return NounPhrase(noun, "definite", (), plural, relative=relative)

    def _subject_relative(self) -> tuple[Noun, RelativeClause, bool]:
        noun = self.word(_heads(_HEADS))
        plural = self.chance(0.2)
        stand_in = agreement_pronoun(plural)
        clause = self.deed("told", "past", YOU)
        while not _is_told_apart(noun, clause.object):
            clause = self.deed("told", "past", YOU)
        clause = settled(replace(clause, subject=stand_in))
        return noun, RelativeClause(clause, "subject"), plural

    def _object_relative(self) -> tuple[Noun, RelativeClause, bool]:
        verb = self.word(v for v in verbs_with(self.pick(_RELATED_TO)) if _may_relate(v))
        noun = self.word(_heads(verb.objects))
        subject = self.person(0.6, 0.3)
        while not is_distinct(subject, NounPhrase(noun)):
            subject = self.person(0.6, 0.3)
        clause = settled(Clause(subject, verb, "past"))
        return noun, RelativeClause(clause, "object"), self.several(noun)

    def _phrase_relative(self) -> tuple[Noun, RelativeClause, bool]:
        verb = lexicon.verb(self.pick(("live", "work", "sleep")))
        entry = lexicon.preposition("in", "place")
        usable = [n for n in nouns_in(entry.objects) if n.belongs_to(verb.objects)]
        noun = self.word(usable)
        subject, tense = self.person(0.6, 0.3), self.pick(("past", "present"))
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
    """Of people, without a prefix that would trail behind, and not of what is always new."""
    is_plain = verb.prefix == lexicon.ABSENT and verb.object_is in ("known", "any")
    is_common = "person" in verb.subjects and verb.level < _MOST_COMMON
    return is_plain and is_common and bool(_heads(verb.objects))


def _is_told_apart(noun: Noun, other: Nominal | None) -> bool:
    return other is None or is_distinct(NounPhrase(noun), other)
