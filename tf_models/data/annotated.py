"""Annotated pairs of the embedded corpora, and the articles' sentences."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from tf_models.data.tables import stream_rows
from tf_models.data.text_files import stream_lines

BY_PLACE, BY_MEANING = "pronoun by place", "pronoun by meaning"
UNSEEN, OTHERS = "unseen names and numbers", "others"
FIRST_NOUN, SECOND_NOUN = "first noun", "second noun"
PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")


class AnnotatedPair(NamedTuple):
    """Line of an embedded corpus or a similar file; missing values are empty.

    The first line names the columns, the first two by their languages; see docs/corpus.md.
    """

    source: str
    target: str
    split: str
    references: str  # further translations that are as good, with " | " between them
    alignment: str  # words of `split_words` that translate each other: "0-0 1-2"
    source_relations: str  # "subject:2-1 reference:5-1": from verb to subject, from pronoun to noun
    target_relations: str
    construction: str  # how the sentence is built
    kind: str  # what the pair tests: `BY_PLACE`, `BY_MEANING`, `UNSEEN` or `OTHERS`
    unseen: str  # words of the target that are copied, and that no training sentence has
    verb: str  # in pairs that test a pronoun, this or the adjective decides what "it" stands for
    adjective: str
    first_noun: str
    second_noun: str
    genders: str  # genders of both nouns in German: "m n"
    reference: str  # labels for a classifier
    type: str
    voice: str

    @property
    def links(self) -> list[tuple[int, int]]:
        """Alignment as (source word, target word), counted from 0."""
        return list(map(link, self.alignment.split()))


def link(text: str) -> tuple[int, int]:
    """Numbers of two related words: (2, 1) for "2-1"."""
    first, second = text.split("-")
    return int(first), int(second)


def pronoun_of(german: str) -> str | None:
    """Pronoun that begins the second clause: "…, weil sie zu breit war."."""
    match = PRONOUN.search(german)
    return match[1] if match else None


def embedded_file(name: str) -> Path:
    """File of a corpus, of stories, or of sentences balanced by label `name`."""
    return Path(__file__).with_name("embedded") / f"{name}.tsv.xz"


def is_annotated(path: Path) -> bool:
    """True if a file has annotation columns; an InputError if unreadable."""
    return os.path.isfile(path) and next(stream_lines(path), "").split("\t")[2:3] == ["split"]


def read_annotated(path: Path) -> tuple[tuple[str, str], list[AnnotatedPair]]:
    """Languages and pairs of a file; an InputError if unreadable or malformed."""
    fields = len(AnnotatedPair._fields)
    rows = []
    for row in stream_rows(path):
        if len(row.cells) != fields:
            raise row.error(path, f"{fields} columns")
        rows.append(row.cells)
    source, target, *_ = rows[0]
    return (source, target), [AnnotatedPair._make(cells) for cells in rows[1:]]


DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."
HOPKINS_IN_GERMAN = "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."

# Sentence -> the noun that its "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

SHORT = ("I am a student.", "Attention is all you need.")
ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR, *SHORT)
