"""The majority baseline of "it": a table of the training sentences, without any reading."""

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from research.experiments.recipe import Recipe, Run, Values
from tf_models.data.annotated import (
    BY_MEANING,
    BY_PLACE,
    FIRST_NOUN,
    AnnotatedPair,
    embedded_file,
    read_annotated,
)

FACTS: dict[str, Callable[[AnnotatedPair], Hashable]] = {
    "nothing": lambda pair: None,
    "adjective": lambda pair: pair.adjective,
    "verb, adjective": lambda pair: (pair.verb, pair.adjective),
    "adjective, object": lambda pair: (pair.adjective, pair.second_noun),
    "adjective, genders": lambda pair: (pair.adjective, pair.genders),
    "verb, adjective, genders": lambda pair: (pair.verb, pair.adjective, pair.genders),
    "adjective, both nouns": lambda pair: (pair.adjective, pair.first_noun, pair.second_noun),
}


class Majority(Recipe):
    """Tables of the training sentences by what they say beside "it"."""

    name = "majority"
    question = "how often is the gender of 'it' the one that it mostly had in training?"
    trains = draws = False

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", choices=("toy", "everyday"), default="everyday")

    def measure(self, run: Run) -> Mapping[str, Values]:
        pairs = read_annotated(embedded_file(self.arguments.corpus))[1]
        found = {}
        for kind in (BY_PLACE, BY_MEANING):
            train, test = (
                [pair for pair in pairs if (pair.kind, pair.split) == (kind, split)]
                for split in ("train", "test")
            )
            found[kind] = {name: accuracy(fact, train, test) for name, fact in FACTS.items()}
        return found


def accuracy(
    fact: Callable[[AnnotatedPair], Hashable],
    train: Iterable[AnnotatedPair],
    test: Sequence[AnnotatedPair],
) -> float:
    """Percentage of test sentences in which "it" has the gender that it had most often in training
    with the same facts; unseen facts count as none.
    """
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    for pair in train:
        counts[fact(pair)][_gender_of_it(pair)] += 1
        total[_gender_of_it(pair)] += 1
    table = {key: genders.most_common(1)[0][0] for key, genders in counts.items()}
    (fallback, _), *_ = total.most_common(1)
    right = [table.get(fact(pair), fallback) == _gender_of_it(pair) for pair in test]
    return 100 * sum(right) / len(right)


def _gender_of_it(pair: AnnotatedPair) -> str:
    first, second = pair.genders.split()
    return first if pair.reference == FIRST_NOUN else second
