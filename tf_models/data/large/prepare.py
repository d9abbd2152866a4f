"""Preparing a corpus that is larger than memory: cleaned, split and tokenised into a folder.

Pairs are split on the disk as `load_corpus` splits them in memory. Of each, memory holds two hashes
of 64 bits: one tells identical pairs, the other decides on which side the source sentence stands.
Two of 30 million different pairs share a hash once in 40,000 corpora; then one of them is taken for
a duplicate.
"""

import contextlib
import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from tf_models.data.large.mapped_pairs import read_pairs, write_ids, write_pairs
from tf_models.data.large.prepared import (
    DATA,
    DESCRIPTION,
    FILES,
    FORMAT,
    HELD_OUT,
    IDS,
    LESS_MEMORY,
    MEMORY,
    cache_key,
    fingerprint,
    is_prepared,
)
from tf_models.data.resources import check_disk, check_memory, training_bytes
from tf_models.data.text.corpora import (
    Corpus,
    check_any,
    check_max_pairs,
    held_out_of,
    read_splits,
    whole_split,
)
from tf_models.data.text.corpus_files import Languages, Splits
from tf_models.data.text.pairs import SentencePair, drop_empty, report_skipped
from tf_models.data.text.splits import choice_digest, chosen, sides_of, split_digest
from tf_models.data.text.tokenizer import BPEMB, TokenizerPair
from tf_models.errors import InputError, Report
from tf_models.files import (
    LOCK,
    UNFINISHED,
    FolderLock,
    move_together,
    remove_unfinished,
    unfinished_folder,
    write_text,
)

SAMPLE = 200_000  # training pairs that a BPE is trained on
# (folder, sample of the corpus, what to make, folder of downloads) -> what is in the folder now
MakeTokenizers = Callable[[Path, Corpus, Any, Path | None], TokenizerPair]
TEXTS = "texts.arrow"  # while the folder is made

# Room for a byte of the corpus' text (see docs/scale.md).
DISK_PER_BYTE = 2
MEMORY_PER_BYTE = 0.5
TRAINING, VALIDATION, TEST = range(3)
DROPPED = -1


@dataclass(frozen=True)
class StoredTexts:
    """Pairs in a file of `write_pairs`, and where each belongs.

    sides: (pairs,) of `DROPPED`, `TRAINING`, `VALIDATION` and `TEST`.
    """

    path: Path
    sides: np.ndarray

    def count(self, side: int) -> int:
        """Number of pairs on a side."""
        return int(np.sum(self.sides == side))

    def read(self, side: int) -> Iterator[SentencePair]:
        """The pairs of a side, in the order of the corpus."""
        return read_pairs(self.path, self.sides == side)

    def sample(self, count: int, seed: int) -> Iterator[SentencePair]:
        """`count` training pairs drawn at random (all, if there are fewer), in order."""
        (rows,) = np.nonzero(self.sides == TRAINING)
        if len(rows) > count:
            rows = np.random.default_rng(seed).choice(rows, count, replace=False)
        wanted = np.zeros(len(self.sides), bool)
        wanted[rows] = True
        return read_pairs(self.path, wanted)


def store_texts(
    path: Path,
    pairs: Iterable[SentencePair],
    held_out: tuple[float, float],
    *,
    seed: int,
    max_pairs: int | None,
    name: str,
) -> StoredTexts:
    """Write cleaned training pairs to a new file and find out which stay training pairs.

    The pairs are stripped, none is empty, and they are read as they come; on stderr they have the
    `name`. `held_out` is the share of the sources for validation and for the test; for seed and
    max_pairs see `load_corpus`. Raises InputError: there are too few sentences to split.
    """
    whole, split, choice = array("Q"), array("Q"), array("Q")

    def hashed() -> Iterator[SentencePair]:
        for pair in pairs:
            # No sentence holds a line feed, so the two sides cannot run into each other.
            digest = blake2b("\n".join(pair).encode(), digest_size=8).digest()
            whole.append(int.from_bytes(digest, "big"))
            split.append(split_digest(pair, seed))
            if max_pairs is not None:
                choice.append(choice_digest(pair, seed))
            yield pair

    write_pairs(path, hashed())
    _, rows = np.unique(np.array(whole), return_index=True)
    rows.sort()
    report_skipped(len(whole) - len(rows), "seen before", name)
    if max_pairs is not None:
        rows = rows[chosen(np.array(choice)[rows], max_pairs)]
    sides = np.full(len(whole), DROPPED, np.int8)
    sides[rows] = sides_of(np.array(split)[rows], *held_out)
    return StoredTexts(path, sides)


@dataclass(frozen=True)
class CorpusSource:
    """Which corpus to prepare, as `load_corpus` has it.

    name: of a corpus, but for the embedded ones.
    languages: source and target; None: what the corpus says.
    data_dir: where downloads lie.
    max_pairs: at most so many training pairs.
    seed: of splits and sample.
    """

    name: str
    languages: Languages = (None, None)
    data_dir: Path | None = None
    max_pairs: int | None = None
    seed: int = 0


