"""Write sentences of the grammar to a file, as `--corpus` and the embedded files have them."""

from __future__ import annotations

import argparse
import gzip
import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path

from research.grammar import lexicon, vocabulary
from research.grammar.labels import label_sets
from research.grammar.linearise import Relation, Written, relations
from research.grammar.long_sentences import long_splits
from research.grammar.pairs import Pair
from research.grammar.splits import EVERYTHING, Selection, make_splits
from research.grammar.tables import section
from research.grammar.unseen import unseen_copies
from research.options import Parser, run, seed
from tf_models.data.embedded.annotated_pairs import LABELS, SPLITS, AnnotatedPair, header
from tf_models.data.sentences import split_words
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable

EXAMPLES = """\
  python -m research.grammar.write --corpus toy --output tf_models/data/embedded/toy.tsv.xz
      the embedded corpus of a first lesson, again
  python -m research.grammar.write --corpus everyday --train 1000000 --output million.tsv.xz
      all words, and more pairs, for train_translator.py --corpus million.tsv.xz
  python -m research.grammar.write --corpus long --output long.tsv.xz
      statements, up to eight of them joined by "and"
  python -m research.grammar.write --corpus voice --train 10000 --output voice.tsv.xz
      sentences whose labels are equally frequent: reference, type, voice
A name that ends in .xz or .gz compresses the file."""

TOY, EVERYDAY, LONG = "toy", "everyday", "long"
SIZES = {  # of the embedded files, and of long sentences
    kind: {"train": training_pairs, "validation": 1_000, "test": 2_000}
    for kind, training_pairs in {
        TOY: 100_000,
        EVERYDAY: 105_000,
        LONG: 40_000,
        "reference": 60_000,
        "type": 10_000,
        "voice": 10_000,
    }.items()
}
EMPTY = AnnotatedPair(*[""] * len(AnnotatedPair._fields))


def lines(
    kind: str, sizes: Mapping[str, int], seed: int = 0, progress: bool = False
) -> Iterator[str]:
    """The lines of a file, its header first.

    Args:
        kind: TOY, LONG, or one of LABELS.
        sizes: of "train", "validation" and "test".
        seed: of the sentences.
        progress: whether to show a bar.

    Raises:
        InputError: there are fewer such sentences.
    """
    make, write_row = (long_splits, long_row) if kind == LONG else (make_splits, row)
    splits = make(sizes, seed, selection_of(kind), progress)
    yield header("en", "de")
    for split in SPLITS:
        yield from ("\t".join(write_row(one, split)) for one in splits[split])


def selection_of(kind: str) -> Selection:
    """Which sentences a file has."""
    # Long ones have few words, too: then a vector of fixed length learns the short ones in minutes.
    if kind in (TOY, LONG):
        return Selection(section("toy")["constructions"], vocabulary.toy())
    return label_sets()[kind].selection if kind in LABELS else EVERYTHING


def row(pair: Pair, split: str) -> AnnotatedPair:
    """All that the grammar knows of a pair."""
    written = pair.written
    found = EMPTY._replace(
        source=pair.source,
        target=pair.target,
        split=split,
        references=" | ".join(pair.others),
        alignment=_links(written.alignment),
        source_relations=_relations(relations(pair.tree, written.source)),
        target_relations=_relations(relations(pair.tree, written.target)),
        construction=pair.construction,
        kind=pair.kind,
        unseen=_unseen(pair),
        **{
            name: one.label_of(pair.tree, pair.reference) or ""
            for name, one in label_sets().items()
        },
    )
    if pair.reference is None:
        return found
    facts = pair.reference
    return found._replace(
        verb=facts.verb,
        adjective=facts.adjective,
        first_noun=facts.subject,
        second_noun=facts.other,
        genders=" ".join(lexicon.nouns()[noun].gender for noun in facts.noun_pair),
    )


def long_row(written: Written, split: str) -> AnnotatedPair:
    """Sentences of several statements, which have their alignment alone."""
    texts = {"source": written.english, "target": written.german, "split": split}
    return EMPTY._replace(**texts, alignment=_links(written.alignment), construction="chain")


def _unseen(pair: Pair) -> str:
    unseen = unseen_copies(pair.source, pair.target)
    return " ".join(word for word in split_words(pair.target) if word in unseen)


def _links(alignment: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{source}-{target}" for source, target in alignment)


def _relations(found: tuple[Relation, ...]) -> str:
    return " ".join(f"{kind}:{word}-{head}" for kind, word, head in found)


def compressed(text: str, suffix: str) -> bytes:
    """The text as its bytes, compressed as the end of a file's name says."""
    if suffix == ".xz":
        return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    if suffix == ".gz":
        return gzip.compress(text.encode(), mtime=0)
    return text.encode()


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--output", type=Path, required=True, metavar="F.tsv.xz")
    parser.add_argument(
        "--corpus", choices=tuple(SIZES), default=TOY, help="what to write; default: toy"
    )
    for split in SPLITS:
        parser.add_argument(
            f"--{split}",
            type=int,
            metavar="N",
            help=f"{split} pairs; default: those of the embedded files",
        )
    parser.add_argument("--seed", type=seed, default=0)
    return parser


def main(arguments: argparse.Namespace) -> None:
    sizes = SIZES[arguments.corpus] | {
        split: given for split in SPLITS if (given := getattr(arguments, split)) is not None
    }
    for split, size in sizes.items():
        if size < 1:
            raise InputError(f"--{split} must be at least 1; received {size}")
    check_writable(arguments.output)
    write(arguments.output, arguments.corpus, sizes, arguments.seed)
    print(f"{sum(sizes.values()):,} pairs: {arguments.output}")


def write(file: Path, kind: str, sizes: Mapping[str, int], seed: int = 0) -> None:
    """Write a whole file, compressed as its name says; see `lines`."""
    text = "".join(f"{line}\n" for line in lines(kind, sizes, seed, progress=True))
    with atomic_path(file) as path:
        path.write_bytes(compressed(text, path.suffix))


if __name__ == "__main__":
    run(make_parser(), main)
