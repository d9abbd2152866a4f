"""Sentence pairs of files and TFDS: reading, random choice, and splits.

One English sentence of Tatoeba has several German translations, and goes to one side with all of
them: else a model would be tested on sentences that it was trained on. A hash of (seed, sentence)
decides on the side, so it does not depend on the order of the pairs.
"""

import hashlib
import itertools
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tf_models.data.tables import Row, Table, read_table, stream_rows
from tf_models.data.text_files import OPENERS, name_in_zip, plain_name, read_lines, stream_lines
from tf_models.errors import InputError

SPLITS = ("train", "validation", "test")
HELD_OUT_FRACTION = 0.02
MAX_HELD_OUT_SOURCES = 2000
MOST_COLUMNS = 3  # of a table without a header: source, target, attribution
EXPECTED = (
    "2 or 3 columns (source, target, perhaps an attribution), or a first line that names them, "
    "such as en and de"
)
SPLIT_NAMES = {  # of the files in a folder
    "train": ("train",),
    "validation": ("val", "valid", "validation"),
    "test": ("test_2016_flickr", "test"),
}
LANGUAGES = """
ara ar Arabic, bul bg Bulgarian, ces cs Czech, cmn zh Chinese, dan da Danish, deu de German,
ell el Greek, eng en English, est et Estonian, fin fi Finnish, fra fr French, heb he Hebrew,
hin hi Hindi, hun hu Hungarian, ind id Indonesian, isl is Icelandic, ita it Italian,
jpn ja Japanese, kor ko Korean, lat la Latin, lit lt Lithuanian, nld nl Dutch, nob nb Norwegian,
pes fa Persian, pol pl Polish, por pt Portuguese, ron ro Romanian, rus ru Russian, slk sk Slovak,
slv sl Slovenian, spa es Spanish, srp sr Serbian, swe sv Swedish, tha th Thai, tur tr Turkish,
ukr uk Ukrainian, vie vi Vietnamese
"""  # codes of ISO 639-3, as manythings.org names its files, and of ISO 639-1; names in headers
TWO_LETTER_CODES = {
    name.lower(): code
    for long_code, code, english in map(str.split, LANGUAGES.split(","))
    for name in (long_code, english)
}
SOURCE_NAMES = {"source", "src", "sentence"}
TARGET_NAMES = {"target", "tgt", "translation", "reference", "references"}


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


Languages = tuple[str | None, str | None]
# By name: "train", and "validation" and "test" where the corpus has its own.
Splits = Mapping[str, Sequence[SentencePair]]
RawCorpus = tuple[str, str, Splits]  # both languages, and the pairs as they are read


def read_pairs(path: Path, wanted: Languages) -> RawCorpus:
    """Read a table whose first line, or whose file name, says the languages.

    Columns of numbers, such as pandas' index or Tatoeba's ids, are left out; then come source,
    target, and perhaps an attribution. A header may name two languages or more, or source and
    target, in any order.
    """
    table = read_table(path, _names_a_side)
    languages, (source, target) = file_languages(path), _sides(path, table, wanted)
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


def header_languages(header: Sequence[str]) -> dict[int, str]:
    """Two-letter codes by column, if a header names two languages or more."""
    known = {*TWO_LETTER_CODES.values()}
    codes: dict[int, str] = {}
    for column, name in enumerate(header):
        code = None if name == "id" else language_code(name)
        if code in known and code not in codes.values():
            codes[column] = code
    return codes if len(codes) >= 2 else {}


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
    name: str, wanted: Languages, data_dir: str | os.PathLike | None, max_pairs: int | None
) -> RawCorpus:
    """Read a data set of TFDS, such as `ted_hrlr_translate/pt_to_en`.

    Its supervised keys are the languages; of the training pairs, only the first `max_pairs` count.
    """
    from tf_models.data.tfds import prepared_builder, read_examples  # late: TensorFlow

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
            splits[split] = [SentencePair(_text(e[source]), _text(e[target])) for e in examples]
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


def pick(codes: Sequence[str], wanted: Languages, name: str) -> tuple[str, str]:
    """Source and target language of a corpus: as wanted, or the first two."""
    source = wanted[0] or next(code for code in codes if code != wanted[1])
    target = wanted[1] or next(code for code in codes if code != source)
    if source not in codes or target not in codes:
        raise InputError(f"{name} has no {source} or no {target}; it has {', '.join(codes)}")
    return source, target


