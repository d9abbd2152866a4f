"""What translations of annotated pairs are measured by: pronouns, unseen names and numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf_models.data.embedded.annotated_pairs import (
    BY_MEANING,
    BY_PLACE,
    FIRST_NOUN,
    UNSEEN,
    AnnotatedPair,
)
from tf_models.data.sentences import split_words

_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")

Share = tuple[float | None, int]  # 0 to 1, None of no sentences; the number of sentences


@dataclass(frozen=True)
class CorpusMetric:
    """What can be measured of translations of one corpus alone.

    name: of the figure; counted: of the number of sentences that it is of; both for JSON.
    label: for the reader.
    compute: (sources, hypotheses, references) -> share of the sentences that are right.
    """

    name: str
    counted: str
    label: str
    compute: Callable[[Sequence[str], Sequence[str], Sequence[str]], Share]


def metrics(pairs: Iterable[AnnotatedPair]) -> tuple[CorpusMetric, ...]:
    """The metrics of translations into German of these pairs; other sentences do not count."""
    unseen, pronouns = {}, {BY_PLACE: {}, BY_MEANING: {}}
    for pair in pairs:
        if pair.unseen:
            unseen[pair.source] = set(pair.unseen.split())
        elif pair.kind in pronouns:
            pronouns[pair.kind][pair.source] = pronoun_of(pair.target)
    by_place, by_meaning = (_share(pronouns[kind], _has_pronoun) for kind in (BY_PLACE, BY_MEANING))
    copies = _share(unseen, lambda hypothesis, words: words <= set(split_words(hypothesis)))
    return (
        CorpusMetric("pronouns_by_place", "by_place", '"it" by place right', by_place),
        CorpusMetric("pronouns_by_meaning", "by_meaning", '"it" by meaning right', by_meaning),
        CorpusMetric("copies", "copied", f"{UNSEEN} kept", copies),
    )


def pronoun_of(german: str) -> str | None:
    """The pronoun that a second clause begins with: "…, weil sie zu breit war."."""
    found = _PRONOUN.search(german)
    return found[1] if found else None


def _has_pronoun(hypothesis: str, pronoun: str) -> bool:
    """A hypothesis may go wrong elsewhere; only the pronoun after weil or obwohl counts."""
    return pronoun_of(hypothesis) == pronoun


def _share(wanted: Mapping[str, Any], is_right: Callable[[str, Any], bool]) -> Callable[..., Share]:
    """The share of right hypotheses among the sources of which something is wanted."""

    def compute(sources, hypotheses, references) -> Share:
        outcomes = [
            is_right(hypothesis, wanted[source])
            for source, hypothesis in zip(sources, hypotheses, strict=True)
            if source in wanted
        ]
        return (sum(outcomes) / len(outcomes) if outcomes else None), len(outcomes)

    return compute


FACTS: dict[str, Callable[[AnnotatedPair], Hashable]] = {
    "nothing": lambda pair: None,
    "adjective": lambda pair: pair.adjective,
    "verb, adjective": lambda pair: (pair.verb, pair.adjective),
    "adjective, object": lambda pair: (pair.adjective, pair.second_noun),
    "adjective, genders": lambda pair: (pair.adjective, pair.genders),
    "verb, adjective, genders": lambda pair: (pair.verb, pair.adjective, pair.genders),
    "adjective, both nouns": lambda pair: (pair.adjective, pair.first_noun, pair.second_noun),
}


def baselines(
    train: Iterable[AnnotatedPair], test: Iterable[AnnotatedPair]
) -> dict[str, dict[str, float]]:
    """How often "it" is guessed right from a table of the training sentences.

    A table has the gender that "it" had most often with the same facts. What the training
    sentences lack is guessed as if nothing were known.

    Returns:
        percentage of the test sentences, by the name of a metric and of the facts.
    """
    found = {}
    for name, kind in (("pronouns_by_place", BY_PLACE), ("pronouns_by_meaning", BY_MEANING)):
        parts = [[pair for pair in part if pair.kind == kind] for part in (train, test)]
        if all(parts):
            found[name] = {facts: _accuracy(fact, *parts) for facts, fact in FACTS.items()}
    return found


def _accuracy(
    fact: Callable[[AnnotatedPair], Hashable],
    train: Sequence[AnnotatedPair],
    test: Sequence[AnnotatedPair],
) -> float:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for pair in train:
        counts[fact(pair)][_gender_of_it(pair)] += 1
    table = {key: genders.most_common(1)[0][0] for key, genders in counts.items()}
    fallback = Counter(map(_gender_of_it, train)).most_common(1)[0][0]
    right = [table.get(fact(pair), fallback) == _gender_of_it(pair) for pair in test]
    return 100 * sum(right) / len(right)


def _gender_of_it(pair: AnnotatedPair) -> str:
    first, second = pair.genders.split()
    return first if pair.reference == FIRST_NOUN else second
