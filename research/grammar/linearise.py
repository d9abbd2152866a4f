"""A tree becomes a sentence of each language, and the two together a word alignment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from research.grammar import english, english_forms, german, german_clauses, german_verbs, templates
from research.grammar.syntax import (
    Chain,
    Command,
    Compound,
    Existence,
    Phrase,
    Pronoun,
    Question,
    Sentence,
    Statement,
    Subordinate,
    Term,
)
from research.grammar.text import Word, sentence, spell

_ENGLISH = {
    Statement: english.statement,
    Existence: english.existence,
    Question: english.question,
    Command: english.command,
    Compound: english.compound,
    Chain: english.chain,
}
_GERMAN = {
    Statement: german.statement,
    Existence: german.existence,
    Question: german.question,
    Command: german.command,
    Compound: german.compound,
    Chain: german.chain,
}


_I = re.compile(r"I\b(?!\.)")


class Relation(NamedTuple):
    """Two words of one language that belong together, counted from 0.

    kind: 'reference', from a pronoun to the noun that it stands for; 'subject', from a verb to its
    subject; 'attribute', from an adjective to its noun.
    """

    kind: str
    word: int
    head: int


@dataclass(frozen=True)
class Written:
    """A sentence in both languages, word by word, each word with the nodes that it stands for."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]

    @property
    def english(self) -> str:
        """The English sentence."""
        return spell(self.source)

    @property
    def german(self) -> str:
        """The German sentence."""
        return spell(self.target)

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """(English word, German word), counted from 0, for words that share a node."""
        nodes = [frozenset(word.nodes) for word in self.source]
        return tuple(
            (i, j)
            for i, nodes_of_word in enumerate(nodes)
            for j, other in enumerate(self.target)
            if not nodes_of_word.isdisjoint(other.nodes)
        )


def other_translations(tree: Sentence) -> tuple[str, ...]:
    """German sentences that are as good: what a template lists, and Perfekt for Präteritum."""
    if isinstance(tree, Phrase):
        return tuple(spell(words) for words in templates.alternatives(tree))
    in_perfect = _in_perfect(tree)
    return () if in_perfect == tree else (write(in_perfect).german,)


def _in_perfect(tree: Sentence) -> Sentence:
    """The tree with the perfect in place of the simple past, in all its clauses but some.

    Not in relative clauses, nor after 'when': 'als' tells of the past, and the perfect would make
    it 'wenn'.
    """
    if isinstance(tree, Compound):
        return replace(tree, first=_in_perfect(tree.first), second=_in_perfect(tree.second))
    if isinstance(tree, Chain):
        return Chain(tuple(_in_perfect(link) for link in tree.links))
    if isinstance(tree, Existence | Command | Term):
        return tree
    parts = {"clause": german_verbs.in_perfect(tree.clause)}
    for name in ("subordinate", "fronted"):
        part = getattr(tree, name, None)
        if isinstance(part, Subordinate) and part.conjunction != "when":
            parts[name] = replace(part, clause=german_verbs.in_perfect(part.clause))
    return replace(tree, **parts)


def contracted(written: Written) -> Written:
    """The sentence with "I'm" for 'I am': pronoun and auxiliary in one word."""
    source: list[Word] = []
    for word in written.source:
        merged = source and _merge(source[-1], word)
        if merged:
            source[-1] = merged
        else:
            source.append(word)
    return Written(tuple(source), written.target)


def _merge(pronoun: Word, auxiliary: Word) -> Word | None:
    """One word for both; 'I have a dog' keeps its verb."""
    is_subject = any(node.endswith("subject") for node in pronoun.nodes)
    is_auxiliary = auxiliary.text not in ("have", "has") or any(
        node.endswith("perfect") for node in auxiliary.nodes
    )
    text = is_subject and is_auxiliary and english_forms.contracted(pronoun.text, auxiliary.text)
    return Word(text, pronoun.nodes + auxiliary.nodes) if text else None


def typed(written: Written, names: Collection[str]) -> Written:
    """The English sentence as one types it, in small letters at its beginning and in "I'm"."""
    first, *rest = written.source
    source = (first if first.text.removesuffix("'s") in names else _lowered(first), *rest)
    return Written(
        tuple(_lowered(word) if _I.match(word.text) else word for word in source), written.target
    )


def _lowered(word: Word) -> Word:
    return word._replace(text=word.text.lower())


def relations(tree: Sentence, written: tuple[Word, ...]) -> tuple[Relation, ...]:
    """How the words of a sentence of this tree belong together, in either language."""
    places = {node: i for i, word in reversed(list(enumerate(written))) for node in word.nodes}
    found = [*_references(tree), *_grammatical(places)]
    return tuple(
        Relation(kind, places[word], places[head])
        for kind, word, head in found
        if word in places and head in places
    )


def _references(tree: Sentence) -> Iterator[tuple[str, str, str]]:
    subordinate = getattr(tree, "subordinate", None)
    subject = subordinate.clause.subject if subordinate else None
    if isinstance(subject, Pronoun) and subject.antecedent:
        yield "reference", "subordinate/subject", subject.antecedent


def _grammatical(nodes: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    return filter(None, map(_of_head, nodes))


@cache
def _of_head(node: str) -> tuple[str, str, str] | None:
    """(relation, node, the node of its head), where the name of a node tells."""
    if attribute := re.fullmatch(r"(.*)/adjective\d+", node):
        return "attribute", node, attribute[1]
    if clause := re.fullmatch(r"(.*/)?(verb|predicate)", node):
        kind = "subject" if clause[2] == "verb" else "attribute"
        return kind, node, f"{clause[1] or ''}subject"
    return None


def write(tree: Sentence) -> Written:
    """Both sentences of a tree."""
    if isinstance(tree, Phrase):
        source, target = templates.english(tree), templates.german(tree)
    elif isinstance(tree, Term):
        source = english.nominal(tree.nominal, "term")
        target = german_clauses.nominal(tree.nominal, "nom", "term")
    else:
        mark = "?" if getattr(tree, "asked", False) or isinstance(tree, Question) else "."
        source = sentence(_ENGLISH[type(tree)](tree), mark)
        target = sentence(_GERMAN[type(tree)](tree), mark)
    return Written(tuple(source), tuple(target))
