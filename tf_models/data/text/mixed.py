"""Several corpora in one training: their pairs together, and what each of them keeps apart."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from tf_models.data.text.corpora import Corpus, check_any, load_corpus
from tf_models.data.text.corpus_files import Languages
from tf_models.data.text.languages import UnknownLanguagesError
from tf_models.data.text.pairs import report_skipped
from tf_models.data.text.splits import source_key
from tf_models.errors import InputError

SPLITS = ("train", "validation", "test")


def load_corpora(
    names: Sequence[str],
    *,
    languages: Languages = (None, None),
    data_dir: Path | None = None,
    max_pairs: int | None = None,
    seed: int = 0,
) -> Corpus:
    """Load a corpus, or several to train on together (see `mix`), as `load_corpus` does.

    If no languages are wanted, those of the first corpus that says its own are wanted of all
    others, and the columns of a file whose name says nothing count as these. Of each corpus there
    are max_pairs. Raises InputError: one cannot be used, lacks the languages, or is there twice, or
    they do not fit into memory together.
    """

    def load(name: str) -> Corpus:
        wanted = dict(zip(("source_language", "target_language"), languages, strict=True))
        return load_corpus(name, **wanted, data_dir=data_dir, max_pairs=max_pairs, seed=seed)

    loaded: dict[str, Corpus] = {}
    for name in names:
        with contextlib.suppress(UnknownLanguagesError):
            loaded[name] = load(name)
            languages = loaded[name].source_language, loaded[name].target_language
    return mix([loaded.get(name) or load(name) for name in names])


def mix(corpora: Sequence[Corpus]) -> Corpus:
    """One corpus of several of the same languages; of one, itself.

    A training pair is left out if another corpus has its source sentence among the validation or
    test pairs; stderr says how many there are. Raises InputError: two have the same pairs, or one
    has nothing left to train on.
    """
    if len(corpora) == 1:
        return corpora[0]
    for one, other in combinations(corpora, 2):
        if one.fingerprint() == other.fingerprint():
            raise InputError(f"{one.name} and {other.name} have the same pairs; name one of them")
    parts = tuple(_without_held_out(corpus, corpora) for corpus in corpora)
    name = ", ".join(corpus.name for corpus in corpora)
    languages = corpora[0].source_language, corpora[0].target_language
    splits: Iterable[Any] = (
        list(chain(*(getattr(part, split) for part in parts))) for split in SPLITS
    )
    return Corpus(name, *languages, *splits, mixed=parts)


def _without_held_out(corpus: Corpus, corpora: Sequence[Corpus]) -> Corpus:
    """The corpus without training pairs that other corpora validate or test with."""
    others = [one for one in corpora if one is not corpus]
    held_out = {source_key(pair) for one in others for pair in (*one.validation, *one.test)}
    train = [pair for pair in corpus.train if source_key(pair) not in held_out]
    report_skipped(
        len(corpus.train) - len(train), "that another corpus validates or tests with", corpus.name
    )
    check_any(len(train), corpus.name, (corpus.source_language, corpus.target_language))
    return replace(corpus, train=train)