def prepare(
    folder: Path,
    source: CorpusSource,
    tokenizer: Any,
    max_lengths: tuple[int, int],
    make_tokenizers: MakeTokenizers,
    report: Report = print,
) -> None:
    """Clean, split and tokenise a corpus into a folder, whatever its size.

    The same pairs become training, validation and test pairs as `load_corpus` makes of them, and
    the ids are those of `encode_pairs`. A BPE is trained on a random sample of the training pairs.
    What a killed process has left behind is removed and made again.

    Args:
        folder: new, empty, or left by a preparation that did not end.
        tokenizer: settings that have its kind and its pieces.
        max_lengths: of a source, and of a target, in tokens; longer pairs are left out.
        make_tokenizers: a translator's `make_tokenizers`.

    Raises:
        InputError: the corpus cannot be used, the folder cannot be written or is taken, or disk or
            memory do not suffice.
    """
    check_max_pairs(source.max_pairs)
    how_to_read = (source.name, source.languages, source.data_dir, source.max_pairs)
    source_language, target_language, splits = read_splits(*how_to_read)
    languages = source_language, target_language
    with _taken(folder), unfinished_folder(folder) as work:
        text_bytes = training_bytes(source.name, source.data_dir)
        check_disk(folder, DISK_PER_BYTE * text_bytes)
        check_memory(int(MEMORY + MEMORY_PER_BYTE * text_bytes), LESS_MEMORY)
        texts = _store(work, source, languages, splits)
        held_out = {  # the corpus' own, or what is held out of its training pairs
            split: whole_split(source.name, languages, splits, split)
            if split in splits
            else list(texts.read(side))
            for split, side in (("validation", VALIDATION), ("test", TEST))
        }
        counts = [f"{len(pairs):,} {split} pairs" for split, pairs in held_out.items()]
        report(", ".join([f"{texts.count(TRAINING):,} training pairs", *counts]))
        chosen = list(texts.sample(SAMPLE, source.seed))
        if tokenizer.tokenizer != BPEMB:
            report(f"training the tokenizers on {len(chosen):,} of them")
        sample = Corpus(source.name, *languages, chosen, [], [])
        tokenizers = make_tokenizers(work, sample, tokenizer, source.data_dir)
        for split, pairs in held_out.items():
            write_pairs(work / HELD_OUT[split], pairs)
        training = _progress(texts.read(TRAINING), "tokenizing", texts.count(TRAINING))
        written, dropped = write_ids(work / IDS, training, tokenizers, max_lengths)
        report(f"{written:,} training pairs written ({dropped:,} longer than the limits dropped)")
        key = cache_key(tokenizer, max_lengths)
        made = (source.name, *languages, written, source.seed, key)
        _describe(work, dict(zip(DATA, made, strict=True)))
        move_together([work / file for file in FILES], folder)


@contextlib.contextmanager
def _taken(folder: Path) -> Iterator[None]:
    """Keep every other process out of a folder that nothing is lost in; clear it up first."""
    if is_prepared(folder):
        raise InputError(
            f"{folder} holds a prepared corpus; train on it (--corpus {folder}), or choose "
            "another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise InputError(f"cannot make folder {folder}: {error.strerror}") from error
    unexpected = [n for n in names if n not in FILES and not n.startswith((LOCK, UNFINISHED))]
    if unexpected:
        raise InputError(f"{folder} holds other files ({min(unexpected)}); choose another folder")
    with FolderLock(folder):
        remove_unfinished(folder)
        yield


def _store(
    work: Path, source: CorpusSource, languages: Sequence[str], splits: Splits
) -> StoredTexts:
    name = f"{source.name}, train"
    pairs = drop_empty(_progress(splits["train"], "reading"), name)
    options: dict[str, Any] = {"seed": source.seed, "max_pairs": source.max_pairs, "name": name}
    texts = store_texts(work / TEXTS, pairs, held_out_of(splits), **options)
    check_any(texts.count(TRAINING), source.name, languages)
    return texts


def _describe(work: Path, data: dict) -> None:
    """Write prepared.json: what was prepared, and by which files it is known."""
    description = {
        "format": FORMAT,
        **data,
        "fingerprint": fingerprint(work, data),
        "bytes": {file: (work / file).stat().st_size for file in FILES[:-1]},
    }
    write_text(work / DESCRIPTION, json.dumps(description, indent=2, ensure_ascii=False) + "\n")


def _progress(
    pairs: Iterable[SentencePair], title: str, total: int | None = None
) -> Iterable[SentencePair]:
    return tqdm(pairs, desc=title, total=total, unit=" pairs", unit_scale=True, disable=None)
