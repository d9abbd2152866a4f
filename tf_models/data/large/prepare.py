"""Preparing a corpus that is larger than memory: cleaned, split and tokenised into a folder."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from tf_models.data.large.arrow_files import write_pairs
from tf_models.data.large.mapped_pairs import write_ids
from tf_models.data.large.prepared import (
    DATA,
    DESCRIPTION,
    FILES,
    FORMAT,
    HELD_OUT,
    IDS,
    LESS_MEMORY,
    MEMORY,
    TokenizerChoice,
    cache_key,
    fingerprint,
    is_prepared,
)
from tf_models.data.large.stored_texts import TEST, TRAINING, VALIDATION, StoredTexts, store_texts
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
from tf_models.data.text.pairs import SentencePair, drop_empty
from tf_models.data.text.tokenizer import BPEMB, TokenizerPair
from tf_models.errors import InputError, Report
from tf_models.files import (
    UNFINISHED,
    move_together,
    remove_unfinished,
    unfinished_folder,
    write_text,
)
from tf_models.lock import LOCK, FolderLock

SAMPLE = 200_000  # training pairs that a BPE is trained on
# (folder, sample of the corpus, what to make, folder of downloads) -> what is in the folder now
MakeTokenizers = Callable[[Path, Corpus, TokenizerChoice, Path | None], TokenizerPair]
TEXTS = "texts.arrow"  # while the folder is made

# Room for a byte of the corpus' text (see docs/scale.md).
DISK_PER_BYTE = 2
MEMORY_PER_BYTE = 0.5


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
    tokenizer: TokenizerChoice,
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
        max_lengths: of a source, and of a target, in tokens; longer pairs are left out.
        make_tokenizers: a translator's `make_tokenizers`.

    Raises:
        InputError: the corpus cannot be used, the folder cannot be written or is taken, or disk or
            memory do not suffice.
    """
    check_max_pairs(source.max_pairs)
    how_to_read = (source.name, source.languages, source.data_dir, source.max_pairs)
    *languages, splits = read_splits(*how_to_read)
    with _taken(folder), unfinished_folder(folder) as work:
        text_bytes = training_bytes(source.name, source.data_dir)
        check_disk(folder, DISK_PER_BYTE * text_bytes)
        check_memory(int(MEMORY + MEMORY_PER_BYTE * text_bytes), LESS_MEMORY)
        texts = _store(work, source, languages, splits)
        held_out = _held_out(source.name, languages, splits, texts)
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
    options = {"seed": source.seed, "max_pairs": source.max_pairs, "name": name}
    texts = store_texts(work / TEXTS, pairs, held_out_of(splits), **options)
    check_any(texts.count(TRAINING), source.name, languages)
    return texts


def _held_out(
    name: str, languages: Sequence[str], splits: Splits, texts: StoredTexts
) -> dict[str, list[SentencePair]]:
    """Validation and test pairs: the corpus' own, or what is held out of its training pairs."""
    return {
        split: whole_split(name, languages, splits, split)
        if split in splits
        else list(texts.read(side))
        for split, side in (("validation", VALIDATION), ("test", TEST))
    }


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
    return tqdm(pairs, title, total, unit=" pairs", unit_scale=True, mininterval=0.5, disable=None)
