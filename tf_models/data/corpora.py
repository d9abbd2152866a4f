"""Sentence pairs for the translator: what `--corpus` names becomes three lists of pairs.

Every corpus goes through the same steps: pairs with an empty side are dropped, then identical
training pairs, then `max_pairs` are chosen, and what the corpus has no split for is held out of
the training pairs by source sentence. A corpus' own validation and test pairs are otherwise kept
as they are, so that scores compare with published ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tf_models.data.annotated_pairs import (
    SPLITS,
    CorpusMetric,
    embedded_file,
    is_annotated,
    metrics,
    read_annotated,
)
from tf_models.data.corpus_files import (
    Languages,
    RawCorpus,
    direction,
    file_languages,
    read_folder,
    read_table,
    read_two_files,
    short_name,
    swap,
)
from tf_models.data.pairs import (
    HELD_OUT_FRACTION,
    SentencePair,
    choose_pairs,
    drop_empty,
    source_key,
    split_by_source,
)
from tf_models.data.text_files import fingerprint, read_lines
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
    """Further metrics for translations of the corpora of these names."""
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
            third, the attribution, is ignored; a name such as `deu.txt` or `en-es.tsv` says the
            languages);
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
    if max_pairs is not None:
        check_at_least(1, **{"the number of pairs": max_pairs})
    wanted, path = (source_language, target_language), _find(name, data_dir)
    if path and is_annotated(path):
        return _load_annotated(name, path, wanted, max_pairs)
    if path:
        read = read_folder if path.is_dir() else read_table
        raw = read(path, wanted)
    elif name.startswith("tfds:"):
        from tf_models.data.tfds_corpora import read_tfds  # late: it starts TensorFlow

        raw = read_tfds(name.removeprefix("tfds:"), wanted, data_dir, max_pairs)
    elif len(files := name.split(",")) == 2:
        raw = read_two_files(Path(files[0]), Path(files[1]), wanted)
    else:
        raise InputError(f"no corpus, file or folder {name!r}; expected {ACCEPTED_FORMS}")
    return _complete(name, raw, max_pairs, seed)


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
        language: two-letter code; None: of a corpus its source language, else `en`.
        data_dir, seed: see `load_corpus`.

    Raises:
        InputError: there is nothing of that name, it cannot be used, or it does not have the
            language.
    """
    path = _find(name, data_dir)
    if path and path.is_file() and not is_annotated(path):
        lines = read_lines(path)
        if not (all(file_languages(path)) and any("\t" in line for line in lines)):
            sentences = [line.split("\t")[0] for line in lines]
            pairs = [SentencePair(sentence, sentence) for sentence in sentences]
            raw = RawCorpus(language or "en", language or "en", {"train": pairs})
            return _complete(name, raw, None, seed)
    return load_corpus(name, source_language=language, data_dir=data_dir, seed=seed)


def load_corpora(
    names: Sequence[str],
    *,
    languages: Languages = (None, None),
    data_dir: str | os.PathLike | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
) -> Corpus:
    """Load a corpus, or several to train on together (see `mix`), as `load_corpus` does.

    If no languages are wanted, those of the first corpus are wanted of all others. Of each corpus
    there are max_pairs.
    """
    corpora: list[Corpus] = []
    for name in names:
        source, target = languages
        options: dict[str, Any] = {"data_dir": data_dir, "max_pairs": max_pairs, "seed": seed}
        corpus = load_corpus(name, source_language=source, target_language=target, **options)
        languages = corpus.source_language, corpus.target_language
        corpora.append(corpus)
    return mix(corpora)


def mix(corpora: Sequence[Corpus]) -> Corpus:
    """One corpus of several of the same languages; of one, itself.

    A training pair is left out if another corpus has its source sentence among the validation or
    test pairs.
    """
    if len(corpora) == 1:
        return corpora[0]
    parts = tuple(_without_held_out(corpus, corpora) for corpus in corpora)
    splits = ([pair for part in parts for pair in getattr(part, split)] for split in SPLITS)
    train, validation, test = splits
    name = ", ".join(corpus.name for corpus in corpora)
    languages = corpora[0].source_language, corpora[0].target_language
    return Corpus(name, *languages, train, validation, test, mixed=parts)


def _without_held_out(corpus: Corpus, corpora: Sequence[Corpus]) -> Corpus:
    """The corpus without training pairs that other corpora validate or test with."""
    others = [other for other in corpora if other is not corpus]
    held_out = {source_key(pair) for other in others for pair in (*other.validation, *other.test)}
    train = [pair for pair in corpus.train if source_key(pair) not in held_out]
    return replace(corpus, train=train)


def _load_annotated(name: str, path: Path, wanted: Languages, max_pairs: int | None) -> Corpus:
    languages, pairs = read_annotated(path)
    source, target, swapped = direction(languages, wanted, f"the corpus {name}")
    splits = {split: [pair for pair in pairs if pair.split == split] for split in SPLITS}
    _check_any(name, splits)
    del splits["train"][max_pairs or len(pairs) :]
    train, validation, test = ([SentencePair(*pair[:2]) for pair in splits[s]] for s in SPLITS)
    if swapped:  # less is known of this direction
        return Corpus(name, source, target, swap(train), swap(validation), swap(test))
    return Corpus(
        *(name, source, target, train, validation, test),
        others={p.source: p.references.split(" | ") for p in splits["test"] if p.references},
        alignments={p.source: p.links for p in (*splits["validation"], *splits["test"])},
        metrics=metrics(pairs) if target == "de" else (),
    )


def _find(name: str, data_dir: str | os.PathLike | None) -> Path | None:
    """File or folder of a corpus that has a name, or is one."""
    if name in EMBEDDED:
        return EMBEDDED[name]
    if name in DOWNLOADED:
        from tf_models.data.downloads import cached_corpus  # late: pooch takes its time

        return cached_corpus(name, data_dir) / DOWNLOADED[name]
    return Path(name) if os.path.exists(name) else None


def _complete(name: str, raw: RawCorpus, max_pairs: int | None, seed: int) -> Corpus:
    """Clean the pairs, choose `max_pairs` to train on, hold out the splits that are missing."""
    splits = {split: drop_empty(pairs) for split, pairs in raw.splits.items()}
    _check_any(name, splits)
    train = list(dict.fromkeys(splits["train"]))
    if max_pairs is not None:
        train = choose_pairs(train, max_pairs, seed)
    shares = {split: 0.0 if split in splits else HELD_OUT_FRACTION for split in SPLITS[1:]}
    train, validation, test = split_by_source(train, seed=seed, **shares)
    held_out = splits.get("validation", validation), splits.get("test", test)
    return Corpus(name, raw.source_language, raw.target_language, train, *held_out)


def _check_any(name: str, splits: Mapping[str, Sequence]) -> None:
    for split, pairs in splits.items():
        if not pairs:
            raise InputError(f"{name} has no {split} sentence pairs")
