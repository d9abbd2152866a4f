"""Readers of sentence pairs: tables, aligned files, folders and TFDS."""

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tf_models.data.languages import (
    TWO_LETTER_CODES,
    Languages,
    file_languages,
    header_languages,
    language_code,
    pick,
)
from tf_models.data.tables import Row, Table, read_table, stream_rows
from tf_models.data.text_files import OPENERS, plain_name, read_lines
from tf_models.errors import InputError, StrPath

SPLITS = ("train", "validation", "test")
MOST_COLUMNS = 3  # a table without a header has source, target and perhaps an attribution
EXPECTED = (
    "2 or 3 columns (source, target, perhaps an attribution), or a first line that names them, "
    "such as en and de"
)
SPLIT_NAMES = {  # split -> names of its files in a folder
    "train": ("train",),
    "validation": ("val", "valid", "validation"),
    "test": ("test_2016_flickr", "test"),
}
SOURCE_NAMES = {"source", "src", "sentence"}
TARGET_NAMES = {"target", "tgt", "translation", "reference", "references"}


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


# Pairs by split: "train", and "validation" and "test" where the corpus has its own.
Splits = Mapping[str, Sequence[SentencePair]]
RawCorpus = tuple[str, str, Splits]  # both languages, and the pairs as they are read


def read_pairs(path: Path, wanted: Languages) -> RawCorpus:
    """Read a table whose first line, or whose file name, says the languages.

    Columns of numbers, such as pandas' index or Tatoeba's ids, are left out; then come source,
    target, and perhaps an attribution. A header may name two languages or more, or source and
    target, in any order.
    """
    table = read_table(path, _names_a_side)
    languages = file_languages(path)
    source, target = _sides(path, table, wanted)
    if codes := header_languages(table.header):
        languages = codes[source], codes[target]
    width = len(table.header or table.rows[0].cells)
    least, most = max(source, target) + 1, max(width, MOST_COLUMNS)
    for row in table.rows:
        if not least <= len(row.cells) <= most:
            raise row.error(path, EXPECTED)
    pairs = [SentencePair(cells[source], cells[target]) for _, cells in table.rows]
    return oriented({"train": pairs}, languages, wanted, str(path))


def _sides(path: Path, table: Table, wanted: Languages) -> tuple[int, int]:
    """Columns of source and target."""
    if codes := header_languages(table.header):
        source, target = pick([*codes.values()], wanted, str(path))
        column_of = {code: column for column, code in codes.items()}
        return column_of[source], column_of[target]
    names = [_first_word(name) for name in table.header]
    sources, targets = (
        [i for i, name in enumerate(names) if name in known]
        for known in (SOURCE_NAMES, TARGET_NAMES)
    )
    if sources and targets:
        return sources[0], targets[0]
    columns = table.others(len(table.header or table.rows[0].cells))
    if not 2 <= len(columns) <= MOST_COLUMNS:
        raise table.rows[0].error(path, EXPECTED)
    return columns[0], columns[1]


def says_languages(path: Path) -> bool:
    """True if the name of a file, or its first line, says two languages."""
    first = next(stream_rows(path), Row(0, []))
    names = [cell.casefold() for cell in first.cells]
    return all(file_languages(path)) or bool(header_languages(names))


def _names_a_side(name: str) -> bool:
    is_language = name != "id" and language_code(name) in TWO_LETTER_CODES.values()
    return is_language or _first_word(name) in SOURCE_NAMES | TARGET_NAMES


def _first_word(name: str) -> str:
    return re.split("[-_ ]", name)[0]


def read_two_files(first: Path, second: Path, wanted: Languages) -> RawCorpus:
    """Read two aligned files, whose names may end with their languages."""
    labels = (Path(plain_name(path)).suffix.removeprefix(".") for path in (first, second))
    source, target = map(language_code, labels)
    pairs = read_aligned(first, second)
    return oriented({"train": pairs}, (source, target), wanted, f"{first},{second}")


def read_aligned(source: Path, target: Path) -> list[SentencePair]:
    """Pairs of two text files that are aligned line by line."""
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise InputError(
            f"{source} has {len(sources)} lines and {target} has {len(targets)}; "
            "line by line, one must be the translation of the other"
        )
    lines = zip(sources, targets, strict=True)
    return [SentencePair(first.strip(), second.strip()) for first, second in lines]


