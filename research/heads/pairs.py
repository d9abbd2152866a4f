"""Ablation of two heads at once: each may be dispensable because the other covers for it.

Such backup heads are known of language models (Wang et al. 2022, arXiv:2211.00593; McGrath et al.
2023, arXiv:2307.15771).
"""

import math
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import product
from typing import NamedTuple

from research.heads.ablation import Head, head_ablated
from tf_models.data.annotated import (
    BY_MEANING,
    BY_PLACE,
    PRONOUN,
    AnnotatedPair,
    embedded_file,
    pronoun_of,
    read_annotated,
)
from tf_models.translation.pronouns import pronoun_pairs, readable_pairs
from tf_models.translation.translate import Translator

FAMILIES = (BY_PLACE, BY_MEANING)
FURTHER = 30  # pairs of each family, of another corpus
OTHER_CORPUS = {"everyday": "toy", "toy": "everyday"}


class Effect(NamedTuple):
    """Greedy translations with heads ablated, beside those of the whole model.

    right, by_place, by_meaning: shares of pairs with the right pronoun; NaN where there are none.
    pronouns: number of translations with another pronoun than before.
    same_rest: number of those that are the same in all but the pronoun.
    pronoun_first: number of those whose first change is the pronoun.
    """

    right: float
    by_place: float
    by_meaning: float
    pronouns: int
    same_rest: int
    pronoun_first: int


def two_heads(ranking: Sequence[tuple[int, int]]) -> tuple[Head, Head]:
    """The first two of a ranking of the encoder's heads, whose numbers begin with 0."""
    first, second = (Head("encoder", layer + 1, number + 1) for layer, number in ranking[:2])
    return first, second


def other_pairs(first: Head, second: Head, num_heads: int) -> list[tuple[Head, Head]]:
    """All pairs of other heads of the same two layers, as a control."""
    numbers = range(1, num_heads + 1)
    pairs = (
        (first._replace(number=one), second._replace(number=other))
        for one, other in product(numbers, numbers)
    )
    return [
        (one, other)
        for one, other in pairs
        if (one.layer, one.number) < (other.layer, other.number) or one.layer > other.layer
        if not {one, other} & {first, second}
    ]


def further_pairs(translator: Translator, corpus: str) -> list[AnnotatedPair]:
    """The first test pairs of each family of the other corpus, of sentences not in this one."""
    known = {pair.source.casefold() for pair in read_annotated(embedded_file(corpus))[1]}
    found = []
    for family in FAMILIES:
        pairs = readable_pairs(translator, pronoun_pairs("test", family, OTHER_CORPUS[corpus]))
        found += [pair for pair in pairs if pair.source.casefold() not in known][:FURTHER]
    return found


def translations(
    translator: Translator, pairs: Sequence[AnnotatedPair], ablated: Iterable[Head] = ()
) -> list[str]:
    """Greedy translations of the pairs' sources without some heads."""
    with ExitStack() as stack:
        for head in ablated:
            stack.enter_context(head_ablated(translator.model.network, head))
        found = translator.translate([pair.source for pair in pairs], beam_size=1)
    return [best.text for best, *_ in found]


def effect(pairs: Sequence[AnnotatedPair], whole: Sequence[str], ablated: Sequence[str]) -> Effect:
    """Compare translations of the whole model with those of the one without some heads."""
    changes = [
        [before != after for before, after in zip(parts(one), parts(other), strict=True)]
        for one, other in zip(whole, ablated, strict=True)
    ]
    is_right = [
        pronoun_of(text) == pronoun_of(pair.target)
        for pair, text in zip(pairs, ablated, strict=True)
    ]
    by_place, by_meaning = (
        _share([right for right, pair in zip(is_right, pairs, strict=True) if pair.kind == family])
        for family in FAMILIES
    )
    return Effect(
        right=_share(is_right),
        by_place=by_place,
        by_meaning=by_meaning,
        pronouns=sum(pronoun for _, pronoun, _ in changes),
        same_rest=sum(not before and not after for before, _, after in changes),
        pronoun_first=sum(pronoun and not before for before, pronoun, _ in changes),
    )


def parts(german: str) -> tuple[str, str | None, str]:
    """Text before the second clause's pronoun, the pronoun, and the text after it."""
    match = PRONOUN.search(german)
    if match is None:
        return german, None, ""
    return german[: match.start(1)], match[1], german[match.end(1) :]


def _share(is_right: Sequence[bool]) -> float:
    return sum(is_right) / len(is_right) if is_right else math.nan
