"""Sentence pairs for the translator: what `--corpus` names becomes three lists of pairs.

Every corpus goes through the same steps: pairs with an empty side are dropped, then identical
training pairs, then `max_pairs` are chosen, and what the corpus has no split for is held out of
the training pairs by source sentence. A corpus' own validation and test pairs are otherwise kept
as they are, so that scores compare with published ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tf_models.data.text.corpus_files import Languages, Splits, read_path, read_two_files
from tf_models.data.text.languages import Direction, direction
from tf_models.data.text.pairs import SentencePair, drop_duplicates, drop_empty, swap
from tf_models.data.text.splits import HELD_OUT_FRACTION, choose_pairs, split_by_source
from tf_models.errors import InputError

if TYPE_CHECKING:
    from tf_models.data.grammar import ToySplits
    from tf_models.data.grammar.linearise import Written
    from tf_models.data.text.batches import Pairs
    from tf_models.data.text.tokenizer import TokenizerPair

TOY, TOY_LONG = "toy", "toy-long"
TOY_TRAINING_PAIRS = 105_000
TOY_LONG_TRAINING_PAIRS = 40_000
TOY_VALIDATION_PAIRS = 1_000
TOY_TEST_PAIRS = 2_000
TOY_SIZES = {
    "train": TOY_TRAINING_PAIRS,
    "validation": TOY_VALIDATION_PAIRS,
    "test": TOY_TEST_PAIRS,
}
ACCEPTED_FORMS = (
    "toy, toy-long, tatoeba, multi30k, a tab-separated file, SOURCE_FILE,TARGET_FILE, "
    "a folder with train.en and train.de, or tfds:NAME/CONFIG"
)


@dataclass(frozen=True)
class CorpusMetric:
    """What can be measured of translations of one corpus alone.

    name: of the figure; counted: of the number of sentences that it is of; both for JSON.
    label: for the reader.
    compute: (sources, hypotheses, references) -> share of the sentences, 0 to 1 or None, and
        their number.
    """

    name: str
    counted: str
    label: str
    compute: Callable[[list[str], list[str], list[str]], tuple[float | None, int]]


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs of two languages: to train on, to validate, to test.

    Parts that were split here share no source sentence; published parts are taken as they are.

    others: further translations that are as good, by source sentence, where the corpus knows them.
    alignments: of validation and test pairs, by source sentence, where the corpus knows them: which
        source word and which target word translate each other, as `split_words` counts them.
    baselines: what guessing would reach, in percent, by the name of a metric and of the guess.
    """

    name: str
    source_language: str
    target_language: str
    train: list[SentencePair]
    validation: list[SentencePair]
    test: list[SentencePair]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    baselines: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    alignments: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)

    @property
    def tokenizers(self) -> TokenizerPair | None:
        """What made the ids of a corpus that holds ids; None of text."""
        return None

    @property
    def encoded(self) -> Pairs | None:
        """The training pairs of a corpus that holds ids; None of text."""
        return None

    def check(self, settings: object) -> None:
        """Refuse settings of a training that a corpus of ids was not made for; text goes with all.

        Raises:
            InputError: another tokenizer or other limits were asked for.
        """

    @property
    def metrics(self) -> tuple[CorpusMetric, ...]:
        """What else can be measured of its translations."""
        return metrics_of(self.name, self.target_language)

    def fingerprint(self) -> str:
        """Of all pairs and their order: 16 hexadecimal digits."""
        digest = hashlib.sha256()
        for split in (self.train, self.validation, self.test):
            for source, target in split:
                digest.update(f"{source}\t{target}\n".encode())
            digest.update(b"\n")
        return digest.hexdigest()[:16]