def file_languages(path: Path) -> Languages:
    """Languages of both columns by the file name, or None; without regions.

    `en-es.tsv`, `Deu_eng.txt`, `en-pt-br.tsv`; manythings.org's `deu.txt` is English and German.
    """
    name = name_in_zip(path) if path.suffix.lower() == ".zip" else plain_name(path)
    label = Path(name).stem.lower()
    codes = [TWO_LETTER_CODES.get(part, part) for part in re.split("[-_]", label)]
    if len(codes) == 1 and codes[0] != label and len(label) == 3:
        codes = ["en", *codes]
    known = [code for code in dict.fromkeys(codes) if code in TWO_LETTER_CODES.values()]
    if len(known) == 2 and codes[0] == known[0] and all(len(code) == 2 for code in codes):
        return known[0], known[1]
    return None, None


def language_code(label: str) -> str | None:
    """Two-letter code of a language label: `de` for `deu`, `pt` for `pt_br`."""
    label = re.split("[-_]", label.lower())[0]
    return label if re.fullmatch("[a-z]{2}", label) else TWO_LETTER_CODES.get(label)


BY_PLACE, BY_MEANING = "pronoun by place", "pronoun by meaning"
UNSEEN, OTHERS = "unseen names and numbers", "others"
FIRST_NOUN, SECOND_NOUN = "first noun", "second noun"
_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")


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
        """Alignment as (source word, target word), counted from 0."""
        return list(map(link, self.alignment.split()))


def link(text: str) -> tuple[int, int]:
    """Numbers of two related words: (2, 1) for "2-1"."""
    first, second = text.split("-")
    return int(first), int(second)


def pronoun_of(german: str) -> str | None:
    """Pronoun that begins the second clause: "…, weil sie zu breit war."."""
    match = _PRONOUN.search(german)
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


def source_key(pair: tuple) -> str:
    """Key of a source sentence, the same for any case and spacing."""
    return " ".join(pair[0].casefold().split())


def choose_pairs(pairs: Sequence[SentencePair], count: int, seed: int = 0) -> list[SentencePair]:
    """Choose `count` pairs of random source sentences, in the given order."""
    order = np.argsort(_digests(pairs, f"choice {seed}"), kind="stable")
    return [pairs[i] for i in np.sort(order[:count])]


def hold_out(
    splits: Mapping[str, list], fraction: float = HELD_OUT_FRACTION, seed: int = 0
) -> tuple[list, list, list]:
    """Training, validation and test pairs; missing splits are held out.

    Args:
        splits: "train", perhaps "validation" and "test": pairs, whose first part is the source.
            Sources that differ only in case or white space count as the same.
        fraction: of the training sources, whose pairs make up a missing split: 1 to 2000 of them.

    Raises:
        InputError: no source sentence would be left to train on.
    """
    digests = _digests(splits["train"], f"split {seed}")
    sources = np.unique(digests)
    size = min(max(1, int(fraction * len(sources))), MAX_HELD_OUT_SOURCES)
    validation, test = (0 if split in splits else size for split in SPLITS[1:])
    if validation + test >= len(sources):
        raise InputError(
            f"too few sentences to hold out {validation} for validation and {test} for the test; "
            f"received {len(sources)} distinct source sentences"
        )
    first_of_test, first_of_training = sources[validation], sources[validation + test]
    side_of = np.select([digests < first_of_test, digests < first_of_training], [1, 2], 0)
    sides: tuple[list, list, list] = ([], [], [])
    for pair, side in zip(splits["train"], side_of, strict=True):
        sides[side].append(pair)
    return sides[0], splits.get("validation", sides[1]), splits.get("test", sides[2])


def _digests(pairs: Sequence[tuple], salt: str) -> np.ndarray:
    """A hash of each source sentence, (pairs,) uint64."""
    keys = (f"{salt}\0{source_key(pair)}".encode() for pair in pairs)
    digests = (hashlib.blake2b(key, digest_size=8).digest() for key in keys)
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)


DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."
HOPKINS_IN_GERMAN = "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."

# The noun that "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

SHORT = ("I am a student.", "Attention is all you need.")
ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR, *SHORT)
