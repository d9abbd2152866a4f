"""What translations of annotated pairs are measured by: pronouns, unseen names and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE, UNSEEN, AnnotatedPair
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
    # A hypothesis may go wrong elsewhere; only the pronoun after weil or obwohl counts.
    by_place, by_meaning = (
        _share(pronouns[kind], lambda hypothesis, pronoun: pronoun_of(hypothesis) == pronoun)
        for kind in (BY_PLACE, BY_MEANING)
    )
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
