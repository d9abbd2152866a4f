"""Sentences of the embedded grammar with labels that their trees give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

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
from research.grammar.tables import weights
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE, LABELS

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


_NOUNS, _TYPES, _VOICES = LABELS.values()
_GROUPS = tuple(f"{family}, {noun}" for family in (BY_PLACE, BY_MEANING) for noun in _NOUNS)


@cache
def label_sets() -> dict[str, LabelSet]:
    """All ways to label sentences, by the column that the labels stand in."""
    ways = {
        "reference": (_NOUNS, noun_meant, _GROUPS, _family_and_noun),
        "type": (_TYPES, sentence_type, _TYPES, sentence_type),
        "voice": (_VOICES, voice, _VOICES, voice),
    }
    sets = {}
    for name, (labels, label_of, groups, group_of) in ways.items():
        constructions = weights(f"constructions_for_{name}")
        selection = Selection(constructions, groups=groups, group_of=group_of)
        sets[name] = LabelSet(labels, label_of, selection)
    return sets
