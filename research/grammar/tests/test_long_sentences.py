import pytest

from research.grammar import lexicon
from research.grammar.linearise import other_translations, write
from research.grammar.long_sentences import MAX_LINKS, MAX_WORDS, long_splits
from research.grammar.syntax import HE, SHE, Chain, Clause, Statement
from tf_models.errors import InputError

SIZES = {"train": 300, "validation": 60, "test": 60}


@pytest.fixture(scope="module")
def splits():
    return long_splits(SIZES, seed=3)


def test_sizes_lengths_and_no_sentence_twice(splits):
    assert {split: len(part) for split, part in splits.items()} == SIZES
    sources = [one.english for part in splits.values() for one in part]
    assert len(set(sources)) == len(sources)
    assert max(len(source.split()) for source in sources) > MAX_WORDS - 5
    assert all(len(source.split()) <= MAX_WORDS for source in sources)
    assert all(source.count(", and ") < MAX_LINKS for source in sources)


def test_no_statement_is_in_two_splits(splits):
    train, _, test = (set().union(*map(clauses, part)) for part in splits.values())
    assert test
    assert train.isdisjoint(test)


def clauses(written) -> list[str]:
    """The statements of a long sentence; those with an 'and' of their own are left out."""
    parts = written.english.removesuffix(".").split(", and ")
    return [part[0].lower() + part[1:] for part in parts if " and " not in part]


def test_each_word_is_aligned_within_its_own_statement():
    first = Statement(Clause(HE, lexicon.verb("sleep"), "past"))
    second = Statement(Clause(SHE, lexicon.verb("sing"), "past"))
    written = write(Chain((first, second)))
    assert written.english == "He slept, and she sang."
    assert written.german == "Er schlief und sie sang."
    assert written.alignment == ((0, 0), (1, 1), (3, 2), (4, 3), (5, 4), (6, 5))
    assert other_translations(Chain((first, second))) == (
        "Er hat geschlafen und sie hat gesungen.",
    )


def test_too_few_statements_to_join():
    with pytest.raises(InputError, match="statements to join, and need 8; ask for more pairs"):
        long_splits(SIZES | {"train": 1})


def test_the_same_seed_gives_the_same_sentences(splits):
    assert long_splits(SIZES, seed=3) == splits
