"""How well 'it' can be guessed by looking up single facts: what a model has to do better than."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.pronoun_families import Reference

Fact = Callable[[Reference], Hashable]


def _gender(noun: str) -> str:
    return lexicon.nouns()[noun].gender


def _genders(reference: Reference) -> tuple[str, str]:
    return _gender(reference.subject), _gender(reference.other)


FACTS: dict[str, Fact] = {
    "nothing": lambda reference: None,
    "adjective": lambda reference: reference.adjective,
    "verb, adjective": lambda reference: (reference.verb, reference.adjective),
    "adjective, object": lambda reference: (reference.adjective, reference.other),
    "adjective, genders": lambda reference: (reference.adjective, _genders(reference)),
    "verb, adjective, genders": lambda reference: (
        reference.verb,
        reference.adjective,
        _genders(reference),
    ),
    "adjective, both nouns": lambda reference: (reference.adjective, reference.noun_pair),
}


def baselines(train: Iterable[Reference], test: Iterable[Reference]) -> dict[str, float]:
    """Accuracy of a table of each of `FACTS`: the gender that 'it' has had most often with it.

    What the training sentences lack is guessed as if nothing were known.

    Returns:
        percentage of the test sentences, by the name of the facts.
    """
    train, test = list(train), list(test)
    return {name: _accuracy(fact, train, test) for name, fact in FACTS.items()}


def _accuracy(fact: Fact, train: list[Reference], test: list[Reference]) -> float:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for reference in train:
        counts[fact(reference)][_gender(reference.meant_noun)] += 1
    table = {key: genders.most_common(1)[0][0] for key, genders in counts.items()}
    fallback = Counter(_gender(reference.meant_noun) for reference in train).most_common(1)[0][0]
    right = [table.get(fact(one), fallback) == _gender(one.meant_noun) for one in test]
    return 100 * sum(right) / len(right)
