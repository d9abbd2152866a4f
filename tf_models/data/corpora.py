"""Sentence pairs for the translator: what `--corpus` names becomes three lists of pairs.

Every corpus goes through the same steps: pairs with an empty side are dropped, then identical
training pairs, then `max_pairs` are chosen, and what the corpus has no split for is held out of
the training pairs by source sentence. A corpus' own validation and test pairs are otherwise kept
as they are, so that scores compare with published ones.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from tf_models.data.languages import TWO_LETTER_CODES, direction, language_of, pick
from tf_models.data.pairs import SentencePair, drop_duplicates, drop_empty, swap
from tf_models.data.splits import HELD_OUT_FRACTION, choose_pairs, split_by_source
from tf_models.data.text_files import decode_lines, read_lines
from tf_models.errors import InputError

__all__ = ["Corpus", "SentencePair", "decode_lines", "load_corpus", "read_aligned", "read_lines"]

TOY_TRAINING_PAIRS = 50_000
TOY_VALIDATION_PAIRS = 1_000
TOY_TEST_PAIRS = 2_000
ACCEPTED_FORMS = (
    "toy, tatoeba, multi30k, a tab-separated file, SOURCE_FILE,TARGET_FILE, "
    "a folder with train.en and train.de, or tfds:NAME/CONFIG"
)
SPLIT_NAMES = {
    "train": ("train",),
    "validation": ("val", "valid", "validation"),
    "test": ("test_2016_flickr", "test"),
}
SHOWN_CHARACTERS = 40

# Pairs of each split that the corpus itself has: "train" and perhaps "validation" and "test".
Splits = dict[str, list[SentencePair]]
Languages = tuple[str | None, str | None]


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs of two languages: to train on, to validate, to test.

    Parts that were split here share no source sentence; published parts are taken as they are.
    """

    name: str
    source_language: str
    target_language: str
    train: list[SentencePair]
    validation: list[SentencePair]
    test: list[SentencePair]

    def fingerprint(self) -> str:
        """Of all pairs and their order: 16 hexadecimal digits."""
        digest = hashlib.sha256()
        for split in (self.train, self.validation, self.test):
            for source, target in split:
                digest.update(f"{source}\t{target}\n".encode())
            digest.update(b"\n")
        return digest.hexdigest()[:16]


def load_corpus(
    name: str,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    data_dir: str | os.PathLike | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
    progress: bool = True,
) -> Corpus:
    """Load the corpus that `name` stands for.

    Args:
        name: one of
            `toy`: sentences of the embedded grammar, English and German;
            `tatoeba`, `multi30k`: downloaded once into `data_dir`/NAME;
            a tab-separated file of two or three columns, as manythings.org's `deu.txt` (the
            third, the attribution, is ignored; an unknown file name counts as the source
            language, then the target language);
            `SOURCE,TARGET`: two files, aligned line by line;
            a folder with `train.en`, `train.de` and perhaps `val.*` and `test.*`;
            `tfds:NAME/CONFIG`: a data set of TensorFlow Datasets, in `data_dir`.
            Text files may be compressed (`.gz`).
        source_language: two-letter code; None: what the name says, else `en`.
        target_language: likewise; the columns are swapped if the name says that they must be.
        data_dir: where downloads and prepared data sets lie; None: each one's own default.
        max_pairs: at most so many pairs. The toy makes so many training pairs; TFDS reads no
            more of its training split; elsewhere they are a random choice of source sentences
            (files are often sorted, `deu.txt` by length). A corpus' own validation and test
            pairs do not count.
        seed: decides that choice and the split, or the toy's sentences.
        progress: whether downloads show a bar.

    Raises:
        InputError: there is no such corpus, or it cannot be used; the message says why.
    """
    if max_pairs is not None and max_pairs < 1:
        raise InputError(f"the number of pairs must be at least 1; received {max_pairs}")
    wanted = source_language, target_language
    if name == "toy":
        return _load_toy(wanted, max_pairs or TOY_TRAINING_PAIRS, seed)
    source, target, splits = _read(name, wanted, data_dir, max_pairs, progress)
    return _complete(name, (source, target), splits, max_pairs, seed)


def _load_toy(wanted: Languages, training_pairs: int, seed: int) -> Corpus:
    from tf_models.data.grammar import toy_splits

    source, target, swapped = direction(("en", "de"), *wanted, "the toy corpus")
    made = toy_splits(training_pairs, TOY_VALIDATION_PAIRS, TOY_TEST_PAIRS, seed=seed)
    parts = [
        [SentencePair(pair.source, pair.target) for pair in part]
        for part in (made.train, made.validation, made.test)
    ]
    return Corpus("toy", source, target, *(map(swap, parts) if swapped else parts))


