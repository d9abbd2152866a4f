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
from typing import Any, NamedTuple

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
        return [_numbers(link) for link in self.alignment.split()]

    def relations(self, side: str) -> list[tuple[str, int, int]]:
        """(kind, word, its head) of the words of a side, "source" or "target"."""
        relations = (word.partition(":") for word in getattr(self, f"{side}_relations").split())
        return [(kind, *_numbers(link)) for kind, _, link in relations]


def _numbers(link: str) -> tuple[int, int]:
    first, second = link.split("-")
    return int(first), int(second)


def header(source: str, target: str) -> str:
    """The first line of a file of these languages."""
    names = "\t".join(AnnotatedPair._fields[2:])
    return f"{source}\t{target}\t{names.replace('source', source).replace('target', target)}"


def is_annotated(path: Path) -> bool:
    """True for a file with such columns; an InputError if it cannot be read."""
    return os.path.isfile(path) and next(stream_lines(path), "").split("\t")[2:3] == ["split"]


def read_annotated(path: Path) -> tuple[tuple[str, str], list[AnnotatedPair]]:
    """Languages and pairs of a file; an InputError if it is unreadable or has other columns."""
    lines = stream_lines(path)
    first = next(lines, "")
    source, target, *_ = [*first.split("\t"), ""]
    columns = header(source, target)
    if first != columns:
        raise InputError(f"{path}, line 1: expected the columns {', '.join(columns.split())}")
    pairs = []
    for number, line in enumerate(lines, start=2):
        values = line.split("\t")
        if len(values) != len(AnnotatedPair._fields):
            raise InputError(f"{path}, line {number}: expected as many columns as in line 1")
        pairs.append(AnnotatedPair._make(values))
    return (source, target), pairs


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
    by_place: dict[str, Any] = {}  # source sentence -> what its translation must have
    by_meaning, unseen = by_place.copy(), by_place.copy()
    for pair in pairs:
        if pair.unseen:
            unseen[pair.source] = set(pair.unseen.split())
        elif pair.kind == BY_PLACE:
            by_place[pair.source] = pronoun_of(pair.target)
        elif pair.kind == BY_MEANING:
            by_meaning[pair.source] = pronoun_of(pair.target)
    # A corpus is pickled for other processes, so no functions within this one.
    place, meaning, copies = (partial(_share, wanted) for wanted in (by_place, by_meaning, unseen))
    return (
        CorpusMetric("pronouns_by_place", "by_place", '"it" by place right', place),
        CorpusMetric("pronouns_by_meaning", "by_meaning", '"it" by meaning right', meaning),
        CorpusMetric("copies", "copied", f"{UNSEEN} kept", copies),
    )


def pronoun_of(german: str) -> str | None:
    """The pronoun that a second clause begins with: "…, weil sie zu breit war."."""
    match = _PRONOUN.search(german)
    return match[1] if match else None


def _share(
    wanted: Mapping[str, Any],
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
) -> Share:
    """Share of hypotheses with the pronoun, or all the words, that their sources want."""
    outcomes = []
    for source, hypothesis in zip(sources, hypotheses, strict=True):
        if isinstance(words := wanted.get(source), set):
            outcomes.append(words <= set(split_words(hypothesis)))
        elif source in wanted:
            outcomes.append(words == pronoun_of(hypothesis))
    return (sum(outcomes) / len(outcomes) if outcomes else None), len(outcomes)
