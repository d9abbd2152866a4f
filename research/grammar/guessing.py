"""How often "it" can be guessed from a table of the training sentences, without reading the rest.

python -m research.grammar.guessing
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

from research.options import Parser, run
from tf_models.data.embedded.annotated_pairs import (
    BY_MEANING,
    BY_PLACE,
    FIRST_NOUN,
    AnnotatedPair,
    embedded_file,
    read_annotated,
)

EXAMPLES = """\
  python -m research.grammar.guessing
      of the embedded corpus
  python -m research.grammar.guessing --corpus million.tsv.xz"""

FACTS: dict[str, Callable[[AnnotatedPair], Hashable]] = {
    "nothing": lambda pair: None,
    "adjective": lambda pair: pair.adjective,
    "verb, adjective": lambda pair: (pair.verb, pair.adjective),
    "adjective, object": lambda pair: (pair.adjective, pair.second_noun),
    "adjective, genders": lambda pair: (pair.adjective, pair.genders),
    "verb, adjective, genders": lambda pair: (pair.verb, pair.adjective, pair.genders),
    "adjective, both nouns": lambda pair: (pair.adjective, pair.first_noun, pair.second_noun),
}


def guessed(
    train: Iterable[AnnotatedPair], test: Iterable[AnnotatedPair]
) -> dict[str, dict[str, float]]:
    """How often "it" is guessed right from a table of the training sentences.

    A table has the gender that "it" had most often with the same facts. What the training
    sentences lack is guessed as if nothing were known.

    Returns:
        percentage of the test sentences, by the kind of sentences and by the facts.
    """
    found = {}
    for kind in (BY_PLACE, BY_MEANING):
        parts = [[pair for pair in part if pair.kind == kind] for part in (train, test)]
        if all(parts):
            found[kind] = {facts: _accuracy(fact, *parts) for facts, fact in FACTS.items()}
    return found


def _accuracy(
    fact: Callable[[AnnotatedPair], Hashable],
    train: Sequence[AnnotatedPair],
    test: Sequence[AnnotatedPair],
) -> float:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for pair in train:
        counts[fact(pair)][_gender_of_it(pair)] += 1
    table = {key: genders.most_common(1)[0][0] for key, genders in counts.items()}
    fallback = Counter(map(_gender_of_it, train)).most_common(1)[0][0]
    right = [table.get(fact(pair), fallback) == _gender_of_it(pair) for pair in test]
    return 100 * sum(right) / len(right)


def _gender_of_it(pair: AnnotatedPair) -> str:
    first, second = pair.genders.split()
    return first if pair.reference == FIRST_NOUN else second


def make_parser() -> Parser:
    parser = Parser(__doc__.splitlines()[0], EXAMPLES)
    parser.add_argument(
        "--corpus",
        type=Path,
        default=embedded_file("everyday"),
        help="a file of research.grammar.write; default: everyday",
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    pairs = read_annotated(arguments.corpus)[1]
    train, test = ([pair for pair in pairs if pair.split == split] for split in ("train", "test"))
    for kind, shares in guessed(train, test).items():
        print(f"\n{kind}, percent right with a table of")
        for facts, percent in shares.items():
            print(f"  {facts:26}{percent:6.1f}")


if __name__ == "__main__":
    run(make_parser(), main)
