"""Sentence pairs of files: a tab-separated one, two aligned ones, a folder; and of TFDS."""

import itertools
import os
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from tf_models.data.pairs import SentencePair
from tf_models.data.text_files import OPENERS, name_in_zip, plain_name, read_lines, table_rows
from tf_models.errors import InputError

SPLIT_NAMES = {
    "train": ("train",),
    "validation": ("val", "valid", "validation"),
    "test": ("test_2016_flickr", "test"),
}
CODES = """
ara ar, bul bg, ces cs, cmn zh, dan da, deu de, ell el, eng en, est et, fin fi, fra fr,
heb he, hin hi, hun hu, ind id, isl is, ita it, jpn ja, kor ko, lat la, lit lt, nld nl,
nob nb, pes fa, pol pl, por pt, ron ro, rus ru, slk sk, slv sl, spa es, srp sr, swe sv,
tha th, tur tr, ukr uk, vie vi
"""  # of ISO 639-3, as manythings.org names its files, and of ISO 639-1
TWO_LETTER_CODES = dict(pair.split() for pair in CODES.split(","))

Languages = tuple[str | None, str | None]
# By name: "train", and "validation" and "test" where the corpus has its own.
Splits = Mapping[str, Sequence[SentencePair]]
RawCorpus = tuple[str, str, Splits]  # both languages, and the pairs as they are read


def short_name(corpus: str) -> str:
    """Name of a corpus in folders and figures: "deu" for "data/deu.txt.gz"."""
    if corpus.startswith("tfds:"):
        return corpus.removeprefix("tfds:").replace("/", "-")
    first = corpus if os.path.exists(corpus) else corpus.split(",")[0]
    return Path(first).resolve().name.split(".")[0]


