"""Sentence pairs, and what is removed from them before they are used."""

import sys
from collections.abc import Iterable
from typing import NamedTuple


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def swap(pairs: Iterable[SentencePair]) -> list[SentencePair]:
    """Return the pairs in the other direction."""
    return [SentencePair(pair.target, pair.source) for pair in pairs]


def drop_empty(pairs: Iterable[SentencePair], name: str) -> list[SentencePair]:
    """Strip both sides and drop the pairs with an empty one; stderr says how many of `name`."""
    stripped = [SentencePair(source.strip(), target.strip()) for source, target in pairs]
    kept = [pair for pair in stripped if pair.source and pair.target]
    _report(len(stripped) - len(kept), "with an empty side", name)
    return kept


def drop_duplicates(pairs: Iterable[SentencePair], name: str) -> list[SentencePair]:
    """Keep the first of identical pairs; stderr says how many of `name` were dropped."""
    pairs = list(pairs)
    kept = list(dict.fromkeys(pairs))
    _report(len(pairs) - len(kept), "seen before", name)
    return kept


def _report(count: int, what: str, name: str) -> None:
    if count:
        print(f"{name}: skipped {count} pair(s) {what}", file=sys.stderr)
