"""Sentence pairs, and what is removed from them before they are used."""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def swap(pairs: Iterable[SentencePair]) -> Iterator[SentencePair]:
    """The pairs in the other direction."""
    return (SentencePair(pair.target, pair.source) for pair in pairs)


def drop_empty(pairs: Iterable[SentencePair], name: str) -> Iterator[SentencePair]:
    """Strip both sides and drop the pairs with an empty one; stderr says how many of `name`."""
    dropped = 0
    for source, target in pairs:
        pair = SentencePair(source.strip(), target.strip())
        if pair.source and pair.target:
            yield pair
        else:
            dropped += 1
    report_skipped(dropped, "with an empty side", name)


def drop_duplicates(pairs: Iterable[SentencePair], name: str) -> list[SentencePair]:
    """Keep the first of identical pairs; stderr says how many of `name` were dropped."""
    pairs = list(pairs)
    kept = list(dict.fromkeys(pairs))
    report_skipped(len(pairs) - len(kept), "seen before", name)
    return kept


def report_skipped(count: int, what: str, name: str) -> None:
    """Say on stderr how many pairs of `name` were dropped, if any were."""
    if count:
        print(f"{name}: skipped {count} pair(s) {what}", file=sys.stderr)
