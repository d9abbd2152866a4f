import pytest

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.linearise import other_translations, write
from tf_models.data.grammar.long_sentences import LONGEST, MOST_LINKS, long_splits
from tf_models.data.grammar.syntax import HE, SHE, Chain, Clause, Statement
from tf_models.errors import InputError


@pytest.fixture(scope="module")
def splits():
    return long_splits(300, 60, 60, seed=3)


def test_sizes_lengths_and_no_sentence_twice(splits):
    assert [len(part) for part in splits] == [300, 60, 60]
    sources = [one.english for part in splits for one in part]
    assert len(set(sources)) == len(sources)
    assert max(len(source.split()) for source in sources) > LONGEST - 5
    assert all(len(source.split()) <= LONGEST for source in sources)
    assert all(source.count(", and ") < MOST_LINKS for source in sources)


def test_no_statement_is_in_two_splits(splits):
    train, _, test = ({clause for one in part for clause in clauses(one)} for part in splits)
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
        long_splits(1, 60, 60)


def test_the_same_seed_gives_the_same_sentences(splits):
    assert long_splits(300, 60, 60, seed=3) == splits