def metrics_of(corpus: str, target_language: str) -> tuple[CorpusMetric, ...]:
    """What else can be measured of translations of the corpus of that name."""
    if (corpus, target_language) != (TOY, "de"):
        return ()
    from tf_models.data.grammar.measures import COPYING, MEASURES
    from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE

    by_place, by_meaning, copies = (MEASURES[name] for name in (BY_PLACE, BY_MEANING, COPYING))
    return (
        CorpusMetric("pronouns_by_place", "by_place", '"it" by place right', by_place),
        CorpusMetric("pronouns_by_meaning", "by_meaning", '"it" by meaning right', by_meaning),
        CorpusMetric("copies", "copied", "unseen names and numbers kept", copies),
    )


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
            `toy-long`: its statements, up to eight of them joined by "and";
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
        progress: whether downloads, and the making of the toy's sentences, show a bar.

    Raises:
        InputError: there is no such corpus, or it cannot be used; the message says why.
    """
    check_max_pairs(max_pairs)
    wanted = source_language, target_language
    if name in (TOY, TOY_LONG):
        # before the sentences are made, which takes its time
        way = direction(("en", "de"), *wanted, f"the corpus {name}")
        load = _load_toy if name == TOY else _load_toy_long
        return load(way, max_pairs, seed, progress)
    source, target, splits = read_splits(name, wanted, data_dir, max_pairs, progress)
    return _complete(name, (source, target), splits, max_pairs, seed)


def check_max_pairs(max_pairs: int | None) -> None:
    """Check that a number of pairs makes sense.

    Raises:
        InputError: it is below 1.
    """
    if max_pairs is not None and max_pairs < 1:
        raise InputError(f"the number of pairs must be at least 1; received {max_pairs}")


def _load_toy(way: Direction, max_pairs: int | None, seed: int, progress: bool) -> Corpus:
    from tf_models.data.grammar import toy_splits

    sizes = (max_pairs or TOY_TRAINING_PAIRS, TOY_VALIDATION_PAIRS, TOY_TEST_PAIRS)
    made = toy_splits(*sizes, seed=seed, progress=progress)
    parts = (made.train, made.validation, made.test)
    corpus = _written_corpus(TOY, way, [[pair.written for pair in part] for part in parts])
    if corpus.source_language != "en":
        return corpus
    others = {pair.source: pair.others for pair in made.test if pair.others}
    return replace(corpus, others=others, baselines=_guesses(made))


def _load_toy_long(way: Direction, max_pairs: int | None, seed: int, progress: bool) -> Corpus:
    from tf_models.data.grammar.long_sentences import long_splits

    sizes = (max_pairs or TOY_LONG_TRAINING_PAIRS, TOY_VALIDATION_PAIRS, TOY_TEST_PAIRS)
    return _written_corpus(TOY_LONG, way, long_splits(*sizes, seed=seed, progress=progress))


def _written_corpus(name: str, way: Direction, parts: Sequence[Sequence[Written]]) -> Corpus:
    """The grammar's sentences, in the direction that is wanted."""
    source, target, swapped = way
    pairs = [[SentencePair(one.english, one.german) for one in part] for part in parts]
    held_out = [one for part in parts[1:] for one in part]
    if swapped:
        links = {one.german: [(j, i) for i, j in one.alignment] for one in held_out}
        return Corpus(name, source, target, *(list(swap(part)) for part in pairs), alignments=links)
    links = {one.english: list(one.alignment) for one in held_out}
    return Corpus(name, source, target, *pairs, alignments=links)


def _guesses(splits: ToySplits) -> dict[str, dict[str, float]]:
    """How often 'it' is guessed right from a table of the training sentences."""
    from tf_models.data.grammar.lookup import baselines
    from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE

    found = {}
    for name, family in (("pronouns_by_place", BY_PLACE), ("pronouns_by_meaning", BY_MEANING)):
        facts = [
            [pair.reference for pair in part if pair.kind == family]
            for part in (splits.train, splits.test)
        ]
        if all(facts):
            found[name] = baselines(*facts)
    return found


def read_splits(
    name: str,
    wanted: Languages,
    data_dir: str | os.PathLike | None,
    max_pairs: int | None,
    progress: bool,
) -> tuple[str, str, Splits]:
    """Find out what `name` is: source and target language, and the pairs as they are asked for.

    Args: see `load_corpus`; `wanted` are both languages.

    Raises:
        InputError: there is no such corpus; or, from the pairs, it cannot be read.
    """
    if name.startswith("tfds:"):
        from tf_models.data.text.tfds_corpora import read_tfds

        return read_tfds(
            name.removeprefix("tfds:"),
            source=wanted[0],
            target=wanted[1],
            data_dir=data_dir,
            max_pairs=max_pairs,
            progress=progress,
        )
    if name in ("tatoeba", "multi30k"):
        from tf_models.data.text.downloads import cached_corpus  # late: requests takes its time

        folder = cached_corpus(name, data_dir, progress)
        return read_path(folder / "deu.txt" if name == "tatoeba" else folder, wanted)
    if os.path.exists(name):
        return read_path(Path(name), wanted)
    if name.count(",") == 1:
        first, second = name.split(",")
        return read_two_files(Path(first), Path(second), wanted)
    raise InputError(f"no corpus, file or folder {name!r}; expected {ACCEPTED_FORMS}")


def _complete(
    name: str, languages: tuple[str, str], splits: Splits, max_pairs: int | None, seed: int
) -> Corpus:
    """Clean the pairs, choose `max_pairs` to train on, hold out the splits that are missing."""
    splits = {split: whole_split(name, languages, splits, split) for split in splits}
    train = drop_duplicates(splits["train"], f"{name}, train")
    if max_pairs is not None:
        train = choose_pairs(train, max_pairs, seed)
    train, validation, test = split_by_source(train, *held_out_of(splits), seed=seed)
    return Corpus(
        name, *languages, train, splits.get("validation", validation), splits.get("test", test)
    )


def whole_split(
    name: str, languages: tuple[str, str], splits: Splits, split: str
) -> list[SentencePair]:
    """The cleaned pairs of one split of the corpus `name`.

    Raises:
        InputError: there are none, or they cannot be read.
    """
    pairs = list(drop_empty(splits[split], f"{name}, {split}"))
    check_any(len(pairs), name, languages, split)
    return pairs


def check_any(count: int, name: str, languages: tuple[str, str], split: str = "train") -> None:
    """Check that a split of the corpus `name` has any pairs.

    Raises:
        InputError: it has none.
    """
    if not count:
        raise InputError(
            f"{name} has no {split} sentence pairs from {languages[0]} to {languages[1]}"
        )


def held_out_of(splits: Splits) -> tuple[float, float]:
    """Which share of the training sources becomes validation and test pairs: 0 if there are any."""
    return tuple(0 if split in splits else HELD_OUT_FRACTION for split in ("validation", "test"))
