"""Sentence pairs for the translator: what `--corpus` names becomes three lists of pairs.

Every corpus goes through the same steps: pairs with an empty side are dropped, then identical
training pairs, then `max_pairs` are chosen, and what the corpus has no split for is held out of
the training pairs by source sentence. A corpus' own validation and test pairs are otherwise kept
as they are, so that scores compare with published ones.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf_models.data.embedded.annotated_pairs import (
    SPLITS,
    CorpusMetric,
    embedded_file,
    is_annotated,
    metrics,
    read_annotated,
)
from tf_models.data.text.corpus_files import (
    Languages,
    Splits,
    read_path,
    read_sentences,
    read_two_files,
    short_name,
)
from tf_models.data.text.languages import UnknownLanguagesError, direction
from tf_models.data.text.pairs import SentencePair, drop_duplicates, drop_empty, swap
from tf_models.data.text.splits import HELD_OUT_FRACTION, choose_pairs, split_by_source
from tf_models.data.text_files import fingerprint, named_files
from tf_models.errors import InputError, check_at_least

EMBEDDED = {name: embedded_file(name) for name in ("toy", "everyday")}
DOWNLOADED = {"tatoeba": "deu.txt", "multi30k": "."}  # name -> the file or folder to read
ACCEPTED_FORMS = (
    f"{', '.join([*EMBEDDED, *DOWNLOADED])}, a tab-separated file, SOURCE_FILE,TARGET_FILE, "
    "a folder with train.en and train.de, or tfds:NAME/CONFIG"
)


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs of two languages: to train on, to validate, to test.

    Parts that were split here share no source sentence; published parts are taken as they are.

    Further knowledge, where the corpus has it:
    others: further translations of the test sentences that are as good, by source sentence.
    alignments: of validation and test pairs, by source sentence: which source word and which target
        word translate each other, as `split_words` counts them.
    metrics: what else can be measured of its translations.
    mixed: the corpora that it is made of, if there are several; further knowledge is theirs.
    """

    name: str
    source_language: str
    target_language: str
    train: list[SentencePair]
    validation: list[SentencePair]
    test: list[SentencePair]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alignments: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    metrics: tuple[CorpusMetric, ...] = ()
    mixed: tuple[Corpus, ...] = ()

    @property
    def parts(self) -> dict[str, Corpus]:
        """The corpora that are validated and tested apart, by names as short as they may be."""
        corpora = self.mixed or (self,)
        names = [short_name(corpus.name) for corpus in corpora]
        if len(set(names)) < len(names):
            names = [corpus.name for corpus in corpora]
        return dict(zip(names, corpora, strict=True))

    def fingerprint(self) -> str:
        """16 hexadecimal digits that tell all pairs and their order from others."""
        splits = (self.train, self.validation, self.test)
        return fingerprint(*(map("\t".join, split) for split in splits))


def metrics_of(names: Iterable[str], target_language: str) -> tuple[CorpusMetric, ...]:
    """What else can be measured of translations of the corpora of these names."""
    paths = [Path(EMBEDDED.get(name, name)) for name in names]
    pairs = [pair for path in paths if is_annotated(path) for pair in read_annotated(path)[1]]
    return metrics(pairs) if pairs and target_language == "de" else ()


def load_corpus(
    name: str,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    data_dir: str | os.PathLike | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
) -> Corpus:
    """Load the corpus that `name` stands for.

    Args:
        name: one of
            `toy`, `everyday`: the embedded corpora, English and German;
            `tatoeba`, `multi30k`: downloaded once into `data_dir`/NAME;
            a file with the columns of the embedded one (see `annotated_pairs`);
            a tab-separated file of two or three columns, as manythings.org's `deu.txt` (the
            third, the attribution, is ignored; an unknown file name counts as the source
            language, then the target language);
            `SOURCE,TARGET`: two files, aligned line by line;
            a folder with `train.en`, `train.de` and perhaps `val.*` and `test.*`;
            `tfds:NAME/CONFIG`: a data set of TensorFlow Datasets, in `data_dir`.
            Text files may be compressed (`.gz`, `.xz`).
        source_language: two-letter code; None: what the name says, else `en`.
        target_language: likewise; the columns are swapped if the name says that they must be.
        data_dir: where downloads and prepared data sets lie; None: each one's own default.
        max_pairs: at most so many pairs: the first training pairs of embedded corpora, of files
            like them and of TFDS; elsewhere a random choice of source sentences (files are often
            sorted, `deu.txt` by length). A corpus' own validation and test pairs do not count.
        seed: decides that choice and the split.

    Raises:
        InputError: there is no such corpus, or it cannot be used; the message says why.

    Example:
        >>> corpus = load_corpus("toy", max_pairs=1000)
        >>> print(len(corpus.train), corpus.train[0])
        1000 SentencePair(source='the flowers', target='die Blumen')
    """
    check_max_pairs(max_pairs)
    wanted = source_language, target_language
    path = _path(name, data_dir)
    if path and is_annotated(path):
        return _load_annotated(name, path, wanted, max_pairs)
    source, target, splits = read_splits(name, wanted, data_dir, max_pairs)
    return _complete(name, (source, target), splits, max_pairs, seed)


