"""Sentence pairs in files of the user: a tab-separated one, two aligned ones, a folder."""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from tf_models.data.text.languages import TWO_LETTER_CODES, direction, language_of, pick
from tf_models.data.text.pairs import SentencePair, swap
from tf_models.data.text_files import COMPRESSED, named_files, plain_name, read_lines, stream_lines
from tf_models.errors import InputError

SPLIT_NAMES = {
    "train": ("train",),
    "validation": ("val", "valid", "validation"),
    "test": ("test_2016_flickr", "test"),
}
SHOWN_CHARACTERS = 40

# Pairs of each split that the corpus itself has: "train" and perhaps "validation" and "test".
# They are read as they are asked for, once: a corpus may be larger than memory.
Splits = dict[str, Iterable[SentencePair]]
Languages = tuple[str | None, str | None]


def short_name(corpus: str) -> str:
    """What names of folders and figures call a corpus: "deu" for "data/deu.txt.gz"."""
    if corpus.startswith("tfds:"):
        return corpus.removeprefix("tfds:").replace("/", "-")
    return named_files(corpus)[0].resolve().name.split(".")[0]


def read_path(path: Path, wanted: Languages) -> tuple[str, str, Splits]:
    """Read a folder, or else a tab-separated file: source and target language and the pairs. Raises
    InputError: it does not hold the wanted languages, or (from the pairs) it cannot be read.
    """
    return _read_folder(path, wanted) if path.is_dir() else _read_table(path, wanted)


def _read_table(path: Path, wanted: Languages) -> tuple[str, str, Splits]:
    """Read a tab-separated file; `deu.txt` and its kin have English first."""
    columns = _named_columns(path)
    source, target = wanted
    if columns[0] is None and target not in (None, "en"):
        source = source or "en"  # a name that says nothing: take what is given, from English
    source, target, swapped = direction(columns, source, target, str(path))
    lines = enumerate(stream_lines(path), start=1)
    pairs = (_columns(line, path, number) for number, line in lines if line.strip())
    return source, target, {"train": swap(pairs) if swapped else pairs}


def _named_columns(path: Path) -> Languages:
    stem = _stem(path).lower()
    codes = tuple(TWO_LETTER_CODES.get(part, part) for part in re.split("[-_]", stem))
    if len(codes) == 2 and set(codes) <= set(TWO_LETTER_CODES.values()):  # en-es.tsv
        return codes
    other = TWO_LETTER_CODES.get(stem)
    return ("en", other) if other not in (None, "en") else (None, None)


def read_sentences(path: Path) -> tuple[str, Iterator[SentencePair]] | None:
    """Read sentences, one a line or in the first column of a table, each as its own translation.
    Returns the language that the file's name says, or `en`, and the pairs; None if the file is a
    table of two languages by its name. Raises InputError: from the pairs, it cannot be read.
    """
    first = next((line for line in stream_lines(path) if line.strip()), "")
    if all(_named_columns(path)) and "\t" in first:
        return None
    lines = enumerate(stream_lines(path), start=1)
    sentences = (
        _columns(line, path, number).source if "\t" in line else line for number, line in lines
    )
    language = _suffix_language(path) or TWO_LETTER_CODES.get(_stem(path).lower(), "en")
    return language, (SentencePair(one, one) for one in sentences if one.strip())


def _columns(line: str, path: Path, number: int) -> SentencePair:
    columns = line.split("\t")
    if len(columns) not in (2, 3):
        raise InputError(
            f"{path}, line {number}: expected 2 or 3 columns separated by tabs, "
            f"found {len(columns)}: {line[:SHOWN_CHARACTERS]!r}"
        )
    return SentencePair(columns[0], columns[1])


def read_two_files(first: Path, second: Path, wanted: Languages) -> tuple[str, str, Splits]:
    """Read two aligned files, whose names may end with their languages; else like `read_path`."""
    columns = _suffix_language(first), _suffix_language(second)
    source, target, swapped = direction(columns, *wanted, f"{first},{second}")
    pairs = stream_aligned(first, second)
    return source, target, {"train": swap(pairs) if swapped else pairs}


def read_aligned(source: Path, target: Path) -> list[SentencePair]:
    """The pairs of `stream_aligned`, all at once, without the space around them."""
    pairs = stream_aligned(source, target)
    return [SentencePair(one.source.strip(), one.target.strip()) for one in pairs]


def stream_aligned(source: Path, target: Path) -> Iterator[SentencePair]:
    """Yield pairs of two text files that stand line by line beside each other. Raises InputError:
    one cannot be read, is no UTF-8, or has more lines than the other.
    """
    lines = zip_longest(stream_lines(source), stream_lines(target))
    for count, (first, second) in enumerate(lines):
        if first is None or second is None:
            longer = count + 1 + sum(1 for _ in lines)
            counts = (count, longer) if first is None else (longer, count)
            raise InputError(
                f"{source} has {counts[0]} lines and {target} has {counts[1]}; "
                "line by line, one must be the translation of the other"
            )
        yield SentencePair(first, second)


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """Read sentences with all their references: source, reference, reference … between tabs.

    Empty lines are skipped. Raises InputError: it cannot be read, a line has no reference, or a
    sentence stands there twice.
    """
    references: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        source, *found = (part.strip() for part in line.split("\t"))
        if not source or not any(found):
            raise InputError(
                f"{path}, line {number}: expected a sentence and at least one reference, separated "
                f"by tabs; received {line[:SHOWN_CHARACTERS]!r}"
            )
        if source in references:
            raise InputError(f"{path}, line {number}: {source!r} stands there twice")
        references[source] = tuple(filter(None, found))
    if not references:
        raise InputError(f"{path} is empty")
    return references


def _read_folder(folder: Path, wanted: Languages) -> tuple[str, str, Splits]:
    languages = _folder_languages(folder)
    if len(languages) < 2:
        raise InputError(f"{folder} has no train.en and train.de or the like (plain, .gz or .xz)")
    source, target = pick(languages, *wanted, str(folder))
    splits: Splits = {}
    for split, names in SPLIT_NAMES.items():
        one, other = (_split_file(folder, names, language) for language in (source, target))
        if one and other:
            splits[split] = stream_aligned(one, other)
        elif one or other:
            there, lacks = (source, target) if one else (target, source)
            raise InputError(f"{folder} has {split} sentences in {there} but none in {lacks}")
    return source, target, splits


def _folder_languages(folder: Path) -> list[str]:
    """Languages that `folder` has training sentences in, English first."""
    try:
        names = {plain_name(path) for path in folder.iterdir()}
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from error
    codes = {name.removeprefix("train.") for name in names if name.startswith("train.")}
    known = [code for code in codes if language_of(code)]
    return sorted(known, key=lambda code: (code != "en", code))


def _split_file(folder: Path, names: tuple[str, ...], language: str) -> Path | None:
    candidates = (folder / f"{name}.{language}{end}" for name in names for end in ("", *COMPRESSED))
    return next((path for path in candidates if os.path.exists(path)), None)


def _stem(path: Path) -> str:
    return Path(plain_name(path)).stem


def _suffix_language(path: Path) -> str | None:
    return language_of(Path(plain_name(path)).suffix.removeprefix("."))
