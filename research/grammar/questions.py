"""Random questions."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.clauses import draw_clause, settled, with_adverb
from research.grammar.entries import Verb
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import draw_person
from research.grammar.selection import verbs_for, verbs_with
from research.grammar.statements import (
    draw_any_clause,
    draw_copula,
    draw_deed,
    draw_described_thing,
    draw_modal_clause,
    negate,
)
from research.grammar.syntax import HE, WE, YOU, AdjectivalPredicate, Clause, I, Nominal, Question
from research.grammar.tables import listed, odds, words


def draw_asked_about(rng: EvenRandom) -> Nominal:
    """Whom one asks about: nobody asks what he does himself."""
    if rng.chance("questions.of_you"):
        return YOU
    subject = draw_person(rng, "familiar")
    while subject in (I, WE, YOU):
        subject = draw_person(rng, "familiar")
    return subject


def draw_yes_no(rng: EvenRandom) -> Question:
    """A yes-no question."""
    draw = rng.random()
    if draw < odds("yes_no.copula"):
        return Question(draw_copula(rng, draw_described_thing(rng)))
    if draw < odds("yes_no.modal"):
        return Question(_draw_asked_modal(rng))
    clause = _draw_asked_clause(rng)
    if rng.chance("yes_no.with_adverb"):
        clause = with_adverb(rng, clause)
    elif rng.chance("yes_no.denied"):
        clause = negate(rng, clause)
    return Question(clause)


def _draw_asked_modal(rng: EvenRandom) -> Clause:
    """'Can you swim?', 'Must I wait?', but not 'Did I want to wait?'

    Nor 'Should I wait?', which is 'Soll ich?' beside 'Sollte er?', and 'Could you wait?' is
    'Könntest du?', too.
    """
    subject = rng.pick((I, WE, draw_asked_about(rng), draw_asked_about(rng)))
    clause = draw_modal_clause(rng, subject)
    unasked = ("want", "should")
    while subject in (I, WE) and (clause.tense == "past" or clause.modal in unasked):
        clause = draw_modal_clause(rng, subject)
    return replace(clause, tense="present") if clause.modal == "can" else clause


def _draw_asked_clause(rng: EvenRandom, tense: str | None = None) -> Clause:
    """A clause about somebody else; of what is not human, about that."""
    clause = draw_any_clause(rng, tense)
    while "person" in clause.verb.subjects and clause.subject in (I, WE):
        clause = draw_any_clause(rng, tense)
    return clause


def draw_wh_question(rng: EvenRandom) -> Question:
    """A question with a w-word."""
    kinds = (_draw_who, _draw_who, _draw_what, _draw_where, _draw_whither)
    return rng.pick((*kinds, _draw_adverbial, _draw_adverbial))(rng)


def _draw_who(rng: EvenRandom) -> Question:
    draw = rng.random()
    if draw < odds("who.subject"):
        clause = draw_deed(rng, "told", rng.pick(("past", "present", "perfect")), YOU)
        return Question(settled(replace(clause, subject=HE)), "who", "subject")
    if draw < odds("who.recipient"):
        verb = rng.word(verbs_for("told", frozenset({"ditransitive"})))
        clause = draw_clause(rng, verb, "ditransitive", None, draw_asked_about(rng))
        return Question(replace(clause, recipient=None), "who", "recipient")
    frame = rng.pick(("transitive", "dative"))
    verbs = [v for v in verbs_with(frame) if "person" in v.objects and "person" in v.subjects]
    clause = draw_clause(rng, rng.word(verbs), frame, None, draw_asked_about(rng))
    return Question(replace(clause, object=None), "who", "object")


def _draw_what(rng: EvenRandom) -> Question:
    verbs = [v for v in verbs_with("transitive") if _is_clear_without_object(v)]
    clause = draw_clause(rng, rng.word(verbs), "transitive", None, draw_asked_about(rng))
    return Question(replace(clause, object=None), "what", "object")


def _draw_where(rng: EvenRandom) -> Question:
    verb = rng.word(verbs_with("position"))
    subject = draw_asked_about(rng) if "person" in verb.subjects else None
    return Question(replace(draw_clause(rng, verb, "position", None, subject), phrases=()), "where")


def _draw_whither(rng: EvenRandom) -> Question:
    name = rng.pick(listed("moves"))
    verb = next(v for v in lexicon.verbs() if v.english == name and _moves(v))
    frame = "travel" if "travel" in verb.frames else "motion"
    clause = draw_clause(rng, verb, frame, None, draw_asked_about(rng))
    return Question(replace(clause, phrases=()), "whither")


def _draw_adverbial(rng: EvenRandom) -> Question:
    asked = rng.pick(("when", "why", "why", "how"))
    tense = rng.pick(("past", "past", "present"))
    if asked == "when":
        verbs = [v for v in verbs_with("intransitive") if v.kind == "event" and v.level < 3]
        if tense == "present":
            verbs = [v for v in verbs if v.english in words("scheduled")]
        verb = rng.word(verbs)
        subject = draw_asked_about(rng) if "person" in verb.subjects else None
        return Question(draw_clause(rng, verb, "intransitive", tense, subject), asked)
    if asked == "how":
        verb = lexicon.verb(rng.pick(listed("how_verbs")))
        return Question(draw_clause(rng, verb, "transitive", tense, draw_asked_about(rng)), asked)
    clause = draw_deed(rng, "told", tense, draw_asked_about(rng))
    if rng.chance("why.state"):
        state = AdjectivalPredicate(lexicon.adjectives()[rng.pick(listed("states"))])
        clause = Clause(draw_asked_about(rng), tense=tense, predicate=state)
    return Question(negate(rng, clause) if rng.chance("why.denied") else clause, asked)


def _moves(verb: Verb) -> bool:
    return "person" in verb.subjects and not verb.frames.isdisjoint({"motion", "travel"})


def _is_clear_without_object(verb: Verb) -> bool:
    """Not 'What did you wash?', which is waschen or spülen, nor where 'who' may be asked.

    Nor of what simply is so: 'What did he hate?'
    """
    same = [v for v in verbs_with("transitive") if v.english == verb.english]
    has_one_meaning = len({v.german_infinitive for v in same}) == 1
    is_done = not verb.is_state and verb.object_is != "known" and "person" in verb.subjects
    return is_done and has_one_meaning and not verb.objects & {"person", "young"}