def read_sentences(path: Path) -> list[str]:
    """Sentences of a file: its lines, or the column of most texts."""
    table = read_table(path, {"sentence", "text", "language"}.__contains__)
    least = min(len(row.cells) for row in table.rows)
    columns = table.others(least) or range(least)
    sides = [[row.cells[i] for row in table.rows] for i in columns]
    return max(sides, key=lambda sentences: len({*sentences}))


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """Read lines of a source sentence and its references, tabs between."""
    references: dict[str, tuple[str, ...]] = {}
    table = read_table(path, _names_a_side)
    for row in table.rows:
        columns = table.others(len(row.cells))
        if len(columns) < 2:
            raise row.error(path, "a sentence, a tab and a reference")
        source, *targets = (row.cells[i] for i in columns)
        if source and any(targets):
            references[source] = (*references.get(source, ()), *filter(None, targets))
    return references


def read_folder(folder: Path, wanted: Languages) -> RawCorpus:
    """Read a folder of `train.en`, `train.de`, perhaps `val.*` and `test.*`."""
    names = {plain_name(path) for path in folder.iterdir()}
    labels = {name.removeprefix("train.") for name in names if name.startswith("train.")}
    label_of = {language: label for label in labels if (language := language_code(label))}
    languages = sorted(label_of, key=lambda c: (c != "en", c != "de", c))
    if len(languages) < 2:
        raise InputError(f"{folder} has no train.en and train.de or the like (plain, .gz or .xz)")
    source, target = pick(languages, wanted, str(folder))
    splits = {}
    for split, names_of_split in SPLIT_NAMES.items():
        first, second = (_split_file(folder, names_of_split, label_of[c]) for c in (source, target))
        if first and second:
            splits[split] = read_aligned(first, second)
    return source, target, splits


def _split_file(folder: Path, names: tuple[str, ...], language: str) -> Path | None:
    candidates = (folder / f"{name}.{language}{end}" for name in names for end in ("", *OPENERS))
    return next(filter(Path.exists, candidates), None)


def read_tfds(
    name: str, wanted: Languages, data_dir: StrPath | None, max_pairs: int | None
) -> RawCorpus:
    """Read a data set of TFDS, such as `ted_hrlr_translate/pt_to_en`.

    Its supervised keys are the languages; of the training pairs, only the first `max_pairs` count.
    """
    from tf_models.data.tfds import prepared_builder, read_examples  # it imports TensorFlow

    builder = prepared_builder(name, data_dir)
    languages = builder.info.supervised_keys
    if not languages:
        raise InputError(f"tfds:{name} has no sentence pairs")
    source, target = pick(languages, wanted, f"tfds:{name}")
    splits = {}
    for split in SPLITS:
        if split in builder.info.splits:
            limit = max_pairs if split == "train" else None
            examples = itertools.islice(read_examples(builder, split), limit)
            splits[split] = [
                SentencePair(_text(example[source]), _text(example[target])) for example in examples
            ]
    return source, target, splits


def _text(raw: bytes) -> str:
    """Decode a sentence; a line break within it becomes a space."""
    return " ".join(unicodedata.normalize("NFC", raw.decode("utf-8")).splitlines()).strip()


def oriented(splits: Splits, columns: Languages, wanted: Languages, name: str) -> RawCorpus:
    """Pairs in the wanted direction.

    In `columns`, None is an unknown language; in `wanted`, any. An InputError if the columns are of
    other languages than wanted, or of unknown ones.
    """
    for (first, second), swapped in ((columns, False), (columns[::-1], True)):
        source, target = wanted[0] or first, wanted[1] or second
        if source and target and first in (None, source) and second in (None, target):
            if swapped:
                splits = {split: [SentencePair(b, a) for a, b in splits[split]] for split in splits}
            return source, target, splits
    if None in columns:
        raise InputError(
            f"cannot tell the languages of {name} by its name; pass --languages in the order of "
            "its columns, such as en-es"
        )
    received = " and ".join(filter(None, wanted))
    raise InputError(f"{name} holds {columns[0]} and {columns[1]}; received {received}")
