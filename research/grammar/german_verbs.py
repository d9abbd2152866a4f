"""The German verb: what is finite, and what closes the clause."""

from __future__ import annotations

from dataclasses import dataclass, replace

from research.grammar import german_forms as forms
from research.grammar.entries import ABSENT
from research.grammar.syntax import (
    YOU,
    Clause,
    Coordination,
    Nominal,
    NounPhrase,
    Pronoun,
    Somebody,
)
from research.grammar.text import Word, words

# Like 'sein' and the modal verbs these keep the Präteritum where people talk to each other.
_SAID_IN_PAST = frozenset({"haben", "wissen", "kennen", "mögen"})


_MODALS = {
    "can": "können",
    "must": "müssen",
    "have to": "müssen",
    "be allowed to": "dürfen",
    "want": "wollen",
    "should": "sollen",
    "would like": "möchten",
    "would like to": "möchten",
}


@dataclass(frozen=True)
class _Cluster:
    """The finite verb and what closes the clause: prefix, participle or infinitive."""

    finite: list[Word]
    tail: list[Word]
    joined: list[Word]  # finite verb and tail in a verb-final clause


def agreement(subject: Nominal) -> tuple[int, bool]:
    """Person and number that the finite verb takes from its subject."""
    if isinstance(subject, Pronoun):
        return subject.person, subject.plural
    if isinstance(subject, Coordination):
        persons = [agreement(subject.first)[0], agreement(subject.second)[0]]
        is_or = subject.conjunction == "or"
        return agreement(subject.second) if is_or else (min(persons), True)
    if isinstance(subject, Somebody):
        return 3, subject.english in ("everybody", "everyone")
    return 3, isinstance(subject, NounPhrase) and is_plural(subject)


def is_plural(phrase: NounPhrase) -> bool:
    """Whether the German noun is a plural: 'die Hausaufgaben sind' though 'the homework is'."""
    return phrase.plural or phrase.noun.gender == "p"


def in_perfect(clause: Clause) -> Clause:
    """Where people talk to each other the past is the Perfekt: 'Hast du den Ball gefunden?'

    The clause itself where German says the Präteritum: 'Warst du krank?', 'Wusstest du das?'
    """
    keeps = clause.verb is None or clause.verb.infinitive in _SAID_IN_PAST
    if clause.tense != "past" or keeps or clause.modal or clause.passive:
        return clause
    return replace(clause, tense="perfect", progressive=False)


def verb_cluster(clause: Clause, at: str) -> _Cluster:
    """The verbs of a clause, in their tense, mood and voice."""
    if clause.subject == YOU:
        clause = in_perfect(clause)
    person, plural = agreement(clause.subject)
    verb, lexicon_verb = f"{at}verb", clause.verb
    if clause.modal is not None and clause.modal != "like to":
        return _modal_cluster(clause, at, person, plural)
    if clause.tense == "future":
        finite = words(forms.werden("present", person, plural), f"{at}future")
        return _around(finite, _infinitive(clause, at))
    if clause.passive:
        finite = words(forms.werden(clause.tense, person, plural), f"{at}passive")
        return _around(finite, words(lexicon_verb.german_participle, verb))
    if clause.tense == "perfect" and not clause.progressive:
        return _perfect_cluster(clause, at, person, plural)
    # 'has been waiting since ...' still goes on, hence the German present.
    tense = "present" if clause.tense == "perfect" else clause.tense
    if lexicon_verb is None:
        finite = words(forms.sein(tense, person, plural), verb)
        return _Cluster(finite, [], finite)
    finite = forms.finite(lexicon_verb, tense, person, plural)
    prefix = "" if lexicon_verb.prefix == ABSENT else lexicon_verb.prefix
    return _Cluster(words(finite, verb), words(prefix, verb), words(prefix + finite, verb))


def _around(finite: list[Word], tail: list[Word]) -> _Cluster:
    return _Cluster(finite, tail, [*tail, *finite])


def _perfect_cluster(clause: Clause, at: str, person: int, plural: bool) -> _Cluster:
    verb = clause.verb
    finite = forms.auxiliary(verb.auxiliary if verb else "sein", person, plural)
    participle = verb.german_participle if verb else "gewesen"
    return _around(words(finite, f"{at}perfect"), words(participle, f"{at}verb"))


def _modal_cluster(clause: Clause, at: str, person: int, plural: bool) -> _Cluster:
    modal = _MODALS[clause.modal]
    if clause.modal == "must" and clause.negated:
        modal = "dürfen"  # 'must not' forbids; 'does not have to' is 'nicht müssen'
    if clause.tense == "future":  # 'will have to'
        finite = words(forms.werden("present", person, plural), f"{at}future")
        return _around(finite, [*_infinitive(clause, at), *words(modal, f"{at}modal")])
    finite = words(forms.modal(modal, clause.tense, person, plural), f"{at}modal")
    return _around(finite, _infinitive(clause, at))


def _infinitive(clause: Clause, at: str) -> list[Word]:
    if clause.passive:
        participle = words(clause.verb.german_participle, f"{at}verb")
        return [*participle, *words("werden", f"{at}passive")]
    if clause.verb is not None:
        return words(clause.verb.german_infinitive, f"{at}verb")
    return [] if clause.predicate is None else words("sein", f"{at}verb")
