"""Corpora of sentence pairs by the names that `--corpus` takes.

Loading drops pairs with an empty side and duplicate training pairs, chooses `max_pairs`, and holds
out missing splits by source sentence. A corpus' own validation and test pairs otherwise stay as
they are, so that scores compare with published ones.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tf_models.data.annotated import AnnotatedPair, embedded_file, is_annotated, read_annotated
from tf_models.data.languages import Languages, language_code
from tf_models.data.pairs import (
    SPLITS,
    RawCorpus,
    SentencePair,
    Splits,
    oriented,
    read_folder,
    read_pairs,
    read_sentences,
    read_tfds,
    read_two_files,
    says_languages,
)
from tf_models.data.splits import choose_pairs, hold_out, source_key
from tf_models.errors import InputError, StrPath
from tf_models.files import fetch, fingerprint

EMBEDDED = {name: embedded_file(name) for name in ("toy", "everyday")}
DOWNLOADED = ("tatoeba", "multi30k")
NO_CORPUS = "no corpus, file or folder {!r}; --help lists what --corpus takes"
TATOEBA = "https://www.manythings.org/anki/deu-eng.zip"
MULTI30K = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
MULTI30K_FILES = [f"{s}.{c}.gz" for s in ("train", "val", "test_2016_flickr") for c in ("en", "de")]


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs of two languages for training, validation and test."""

    name: str
    source_language: str
    target_language: str
    train: list[SentencePair]
    validation: list[SentencePair]
    test: list[SentencePair]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further reference translations of the test sentences, by source sentence."""
    annotated: Mapping[str, AnnotatedPair] = field(default_factory=dict)
    """Annotations of validation and test pairs, by source sentence."""
    selection: Mapping[str, int | None] = field(default_factory=dict)
    """max_pairs and seed with which `load_corpus` chose the pairs and held out splits."""
    mixed: tuple[Corpus, ...] = ()
    """Parts of a mixed corpus, which hold the references and annotations; () for a single one."""

    @property
    def parts(self) -> dict[str, Corpus]:
        """Corpora to validate and test separately, by short names if distinct."""
        corpora = self.mixed or (self,)
        names = [short_name(corpus.name) for corpus in corpora]
        if len(set(names)) < len(names):
            names = [corpus.name for corpus in corpora]
        return dict(zip(names, corpora, strict=True))

    def fingerprint(self) -> str:
        """Hash of all pairs and their order: 16 hexadecimal digits."""
        splits = (self.train, self.validation, self.test)
        return fingerprint(
            b"".join(f"{source}\t{target}\n".encode() for source, target in pairs) + b"\n"
            for pairs in splits
        )


def short_name(corpus: str) -> str:
    """Name of a corpus in folders and figures: "deu" for "data/deu.txt.gz"."""
    if corpus.startswith("tfds:"):
        return corpus.removeprefix("tfds:").replace("/", "-")
    first = corpus if os.path.exists(corpus) else corpus.split(",")[0]
    return Path(first).resolve().name.split(".")[0]


def corpus_list(names: str | Sequence[str]) -> list[str]:
    """Names of corpora as a list, a single name too."""
    return [names] if isinstance(names, str) else [*names]


def load_corpora(
    names: str | Sequence[str],
    *,
    languages: Languages = (None, None),
    data_dir: StrPath | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
) -> Corpus:
    """Load one corpus, or several and mix them (see `load_corpus` and `mix`).

    Without `languages`, the first corpus decides for all.
    """
    corpora: list[Corpus] = []
    for name in corpus_list(names):
        corpus = load_corpus(
            name, languages=languages, data_dir=data_dir, max_pairs=max_pairs, seed=seed
        )
        corpora.append(corpus)
        languages = corpora[0].source_language, corpora[0].target_language
    return mix(corpora)


def load_corpus(
    name: str,
    *,
    languages: Languages = (None, None),
    data_dir: StrPath | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
) -> Corpus:
    """Load the corpus that `name` stands for.

    Args:
        name: `toy` or `everyday`, embedded; `tatoeba` or `multi30k`, downloaded once into
            `data_dir`/NAME; a file with the columns of `AnnotatedPair`, or a table of pairs (see
            `pairs.read_pairs`) whose name or header says the languages (`en-es.tsv`, `deu.txt`);
            `SOURCE,TARGET`, two aligned files; a folder with `train.en`, `train.de`, perhaps
            `val.*`, `test.*`; or `tfds:NAME/CONFIG`. Files may be `.gz`, `.xz` or `.zip`.
        languages: two-letter codes of source and target, which may turn the columns; None: what the
            name says.
        data_dir: folder of downloads and prepared data sets; None: the default of each library.
        max_pairs: largest number of training pairs: the first ones of annotated files and of TFDS,
            else a random choice of source sentences, since files are often sorted.
        seed: decides the random choice and the split.

    Raises:
        InputError: there is no such corpus, or it cannot be used; the message says why.

    Example:
        >>> corpus = load_corpus("toy", max_pairs=1000)
        >>> print(len(corpus.train), corpus.train[0])
        1000 SentencePair(source='the flowers', target='die Blumen')
    """
    path = _find(name, data_dir)
    if not name.startswith("tfds:"):
        source, target = (code and (language_code(code) or code) for code in languages)
        languages = source, target
    if path and is_annotated(path):
        corpus = _load_annotated(name, path, languages, max_pairs)
    else:
        raw = _read(name, path, languages, data_dir, max_pairs)
        corpus = _complete(name, raw, max_pairs, seed)
    return replace(corpus, selection={"max_pairs": max_pairs, "seed": seed})


def _read(
    name: str,
    path: Path | None,
    languages: Languages,
    data_dir: StrPath | None,
    max_pairs: int | None,
) -> RawCorpus:
    if path:
        reader = read_folder if path.is_dir() else read_pairs
        return reader(path, languages)
    if name.startswith("tfds:"):
        return read_tfds(name.removeprefix("tfds:"), languages, data_dir, max_pairs)
    files = name.split(",")
    if len(files) == 2:
        return read_two_files(Path(files[0]), Path(files[1]), languages)
    raise InputError(NO_CORPUS.format(name))


def check_exist(names: str | Sequence[str]) -> None:
    """Raise an InputError for a corpus that is neither known nor a file."""
    for name in corpus_list(names):
        is_known = name in (*EMBEDDED, *DOWNLOADED) or name.startswith("tfds:")
        if not is_known and not os.path.exists(name.split(",")[0]) and not os.path.exists(name):
            raise InputError(NO_CORPUS.format(name))


def load_sentences(
    name: str, language: str | None = None, *, data_dir: StrPath | None = None, seed: int = 0
) -> Corpus:
    """Load sentences of one language: the sources of `load_corpus`.

    A file whose name and first line say no languages gives its lines instead, or its first column
    but numbers, by default in English.
    """
    path = _find(name, data_dir)
    if not path or path.is_dir() or is_annotated(path) or says_languages(path):
        return load_corpus(name, languages=(language, None), data_dir=data_dir, seed=seed)
    pairs = [SentencePair(sentence, sentence) for sentence in read_sentences(path)]
    return _complete(name, (language or "en", language or "en", {"train": pairs}), None, seed)


def mix(corpora: Sequence[Corpus]) -> Corpus:
    """Mix corpora of the same languages into one; return a single one as is.

    A training pair is left out if another corpus has its source sentence among the validation or
    test pairs.
    """
    if len(corpora) == 1:
        return corpora[0]
    parts = tuple(_without_held_out(corpus, corpora) for corpus in corpora)
    return Corpus(
        name=", ".join(corpus.name for corpus in corpora),
        source_language=corpora[0].source_language,
        target_language=corpora[0].target_language,
        train=[pair for part in parts for pair in part.train],
        validation=[pair for part in parts for pair in part.validation],
        test=[pair for part in parts for pair in part.test],
        mixed=parts,
    )


def _without_held_out(corpus: Corpus, corpora: Sequence[Corpus]) -> Corpus:
    others = [other for other in corpora if other is not corpus]
    held_out = {source_key(pair) for other in others for pair in (*other.validation, *other.test)}
    train = [pair for pair in corpus.train if source_key(pair) not in held_out]
    return replace(corpus, train=train)


def _find(name: str, data_dir: StrPath | None) -> Path | None:
    """Path of a corpus, downloaded by name if need be; None if there is none."""
    if name in EMBEDDED:
        return EMBEDDED[name]
    if name not in DOWNLOADED:
        return Path(name) if os.path.exists(name) else None
    from pooch import os_cache  # imported here because it is slow

    folder = Path(data_dir or os_cache("tf_models")) / name
    if name == "tatoeba":
        unpacked = folder / "deu.txt"
        return unpacked if unpacked.exists() else fetch(TATOEBA, folder / "deu-eng.zip")[0]
    for file in MULTI30K_FILES:
        if not (folder / file).exists():
            fetch(f"{MULTI30K}/{file}", folder / file)
    return folder


def _load_annotated(name: str, path: Path, languages: Languages, max_pairs: int | None) -> Corpus:
    columns, pairs = read_annotated(path)
    annotated = {split: [pair for pair in pairs if pair.split == split] for split in SPLITS}
    if max_pairs:
        annotated["train"] = annotated["train"][:max_pairs]
    plain = {
        split: [SentencePair(pair.source, pair.target) for pair in annotated[split]]
        for split in SPLITS
    }
    source, target, splits = oriented(plain, columns, languages, f"the corpus {name}")
    _check_any(name, splits)
    train, validation, test = (list(splits[split]) for split in SPLITS)
    corpus = Corpus(name, source, target, train, validation, test)
    if source != columns[0]:  # the annotations are those of the other direction
        return corpus
    others = {
        pair.source: pair.references.split(" | ") for pair in annotated["test"] if pair.references
    }
    held_out = {pair.source: pair for pair in annotated["validation"] + annotated["test"]}
    return replace(corpus, others=others, annotated=held_out)


def _complete(name: str, raw: RawCorpus, max_pairs: int | None, seed: int) -> Corpus:
    """Clean pairs, choose `max_pairs` to train on, hold out missing splits."""
    source, target, raw_splits = raw
    splits = {split: [pair for pair in pairs if all(pair)] for split, pairs in raw_splits.items()}
    _check_any(name, splits)
    splits["train"] = list(dict.fromkeys(splits["train"]))
    if max_pairs is not None:
        splits["train"] = choose_pairs(splits["train"], max_pairs, seed)
    train, validation, test = hold_out(splits, seed=seed)
    return Corpus(name, source, target, train, validation, test)


def _check_any(name: str, splits: Splits) -> None:
    for split, pairs in splits.items():
        if not pairs:
            raise InputError(f"{name} has no {split} sentence pairs")
