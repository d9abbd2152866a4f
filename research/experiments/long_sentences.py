"""Long sentences: statements of the embedded corpus `toy`, joined by "and".

All lengths have the same words and constructions, so that only the length makes a difference.
"""

import lzma
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tf_models.data.annotated import AnnotatedPair, embedded_file, read_annotated
from tf_models.data.text_files import stream_lines
from tf_models.data.words import join_words, split_words

MAX_WORDS = 40  # English words
MAX_STATEMENTS = 8
SIZES = {"train": 40_000, "validation": 1_000, "test": 2_000}
EMPTY = AnnotatedPair(*[""] * len(AnnotatedPair._fields))
Words = list[str]


def write_long_sentences(file: Path) -> None:
    """Write them as a corpus for `--corpus FILE`, with their word alignment."""
    pairs = long_sentences(read_annotated(embedded_file("toy"))[1], SIZES)
    header = next(stream_lines(embedded_file("toy")))
    lines = [header, *map("\t".join, pairs)]
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def long_sentences(
    pairs: Sequence[AnnotatedPair], sizes: Mapping[str, int], seed: int = 0
) -> list[AnnotatedPair]:
    """Distinct sentences of one to eight statements, at most `MAX_WORDS` English words.

    Args:
        pairs: of which those that are one statement are joined, each within its split.
        sizes: of the splits.
        seed: of the choice.
    """
    sides = ([pair.source for pair in pairs], [pair.target for pair in pairs])
    within = [_within_sentences(texts) for texts in sides]
    rng = random.Random(seed)
    found: list[AnnotatedPair] = []
    for split, size in sizes.items():
        statements = [pair for pair in pairs if pair.split == split and _is_statement(pair)]
        joined: dict[str, AnnotatedPair] = {}
        while len(joined) < size:
            parts = rng.sample(statements, rng.randint(1, MAX_STATEMENTS))
            pair = _joined(parts, *within)._replace(split=split)
            if len(pair.source.split()) <= MAX_WORDS:
                joined.setdefault(pair.source, pair)
        found += joined.values()
    return found


def _is_statement(pair: AnnotatedPair) -> bool:
    both = pair.source.endswith(".") and pair.target.endswith(".")
    return both and pair.type in ("statement", "negation")


def _within_sentences(texts: Iterable[str]) -> Callable[[Words], Words]:
    """A function that writes the first word of a sentence as it stands within others."""
    counts = Counter(word for text in texts for word in split_words(text)[1:])

    def within(words: Words) -> Words:
        first, *rest = words
        small = first[0].lower() + first[1:]
        return [small if counts[small] > counts[first] else first, *rest]

    return within


def _joined(
    parts: Sequence[AnnotatedPair],
    within_source: Callable[[Words], Words],
    within_target: Callable[[Words], Words],
) -> AnnotatedPair:
    """ "A, and b." and "A und b.", with the alignment of all words."""
    source: list[str] = []
    target: list[str] = []
    links: list[tuple[int, int]] = []
    for part in parts:
        own_source, own_target = split_words(part.source)[:-1], split_words(part.target)[:-1]
        if source:
            own_source, own_target = within_source(own_source), within_target(own_target)
            source += [",", "and"]
            target += ["und"]
            links.append((len(source) - 1, len(target) - 1))
        links += [
            (len(source) + i, len(target) + j)
            for i, j in part.links
            if i < len(own_source) and j < len(own_target)  # the full stop comes once
        ]
        source += own_source
        target += own_target
    links.append((len(source), len(target)))
    return EMPTY._replace(
        source=join_words([*source, "."]),
        target=join_words([*target, "."]),
        alignment=" ".join(f"{i}-{j}" for i, j in links),
        construction="chain",
    )
