"""German linearisation of the abstract syntax: word order, and the choice of forms."""

from __future__ import annotations

from research.grammar import german_forms as forms
from research.grammar.entries import ABSENT, Adverb
from research.grammar.german_clauses import (
    CONJUNCTIONS,
    closing_clause,
    gap_case,
    middle_field,
    nominal,
    object_pronouns,
    prepositional_phrase,
    subject_and_pronouns,
    subordinate_clause,
    verb_first,
)
from research.grammar.german_verbs import in_perfect, verb_cluster
from research.grammar.syntax import (
    Chain,
    Command,
    Compound,
    Existence,
    PrepositionalPhrase,
    Question,
    Statement,
    Subordinate,
)
from research.grammar.text import COMMA, Word, words

_QUESTION_WORDS = {
    "where": "wo",
    "whither": "wohin",
    "when": "wann",
    "why": "warum",
    "how": "wie",
    "what": "was",
}
_WHO = {"nom": "wer", "acc": "wen", "dat": "wem"}


def statement(sentence: Statement, at: str = "", *, subject: bool = True) -> list[Word]:
    """Words of a statement, the finite verb in second place; without subject after 'und'."""
    clause = sentence.clause
    cluster = verb_cluster(clause, at)
    if not subject:
        written = [*cluster.finite, *object_pronouns(clause, at)]
    elif sentence.fronted is None:
        lead = nominal(clause.subject, "nom", f"{at}subject")
        written = [*lead, *cluster.finite, *object_pronouns(clause, at)]
    else:
        lead = _fronted(sentence.fronted, f"{at}fronted")
        written = [*lead, *verb_first(sentence, at)]
        return written + closing_clause(sentence.subordinate, at)
    written += [*middle_field(clause, at), *cluster.tail]
    return written + closing_clause(sentence.subordinate, at)


def existence(sentence: Existence) -> list[Word]:
    """Words of 'es gibt', the place first in a statement: 'Im Dorf gibt es einen Park'."""
    verb = words({"present": "gibt", "past": "gab"}[sentence.tense], "verb")
    es, place = words("es", "there"), _where(sentence.place)
    thing = _thing_there(sentence)
    if sentence.asked:
        return [*verb, *es, *place, *thing]
    return [*place, *verb, *es, *thing] if place else [*es, *verb, *thing]


def _thing_there(sentence: Existence) -> list[Word]:
    thing = sentence.thing
    if not sentence.negated:
        return nominal(thing, "acc", "object")
    if thing.count is not None or thing.determiner not in ("indefinite", "zero"):
        return [*words("nicht", "negation"), *nominal(thing, "acc", "object")]
    return nominal(thing, "acc", "object", "negation")


def _where(place: PrepositionalPhrase | Adverb | None) -> list[Word]:
    if place is None:
        return []
    if isinstance(place, PrepositionalPhrase):
        return prepositional_phrase(place, "place")
    return words(place.german, "place")


def compound(sentence: Compound) -> list[Word]:
    """Words of two statements; a comma before aber and deshalb, which takes the first place."""
    first = statement(sentence.first, "first/")
    conjunction = words(CONJUNCTIONS[sentence.conjunction], "conjunction")
    if sentence.conjunction == "so":
        return [*first, COMMA, *conjunction, *verb_first(sentence.second, "second/")]
    comma = [COMMA] if sentence.conjunction == "but" else []
    second = statement(sentence.second, "second/", subject=not sentence.shares_subject)
    return [*first, *comma, *conjunction, *second]


def chain(sentence: Chain) -> list[Word]:
    """Words of all statements, 'und' between them."""
    written = statement(sentence.links[0], "link0/")
    for i, link in enumerate(sentence.links[1:], start=1):
        conjunction = words(CONJUNCTIONS["and"], f"conjunction{i}")
        written += [*conjunction, *statement(link, f"link{i}/")]
    return written


def command(sentence: Command) -> list[Word]:
    """Words of an imperative: 'Bitte öffne die Tür nicht', 'Lass uns tanzen'."""
    clause = sentence.clause
    please = words("bitte" if sentence.please else "", "please")
    verb = clause.verb
    if sentence.together:
        lead = words("lass uns", "together")
        tail = words(verb.german_infinitive, "verb")
    else:
        lead = words(forms.imperative(verb), "verb")
        tail = words(verb.prefix if verb.prefix != ABSENT else "", "verb")
    return [*please, *lead, *object_pronouns(clause, ""), *middle_field(clause, ""), *tail]


def question(sentence: Question) -> list[Word]:
    """Words of a question, without its mark."""
    clause, gap = sentence.clause, sentence.gap
    cluster = verb_cluster(in_perfect(clause), "")
    written = [*_asked(sentence), *cluster.finite, *subject_and_pronouns(clause, "", gap)]
    written += [*middle_field(clause, "", gap), *cluster.tail]
    return written + closing_clause(sentence.subordinate, "")


def _asked(sentence: Question) -> list[Word]:
    clause = sentence.clause
    if sentence.asked == "who":
        return words(_WHO[gap_case(clause, sentence.gap)], "asked")
    if sentence.asked == "phrase":
        asked = getattr(clause, sentence.gap)
        return nominal(asked, gap_case(clause, sentence.gap), sentence.gap)
    return words(_QUESTION_WORDS.get(sentence.asked, ""), "asked")


def _fronted(front: object, at: str) -> list[Word]:
    if isinstance(front, Subordinate):
        return subordinate_clause(front, f"{at}/")
    if isinstance(front, PrepositionalPhrase):
        return prepositional_phrase(front, at)
    return words(front.german, at)
