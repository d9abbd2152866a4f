"""What decides on the order of a German clause, and between 'nicht' and 'kein'."""

from __future__ import annotations

from research.grammar.syntax import (
    Bare,
    Clause,
    Coordination,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PrepositionalPhrase,
    Somebody,
)
from research.grammar.text import Word, words

# What is felt for a kind is denied with 'nicht': 'hasst Spinnen nicht'.
_NEVER_KEIN = frozenset({"lieben", "hassen"})


def is_before_object(phrase: PrepositionalPhrase, clause: Clause) -> bool:
    """'kochte mit dem Gärtner eine Suppe': before an object that is new."""
    return phrase.preposition.role == "companion" and precedes_object(clause)


def in_slot(clause: Clause, slot: str, at: str) -> list[Word]:
    """The adverbs of the clause that belong in this slot."""
    return [
        word
        for i, adverb in enumerate(clause.adverbs)
        if adverb.slot == slot
        for word in words(adverb.german, f"{at}adverb{i}")
    ]


def precedes_object(clause: Clause) -> bool:
    """'Er trinkt schnell Saft', 'Sie lernt dort Tischtennis', but 'den Saft schnell'."""
    return is_indefinite(clause.object)


def is_indefinite(phrase: Nominal | None) -> bool:
    """Whether a nominal is mentioned for the first time."""
    if isinstance(phrase, Coordination):
        return is_indefinite(phrase.second)
    if not isinstance(phrase, NounPhrase):
        return isinstance(phrase, Bare)
    if phrase.owner is not None:
        return False
    return phrase.count is not None or phrase.determiner in (
        *("indefinite", "zero", "generic", "no", "many", "some", "a few"),
    )


def takes_kein(clause: Clause) -> bool:
    """Negation merges with an indefinite object or predicate noun: kein instead of nicht ein.

    So it does with a language: 'Er spricht kein Polnisch'.
    """
    if not clause.negated or clause.modal == "like to":
        return False
    phrase = clause.object
    if isinstance(clause.predicate, NominalPredicate):
        phrase = clause.predicate.phrase
    if isinstance(phrase, Bare):
        return True
    if isinstance(phrase, NounPhrase) and _is_felt(clause, phrase):
        return False
    return (
        isinstance(phrase, NounPhrase)
        and phrase.count is None
        and phrase.owner is None
        and phrase.determiner in ("indefinite", "zero", "generic", "no")
    )


def _is_felt(clause: Clause, phrase: NounPhrase) -> bool:
    """'liebt Hunde nicht', 'mag Geografie nicht', but 'mag keine Hunde'."""
    verb = clause.verb
    if verb is None or phrase.determiner not in ("zero", "generic"):
        return False
    is_stuff = phrase.noun.is_mass and not phrase.noun.is_bare
    if verb.infinitive == "lieben" and is_stuff:  # 'liebt keinen Kaffee'
        return False
    return verb.infinitive in _NEVER_KEIN or (verb.infinitive == "mögen" and phrase.noun.is_bare)


def takes_nicht(clause: Clause) -> bool:
    """Not where kein, nichts or niemand denies already, nor beside gern."""
    is_denied_by_object = isinstance(clause.object, Somebody)
    denies = clause.negated and not takes_kein(clause) and not is_denied_by_object
    return denies and clause.modal != "like to"


def may_contract(phrase: Nominal) -> bool:
    """'im Haus', but 'in dem Haus, das ...': a restrictive clause keeps the article."""
    return (
        isinstance(phrase, NounPhrase)
        and phrase.determiner == "definite"
        and phrase.count is None
        and phrase.relative is None
    )
