"""Sentence pairs in columns: split, further references, word alignment, relations, labels.

The first line names the columns, the first two by their languages. Where a pair lacks something,
its column is empty.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tf_models.data.text_files import stream_lines
from tf_models.errors import InputError

SPLITS = ("train", "validation", "test")
BY_PLACE, BY_MEANING = "pronoun by place", "pronoun by meaning"
UNSEEN, OTHERS = "unseen names and numbers", "others"
FIRST_NOUN, SECOND_NOUN = "first noun", "second noun"
LABELS = {  # column -> what may stand in it
    "reference": (FIRST_NOUN, SECOND_NOUN),
    "type": ("statement", "negation", "question", "command", "subordinate clause"),
    "voice": ("active", "passive"),
}


def embedded_file(name: str) -> Path:
    """That of a corpus, or of sentences whose labels of the column `name` are equally frequent."""
    return Path(__file__).with_name(f"{name}.tsv.xz")


class AnnotatedPair(NamedTuple):
    """A line of such a file.

    references: further translations that are as good, with " | " between them.
    alignment: words that translate each other, in Pharaoh's format: "0-0 1-2"; words count as in
        `split_words`.
    source_relations, target_relations: "reference:5-1 subject:2-1 attribute:8-5", from a pronoun
        to its noun, from a verb to its subject, from an adjective to its noun.
    construction: of the sentence.
    kind: what it is a test of: `BY_PLACE`, `BY_MEANING`, `UNSEEN` or `OTHERS`.
    unseen: words of the target that are copied, and that no training sentence has.
    verb, adjective, first_noun, second_noun: what decides in the kinds BY_PLACE and BY_MEANING
        which noun "it" stands for; genders: of both nouns in German, "m n".
    reference, type, voice: labels for a classifier.
    """

    source: str
    target: str
    split: str
    references: str
    alignment: str
    source_relations: str
    target_relations: str
    construction: str
    kind: str
    unseen: str
    verb: str
    adjective: str
    first_noun: str
    second_noun: str
    genders: str
    reference: str
    type: str
    voice: str

    @property
    def links(self) -> list[tuple[int, int]]:
        """The alignment: (source word, target word), counted from 0."""
        return [_numbers(link) for link in self.alignment.split()]

    def relations(self, side: str) -> list[tuple[str, int, int]]:
        """(kind, word, its head) of the words of a side, "source" or "target"."""
        found = (one.partition(":") for one in getattr(self, f"{side}_relations").split())
        return [(kind, *_numbers(link)) for kind, _, link in found]


def _numbers(link: str) -> tuple[int, int]:
    try:
        first, second = map(int, link.split("-"))
    except ValueError as error:
        raise InputError(f"expected the numbers of two words, as 0-1; received {link!r}") from error
    return first, second


def header(source: str, target: str) -> str:
    """The first line of a file of these languages."""
    names = (name.replace("source", source) for name in AnnotatedPair._fields[2:])
    return "\t".join((source, target, *(name.replace("target", target) for name in names)))


def is_annotated(path: Path) -> bool:
    """Whether a file has such columns.

    Raises:
        InputError: it cannot be read.
    """
    return os.path.isfile(path) and next(stream_lines(path), "").split("\t")[2:3] == ["split"]


def read_annotated(path: Path) -> tuple[tuple[str, str], list[AnnotatedPair]]:
    """The languages of a file, and its pairs.

    Raises:
        InputError: it cannot be read, or has other columns.
    """
    lines = stream_lines(path)
    first = next(lines, "")
    languages = tuple(first.split("\t")[:2])
    if len(languages) < 2 or first != header(*languages):
        columns = ", ".join(header("en", "de").split())
        raise InputError(f"{path}, line 1: expected the columns {columns}; received {first[:40]!r}")
    pairs = []
    for number, line in enumerate(lines, start=2):
        columns = line.split("\t")
        if len(columns) != len(AnnotatedPair._fields):
            expected = f"{len(AnnotatedPair._fields)} columns separated by tabs"
            raise InputError(f"{path}, line {number}: expected {expected}, found {len(columns)}")
        pairs.append(AnnotatedPair._make(columns))
    return languages, pairs
