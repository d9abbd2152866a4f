"""Sentences of the embedded grammar with labels that their trees give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from research.grammar.pronoun_families import Reference
from research.grammar.splits import Selection
from research.grammar.syntax import (
    Clause,
    Command,
    Existence,
    NounPhrase,
    Question,
    RelativeClause,
    Sentence,
    Somebody,
    Statement,
    Subordinate,
    nodes_of,
)
from tf_models.data.embedded.annotated_pairs import (
    BY_MEANING,
    BY_PLACE,
)

_NEGATIVE = frozenset({"nobody", "nothing"})


@dataclass(frozen=True)
class LabelSet:
    """One way to label sentences.

    labels: all of them.
    label_of: (tree, reference) -> the label, None for a sentence that has none.
    selection: sentences whose labels are equally frequent.
    """

    labels: tuple[str, ...]
    label_of: Callable[[Sentence, Reference | None], str | None]
    selection: Selection


def noun_meant(tree: Sentence, reference: Reference | None) -> str | None:
    """The noun that 'it' stands for: the first or the second one of the sentence."""
    if reference is None:
        return None
    return _NOUNS[reference.meant == "other"]


def sentence_type(tree: Sentence, reference: Reference | None) -> str | None:
    """What kind of sentence it is; of a statement, whether it denies or has a second clause."""
    if isinstance(tree, Question) or (isinstance(tree, Existence) and tree.asked):
        return "question"
    if isinstance(tree, Command):
        return "command"
    if not isinstance(tree, Statement | Existence):
        return None
    nodes = nodes_of(tree)
    if any(isinstance(node, Subordinate | RelativeClause) for node in nodes):
        return "subordinate clause"
    return "negation" if any(map(_denies, nodes)) else "statement"


def voice(tree: Sentence, reference: Reference | None) -> str | None:
    """Active or passive, of a statement."""
    if not isinstance(tree, Statement):
        return None
    return _VOICES[tree.clause.passive]


def _denies(node: object) -> bool:
    if isinstance(node, Clause | Existence):
        return node.negated
    if isinstance(node, NounPhrase):
        return node.determiner == "no"
    return isinstance(node, Somebody) and node.english in _NEGATIVE


def _family_and_noun(tree: Sentence, reference: Reference | None) -> str:
    """Both families are as frequent, too: only in one of them the adjective decides alone."""
    return f"{reference.family}, {noun_meant(tree, reference)}"


# How often each construction is drawn, so that all labels are soon found.
_PLAIN: Mapping[str, float] = {
    **dict.fromkeys(("transitive", "ditransitive", "placement", "prepositional", "modal"), 2),
    **dict.fromkeys(("intransitive", "dative", "direction", "travel", "place", "perfect"), 1),
    **dict.fromkeys(("separable", "companion", "inversion", "wish", "plan"), 1),
    **dict.fromkeys(("predicate", "possession", "whereabouts"), 2),
}
_OTHER_TYPES: Mapping[str, float] = {
    **dict.fromkeys(("negation", "command"), 20),
    **dict.fromkeys(("yes_no", "wh_question"), 10),
    "existence": 2,
    "nobody": 3,
    "subordinate": 15,
    "relative": 8,
}
_FAMILIES = {BY_PLACE: 1.0, BY_MEANING: 1.0}
_NOUNS = ("first noun", "second noun")
_TYPES = ("statement", "negation", "question", "command", "subordinate clause")
_VOICES = ("active", "passive")

LABEL_SETS = {
    "reference": LabelSet(
        _NOUNS,
        noun_meant,
        Selection(
            tuple(f"{family}, {noun}" for family in _FAMILIES for noun in _NOUNS),
            _family_and_noun,
            _FAMILIES,
        ),
    ),
    "type": LabelSet(
        _TYPES, sentence_type, Selection(_TYPES, sentence_type, _PLAIN | _OTHER_TYPES)
    ),
    "voice": LabelSet(_VOICES, voice, Selection(_VOICES, voice, _PLAIN | {"passive": 30})),
}