def load_sentences(
    name: str,
    language: str | None = None,
    *,
    data_dir: str | os.PathLike | None = None,
    seed: int = 0,
) -> Corpus:
    """Load sentences of one language, the sources of a corpus.

    Args:
        name: as for `load_corpus`; or a text file of one sentence a line, or a tab-separated file
            with the sentences in its first column, which need not say its languages.
        language: two-letter code; None: what the name says, else `en`.
        data_dir, seed: see `load_corpus`.

    Raises:
        InputError: there is nothing of that name, it cannot be used, or it does not have the
            language.
    """
    path = _path(name, data_dir)
    if path and path.is_file() and not is_annotated(path) and (found := read_sentences(path)):
        languages = (language or found[0],) * 2
        return _complete(name, languages, {"train": found[1]}, None, seed)
    try:
        return load_corpus(name, source_language=language, data_dir=data_dir, seed=seed)
    except UnknownLanguagesError:
        raise InputError(
            f"cannot tell the languages of {name} by its name; name the one file with the "
            "sentences, one a line"
        ) from None


def check_max_pairs(max_pairs: int | None) -> None:
    """Raise an InputError if a number of pairs is below 1."""
    if max_pairs is not None:
        check_at_least(1, **{"the number of pairs": max_pairs})


def _load_annotated(name: str, path: Path, wanted: Languages, max_pairs: int | None) -> Corpus:
    languages, pairs = read_annotated(path)
    *_, swapped = direction(languages, *wanted, f"the corpus {name}")
    train, validation, test = parts = [[pair for pair in pairs if pair.split == s] for s in SPLITS]
    for split, part in zip(SPLITS, parts, strict=True):
        check_any(len(part), name, languages, split)
    if max_pairs is not None and max_pairs > len(train):
        print(f"{name} has {len(train):,} training pairs; all of them are used", file=sys.stderr)
    del train[max_pairs or len(train) :]
    plain: Iterable[Any] = (
        [SentencePair(one.source, one.target) for one in part] for part in parts
    )
    corpus = Corpus(
        name,
        *languages,
        *plain,
        others={pair.source: pair.references.split(" | ") for pair in test if pair.references},
        alignments={pair.source: pair.links for pair in (*validation, *test)},
        metrics=metrics(pairs) if languages[1] == "de" else (),
    )
    return _reversed(corpus) if swapped else corpus


def _reversed(corpus: Corpus) -> Corpus:
    """The corpus in the other direction, of which less is known."""
    parts: list[Any] = [list(swap(part)) for part in (corpus.train, corpus.validation, corpus.test)]
    links = {
        pair.source: [(j, i) for i, j in corpus.alignments[pair.target]]
        for part in parts[1:]
        for pair in part
    }
    languages = corpus.target_language, corpus.source_language
    return Corpus(corpus.name, *languages, *parts, alignments=links)


def _path(name: str, data_dir: str | os.PathLike | None) -> Path | None:
    """Where a corpus lies that has a name or is in one file or folder."""
    if name in EMBEDDED:
        return EMBEDDED[name]
    if name in DOWNLOADED:
        from tf_models.data.text.downloads import cached_corpus  # late: pooch takes its time

        return cached_corpus(name, data_dir) / DOWNLOADED[name]
    return Path(name) if os.path.exists(name) else None


def read_splits(
    name: str, wanted: Languages, data_dir: str | os.PathLike | None, max_pairs: int | None
) -> tuple[str, str, Splits]:
    """Source and target language of a corpus, and its pairs, read as they are asked for.

    Args: see `load_corpus`; `wanted` are both languages.

    Raises:
        InputError: there is no such corpus, or it is annotated; or, from the pairs, it cannot be
            read.
    """
    path = _path(name, data_dir)
    if path and is_annotated(path):
        raise InputError(f"the corpus {name} fits into memory; train on it as it is")
    if path:
        return read_path(path, wanted)
    if name.startswith("tfds:"):
        from tf_models.data.text.tfds_corpora import read_tfds

        return read_tfds(name.removeprefix("tfds:"), wanted, data_dir, max_pairs)
    if len(files := named_files(name)) == 2:
        return read_two_files(files[0], files[1], wanted)
    raise InputError(f"no corpus, file or folder {name!r}; expected {ACCEPTED_FORMS}")


def _complete(
    name: str, languages: tuple[str, str], splits: Splits, max_pairs: int | None, seed: int
) -> Corpus:
    """Clean the pairs, choose `max_pairs` to train on, hold out the splits that are missing."""
    whole = {split: whole_split(name, languages, splits, split) for split in splits}
    train = drop_duplicates(whole["train"], f"{name}, train")
    if max_pairs is not None:
        train = choose_pairs(train, max_pairs, seed)
    train, validation, test = split_by_source(train, *held_out_of(splits), seed=seed)
    return Corpus(
        name, *languages, train, whole.get("validation", validation), whole.get("test", test)
    )


def whole_split(
    name: str, languages: Sequence[str], splits: Splits, split: str
) -> list[SentencePair]:
    """The cleaned pairs of a split of the corpus `name`; an InputError if there are none, or they
    are unreadable.
    """
    pairs = list(drop_empty(splits[split], f"{name}, {split}"))
    check_any(len(pairs), name, languages, split)
    return pairs


def check_any(count: int, name: str, languages: Sequence[str], split: str = "train") -> None:
    """Raise an InputError if a split of the corpus `name` has no pairs."""
    if not count:
        raise InputError(
            f"{name} has no {split} sentence pairs from {languages[0]} to {languages[1]}"
        )


def held_out_of(splits: Splits) -> tuple[float, float]:
    """Which share of the training sources becomes validation and test pairs: 0 if there are any."""
    validation, test = (0 if s in splits else HELD_OUT_FRACTION for s in ("validation", "test"))
    return validation, test
