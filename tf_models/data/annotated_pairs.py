"""Sentence pairs in columns: split, further references, word alignment, relations, labels.

The first line names the columns, the first two by their languages. Where a pair lacks something,
its column is empty.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tf_models.data.text_files import split_words, stream_lines
from tf_models.errors import InputError

FILES = Path(__file__).with_name("embedded")
SPLITS = ("train", "validation", "test")
BY_PLACE, BY_MEANING = "pronoun by place", "pronoun by meaning"
UNSEEN, OTHERS = "unseen names and numbers", "others"
FIRST_NOUN, SECOND_NOUN = "first noun", "second noun"
LABELS = {  # column -> what may stand in it
    "reference": (FIRST_NOUN, SECOND_NOUN),
    "type": ("statement", "negation", "question", "command", "subordinate clause"),
    "voice": ("active", "passive"),
}
_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")

Share = tuple[float | None, int]  # 0 to 1, None of no sentences; the number of sentences


def embedded_file(name: str) -> Path:
    """File of a corpus, or of sentences whose labels of the column `name` are equally frequent."""
    return FILES / f"{name}.tsv.xz"


class AnnotatedPair(NamedTuple):
    """A line of such a file; docs/corpus.md has more about its columns."""

    source: str
    target: str
    split: str
    references: str  # further translations that are as good, with " | " between them
    alignment: str  # words of `split_words` that translate each other: "0-0 1-2"
    source_relations: str  # "subject:2-1 reference:5-1": from verb to subject, from pronoun to noun
    target_relations: str
    construction: str  # of the sentence
    kind: str  # what it is a test of: `BY_PLACE`, `BY_MEANING`, `UNSEEN` or `OTHERS`
    unseen: str  # words of the target that are copied, and that no training sentence has
    verb: str  # it or the adjective decides, BY_PLACE and BY_MEANING, which noun "it" stands for
    adjective: str
    first_noun: str
    second_noun: str
    genders: str  # of both nouns in German: "m n"
    reference: str  # labels for a classifier
    type: str
    voice: str

    @property
    def links(self) -> list[tuple[int, int]]:
        """The alignment: (source word, target word), counted from 0."""
        return list(map(link, self.alignment.split()))


def link(text: str) -> tuple[int, int]:
    """Numbers of two words that belong together: (2, 1) for "2-1"."""
    first, second = text.split("-")
    return int(first), int(second)


def is_annotated(path: Path) -> bool:
    """True for a file with such columns; an InputError if it cannot be read."""
    return os.path.isfile(path) and next(stream_lines(path), "").split("\t")[2:3] == ["split"]


def read_annotated(path: Path) -> tuple[tuple[str, str], list[AnnotatedPair]]:
    """Languages and pairs of a file; an InputError if it is unreadable or has other columns."""
    fields = len(AnnotatedPair._fields)
    rows = (line.split("\t") for line in stream_lines(path))
    pairs = []
    for number, row in enumerate(rows, start=1):
        if len(row) != fields:
            raise InputError(f"{path}, line {number}: expected {fields} columns, found {len(row)}")
        pairs.append(AnnotatedPair._make(row))
    return (pairs[0].source, pairs[0].target), pairs[1:]


@dataclass(frozen=True)
class CorpusMetric:
    """A measure of translations that one corpus alone has."""

    name: str  # of the figure, and
    counted: str  # of the number of sentences that it is of, both for JSON
    label: str  # for the reader
    compute: Callable[[Sequence[str], Sequence[str], Sequence[str]], Share]
    """(sources, hypotheses, references) -> share of the sentences that are right."""


def metrics(pairs: Iterable[AnnotatedPair]) -> tuple[CorpusMetric, ...]:
    """The metrics of translations into German of these pairs; other sentences do not count."""
    wanted: dict[str, dict] = {BY_PLACE: {}, BY_MEANING: {}, UNSEEN: {}}  # words, by source
    for pair in pairs:
        if pair.unseen:
            wanted[UNSEEN][pair.source] = set(pair.unseen.split())
        elif pair.kind in (BY_PLACE, BY_MEANING):
            wanted[pair.kind][pair.source] = _pronouns(pair.target)
    # A corpus is pickled for other processes, so no functions within this one.
    place, meaning = (partial(_share, wanted[kind], _pronouns) for kind in (BY_PLACE, BY_MEANING))
    copies = partial(_share, wanted[UNSEEN], split_words)
    return (
        CorpusMetric("pronouns_by_place", "by_place", '"it" by place right', place),
        CorpusMetric("pronouns_by_meaning", "by_meaning", '"it" by meaning right', meaning),
        CorpusMetric("copies", "copied", f"{UNSEEN} kept", copies),
    )


def pronoun_of(german: str) -> str | None:
    """The pronoun that a second clause begins with: "…, weil sie zu breit war."."""
    match = _PRONOUN.search(german)
    return match[1] if match else None


def _pronouns(german: str) -> set[str | None]:
    return {pronoun_of(german)}


def _share(
    wanted: Mapping[str, set],
    words_of: Callable[[str], Iterable],
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
) -> Share:
    """Share of hypotheses with all the words that their sources want."""
    pairs = zip(sources, hypotheses, strict=True)
    right = [wanted[source] <= set(words_of(text)) for source, text in pairs if source in wanted]
    return (sum(right) / len(right) if right else None), len(right)
