"""Sentence pairs with invented names and numbers, so that a translator learns to copy them."""

import argparse
import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from research.command import new_parser, run
from tf_models.data.corpora import load_corpora
from tf_models.data.pairs import SentencePair
from tf_models.data.words import split_words
from tf_models.files import write_text

UMLAUTS = str.maketrans("äöüÄÖÜ", "aouAOU")
MONTHS = {"April", "August", "September", "November"}  # the same word in both languages


def make_parser() -> argparse.ArgumentParser:
    parser = new_parser("research.heads.names", __doc__)
    help = "names or files, from English to German; default: everyday"
    parser.add_argument("--corpus", nargs="+", default=["everyday"], metavar="CORPUS", help=help)
    help = "table of the pairs; default: names.tsv"
    parser.add_argument("--output", type=Path, default=Path("names.tsv"), metavar="FILE", help=help)
    return parser


def shared_names(pair: SentencePair) -> set[str]:
    """Capitalised words that stand in both sentences, in the source not as its first word."""
    source, target = split_words(pair.source), split_words(pair.target)
    shared = set(source[1:]) & set(target)
    return {word for word in shared - MONTHS if word.istitle() and len(word) > 2}


def gendered(pairs: Iterable[SentencePair]) -> set[str]:
    """German nouns that have a form for women, and these: Arzt, Ärztin."""
    words = {word for _, target in pairs for word in split_words(target) if word.istitle()}
    known = {word.translate(UMLAUTS) for word in words}
    men = {word for word in words if f"{word.translate(UMLAUTS)}in" in known}
    women = (word for word in words if word.endswith("in"))
    return men.union(word for word in women if word.translate(UMLAUTS)[:-2] in known)


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
    pairs: Sequence[SentencePair], held_out: Iterable[SentencePair] = (), seed: int = 0
) -> list[SentencePair]:
    """Pairs of a corpus, in random order, with invented names and numbers, none of which the pairs
    have that are held out. Pairs with gendered nouns are left out: an invented name does not tell
    whether its bearer is a Lehrer or a Lehrerin.
    """
    rng, nouns = random.Random(seed), gendered(pairs)
    names = sorted(filter(str.isalpha, {name for pair in pairs for name in shared_names(pair)}))
    taken = {word for pair in held_out for text in pair for word in split_words(text)}
    clear = [pair for pair in pairs if nouns.isdisjoint(split_words(pair.target))]
    drawn = rng.sample(clear, len(clear))
    return [*filter(None, (changed(pair, names, taken, rng) for pair in drawn))]


def main(arguments: argparse.Namespace) -> None:
    print(f"loading corpus {', '.join(arguments.corpus)}")
    corpus = load_corpora(arguments.corpus, languages=("en", "de"))
    pairs = with_new_names(corpus.train, [*corpus.validation, *corpus.test])
    write_text(arguments.output, "".join(f"{source}\t{target}\n" for source, target in pairs))
    print(f"{arguments.output}: {len(pairs):,} pairs of {len(corpus.train):,} of {corpus.name}")


if __name__ == "__main__":
    run(make_parser(), main)