def _read(
    name: str,
    wanted: Languages,
    data_dir: str | os.PathLike | None,
    max_pairs: int | None,
    progress: bool,
) -> tuple[str, str, Splits]:
    """Find out what `name` is and read it: source and target language and the pairs."""
    if name.startswith("tfds:"):
        from tf_models.data.tfds_corpora import read_tfds

        return read_tfds(
            name.removeprefix("tfds:"),
            source=wanted[0],
            target=wanted[1],
            data_dir=data_dir,
            max_pairs=max_pairs,
            progress=progress,
        )
    if name in ("tatoeba", "multi30k"):
        from tf_models.data.downloads import cached_corpus  # late: requests takes its time

        folder = cached_corpus(name, data_dir, progress)
        return _read_path(folder / "deu.txt" if name == "tatoeba" else folder, wanted)
    if os.path.exists(name):
        return _read_path(Path(name), wanted)
    if name.count(",") == 1:
        first, second = name.split(",")
        return _read_two_files(Path(first), Path(second), wanted)
    raise InputError(f"no corpus, file or folder {name!r}; expected {ACCEPTED_FORMS}")


def _read_path(path: Path, wanted: Languages) -> tuple[str, str, Splits]:
    return _read_folder(path, wanted) if path.is_dir() else _read_table(path, wanted)


def _read_table(path: Path, wanted: Languages) -> tuple[str, str, Splits]:
    """Read a tab-separated file; `deu.txt` and its kin have English first."""
    other = TWO_LETTER_CODES.get(_stem(path).lower())
    columns: Languages = ("en", other) if other not in (None, "en") else (None, None)
    source, target = wanted
    if columns[0] is None and target not in (None, "en"):
        source = source or "en"  # a name that says nothing: take what is given, from English
    source, target, swapped = direction(columns, source, target, str(path))
    lines = enumerate(read_lines(path), start=1)
    pairs = [_columns(line, path, number) for number, line in lines if line.strip()]
    return source, target, {"train": swap(pairs) if swapped else pairs}


def _columns(line: str, path: Path, number: int) -> SentencePair:
    columns = line.split("\t")
    if len(columns) not in (2, 3):
        raise InputError(
            f"{path}, line {number}: expected 2 or 3 columns separated by tabs, "
            f"found {len(columns)}: {line[:SHOWN_CHARACTERS]!r}"
        )
    return SentencePair(columns[0], columns[1])


def _read_two_files(first: Path, second: Path, wanted: Languages) -> tuple[str, str, Splits]:
    columns = _suffix_language(first), _suffix_language(second)
    source, target, swapped = direction(columns, *wanted, f"{first},{second}")
    pairs = read_aligned(first, second)
    return source, target, {"train": swap(pairs) if swapped else pairs}


def read_aligned(source: Path, target: Path) -> list[SentencePair]:
    """Read two text files (plain or .gz) that stand line by line beside each other.

    Raises:
        InputError: one cannot be read, is no UTF-8, or has more lines than the other.
    """
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise InputError(
            f"{source} has {len(sources)} lines and {target} has {len(targets)}; "
            "line by line, one must be the translation of the other"
        )
    return [SentencePair(*pair) for pair in zip(sources, targets, strict=True)]


def _read_folder(folder: Path, wanted: Languages) -> tuple[str, str, Splits]:
    languages = _folder_languages(folder)
    if len(languages) < 2:
        raise InputError(f"{folder} has no train.en and train.de or the like (plain or .gz)")
    source, target = pick(languages, *wanted, str(folder))
    splits = {}
    for split, names in SPLIT_NAMES.items():
        files = [_split_file(folder, names, language) for language in (source, target)]
        if all(files):
            splits[split] = read_aligned(*files)
        elif any(files):
            there, lacks = (source, target) if files[0] else (target, source)
            raise InputError(f"{folder} has {split} sentences in {there} but none in {lacks}")
    return source, target, splits


def _folder_languages(folder: Path) -> list[str]:
    """Languages that `folder` has training sentences in, English first."""
    try:
        names = {path.name.removesuffix(".gz") for path in folder.iterdir()}
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from error
    codes = {name.removeprefix("train.") for name in names if name.startswith("train.")}
    known = [code for code in codes if language_of(code)]
    return sorted(known, key=lambda code: (code != "en", code))


def _split_file(folder: Path, names: tuple[str, ...], language: str) -> Path | None:
    candidates = (folder / f"{name}.{language}{end}" for name in names for end in ("", ".gz"))
    return next((path for path in candidates if os.path.exists(path)), None)


def _stem(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem


def _suffix_language(path: Path) -> str | None:
    return language_of(Path(path.name.removesuffix(".gz")).suffix.removeprefix("."))


def _complete(
    name: str, languages: tuple[str, str], splits: Splits, max_pairs: int | None, seed: int
) -> Corpus:
    """Clean the pairs, choose `max_pairs` to train on, hold out the splits that are missing."""
    splits = {split: drop_empty(pairs, f"{name}, {split}") for split, pairs in splits.items()}
    for split, pairs in splits.items():
        if not pairs:
            raise InputError(
                f"{name} has no {split} sentence pairs from {languages[0]} to {languages[1]}"
            )
    train = drop_duplicates(splits["train"], f"{name}, train")
    if max_pairs is not None:
        train = choose_pairs(train, max_pairs, seed)
    held_out = [0 if split in splits else HELD_OUT_FRACTION for split in ("validation", "test")]
    train, validation, test = split_by_source(train, *held_out, seed=seed)
    return Corpus(
        name, *languages, train, splits.get("validation", validation), splits.get("test", test)
    )