def turned(splits: Splits, columns: Languages, wanted: Languages, name: str) -> RawCorpus:
    """Pairs of two columns in the wanted direction; None is a language that is not known, or that
    may be any. An InputError if the columns are of other languages, or nobody knows of which.
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
    """Source and target language of those of a corpus: the first two, unless others are wanted."""
    source = wanted[0] or next(code for code in codes if code != wanted[1])
    target = wanted[1] or next(code for code in codes if code != source)
    if source not in codes or target not in codes:
        raise InputError(f"{name} has no {source} or no {target}; it has {', '.join(codes)}")
    return source, target


def file_languages(path: Path) -> Languages:
    """Languages of both columns as the name of a table has them: `en-es.tsv`, `en-pt-br.tsv`;
    manythings.org's `deu.txt` is English and German. None where it does not say.
    """
    name = name_in_zip(path) if path.suffix == ".zip" else plain_name(path)
    return languages_of(Path(name).stem)


def languages_of(label: str) -> Languages:
    """Languages that a label names, regions left out: `en-es`, `Deu_eng`, `en-pt-br`, `deu`."""
    parts = [TWO_LETTER_CODES.get(part, part) for part in re.split("[-_]", label.lower())]
    if len(parts) == 1:
        other = TWO_LETTER_CODES.get(label.lower())
        return ("en", other) if other not in (None, "en") else (None, None)
    codes = parts if len(parts) == 2 else list(dict.fromkeys(parts))  # the region of fr-fr
    known = [code for code in codes if code in TWO_LETTER_CODES.values()]
    is_pair = len(known) == 2 and codes[0] == known[0]
    has_regions = all(re.fullmatch("[a-z]{2}", code) for code in codes)
    return (known[0], known[1]) if is_pair and has_regions else (None, None)


def read_table(path: Path, wanted: Languages) -> RawCorpus:
    """Read a tab-separated file of two or three columns; English is the first of `deu.txt`."""
    rows = table_rows(path, range(2, 4), "2 or 3 columns separated by tabs")
    pairs = [SentencePair(source, target) for source, target, *_ in rows]
    return turned({"train": pairs}, file_languages(path), wanted, str(path))


def read_two_files(first: Path, second: Path, wanted: Languages) -> RawCorpus:
    """Read two aligned files, whose names may end with their languages."""
    labels = (Path(plain_name(path)).suffix.removeprefix(".") for path in (first, second))
    source, target = map(language_code, labels)
    pairs = read_aligned(first, second)
    return turned({"train": pairs}, (source, target), wanted, f"{first},{second}")


def read_aligned(source: Path, target: Path) -> list[SentencePair]:
    """Pairs of two text files that stand line by line beside each other."""
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise InputError(
            f"{source} has {len(sources)} lines and {target} has {len(targets)}; "
            "line by line, one must be the translation of the other"
        )
    lines = zip(sources, targets, strict=True)
    return [SentencePair(first.strip(), second.strip()) for first, second in lines]


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """Read sentences with all their references: source, reference, reference … between tabs."""
    references: dict[str, tuple[str, ...]] = {}
    rows = table_rows(path, range(2, sys.maxsize), "a sentence, a tab and a reference")
    for source, *others in rows:
        if source and any(others):
            references[source] = (*references.get(source, ()), *filter(None, others))
    if not references:
        raise InputError(f"{path} is empty")
    return references


def read_folder(folder: Path, wanted: Languages) -> RawCorpus:
    """Read a folder with `train.en`, `train.de` and perhaps `val.*` and `test.*`."""
    names = {plain_name(path) for path in folder.iterdir()}
    ends = {name.removeprefix("train.") for name in names if name.startswith("train.")}
    end_of = {language: end for end in ends if (language := language_code(end))}
    languages = sorted(end_of, key=lambda c: (c != "en", c != "de", c))
    if len(languages) < 2:
        raise InputError(f"{folder} has no train.en and train.de or the like (plain, .gz or .xz)")
    source, target = pick(languages, wanted, str(folder))
    splits = {}
    for split, names_of_split in SPLIT_NAMES.items():
        first, second = (_split_file(folder, names_of_split, end_of[c]) for c in (source, target))
        if first and second:
            splits[split] = read_aligned(first, second)
    return source, target, splits


def _split_file(folder: Path, names: tuple[str, ...], language: str) -> Path | None:
    candidates = (folder / f"{name}.{language}{end}" for name in names for end in ("", *OPENERS))
    return next(filter(Path.exists, candidates), None)


def language_code(label: str) -> str | None:
    """Language code that a part of a file name stands for: `de` for `deu`, `pt` for `pt_br`."""
    label = re.split("[-_]", label.lower())[0]
    return label if re.fullmatch("[a-z]{2}", label) else TWO_LETTER_CODES.get(label)


def read_tfds(
    name: str, wanted: Languages, data_dir: str | os.PathLike | None, max_pairs: int | None
) -> RawCorpus:
    """Read a data set of TFDS, NAME or NAME/CONFIG: `ted_hrlr_translate/pt_to_en`; of the training
    pairs only the first max_pairs. TFDS says which language is the source by default.
    """
    from tf_models.data.tfds import keys_of, prepared_builder, read_examples  # late: TensorFlow

    builder = prepared_builder(name, data_dir)
    codes, first = keys_of(builder, "Text"), builder.info.supervised_keys or ()
    codes.sort(key=lambda code: first.index(code) if code in first else len(first))
    if len(codes) < 2:
        raise InputError(f"tfds:{name} has no sentence pairs")
    source, target = pick(codes, wanted, f"tfds:{name}")
    splits = {}
    for split in SPLIT_NAMES:
        if split in builder.info.splits:
            most = max_pairs if split == "train" else None
            examples = itertools.islice(read_examples(builder, split), most)
            splits[split] = [SentencePair(_text(e[source]), _text(e[target])) for e in examples]
    return source, target, splits


def _text(raw: bytes) -> str:
    """Decode a sentence; a line break within it becomes a space."""
    return " ".join(unicodedata.normalize("NFC", raw.decode("utf-8")).splitlines()).strip()
