"""Sentence pairs with invented names and numbers, so that a translator learns to copy them."""

import argparse
import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from research.command import run
from tf_models.data.corpora import load_corpora
from tf_models.data.pairs import SentencePair
from tf_models.data.tokenizers import split_words
from tf_models.files import write_text

MONTHS = {"April", "August", "September", "November"}  # the same word in both languages


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    help = "names or files, from English to German; default: everyday"
    parser.add_argument("--corpus", nargs="+", default=["everyday"], metavar="CORPUS", help=help)
    help = "how many to write at most; default: 30000"
    parser.add_argument("--pairs", type=int, default=30000, metavar="N", help=help)
    parser.add_argument("--output", type=Path, default=Path("names.tsv"), metavar="FILE")
    return parser


def shared_names(pair: SentencePair) -> set[str]:
    """Capitalised words that stand in both sentences, in the source not as its first word."""
    source, target = split_words(pair.source), split_words(pair.target)
    shared = set(source[1:]) & set(target)
    return {word for word in shared - MONTHS if word.istitle() and len(word) > 2}


def invented_name(names: Sequence[str], rng: random.Random) -> str:
    """The beginning of one name and the end of another: "Her" and "bert" of Hermine, Robert."""
    first, second = rng.choice(names), rng.choice(names)
    return first[: rng.randint(2, len(first) - 1)] + second[rng.randint(1, len(second) - 2) :]


def invented_number(number: str, rng: random.Random) -> str:
    """Another number of as many digits."""
    return str(rng.randrange(10 ** (len(number) - 1), 10 ** len(number)))


def changed(
    pair: SentencePair, names: Sequence[str], held_out: set[str], rng: random.Random
) -> SentencePair | None:
    """The pair with new names and numbers on both sides; None if it has none, or would get one
    that a held-out sentence has.
    """
    both = set(split_words(pair.source)) & set(split_words(pair.target))
    new = {word: invented_name(names, rng) for word in sorted(both & set(names))}
    numbers = sorted(word for word in both if word.isdecimal() and len(word) > 1)
    new |= {word: invented_number(word, rng) for word in numbers}
    if not new or not held_out.isdisjoint(new.values()):
        return None
    words = re.compile(r"\b(" + "|".join(map(re.escape, new)) + r")\b")
    return SentencePair(*(words.sub(lambda found: new[found[0]], text) for text in pair))


def with_new_names(
    pairs: Collection[SentencePair],
    count: int,
    held_out: Iterable[SentencePair] = (),
    seed: int = 0,
) -> list[SentencePair]:
    """So many pairs of a corpus, drawn at random, with invented names and numbers, none of which
    the pairs have that are held out.
    """
    rng = random.Random(seed)
    found = Counter(name for pair in pairs for name in shared_names(pair))
    names = sorted(name for name in found if name.isalpha())
    taken = {word for pair in held_out for text in pair for word in split_words(text)}
    drawn = rng.sample(pairs, len(pairs))
    made = filter(None, (changed(pair, names, taken, rng) for pair in drawn))
    return [pair for pair, _ in zip(made, range(count), strict=False)]


def main(arguments: argparse.Namespace) -> None:
    corpus = load_corpora(arguments.corpus, languages=("en", "de"))
    held_out = [*corpus.validation, *corpus.test]
    pairs = with_new_names(list(corpus.train), arguments.pairs, held_out)
    write_text(arguments.output, "".join(f"{source}\t{target}\n" for source, target in pairs))


if __name__ == "__main__":
    run(make_parser(), main)
