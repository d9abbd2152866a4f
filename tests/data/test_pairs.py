"""Splits and choices of sentence pairs keep the translations of a sentence together."""

import pytest

from tf_models.data.pairs import SentencePair
from tf_models.data.splits import hold_out, source_key
from tf_models.errors import InputError


def make_pairs(sources: int, translations: int = 3) -> list[SentencePair]:
    return [
        SentencePair(f"Sentence {number}.", f"Satz {number}, {variant}.")
        for number in range(sources)
        for variant in range(translations)
    ]


def split(pairs, fraction=0.02, seed=0):
    return hold_out({"train": pairs}, fraction, seed)


def keys(pairs):
    return {source_key(pair) for pair in pairs}


def test_translations_of_a_sentence_stay_together():
    train, validation, test = split(make_pairs(100), 0.2)

    assert (len(train), len(validation), len(test)) == (180, 60, 60)
    assert not keys(train) & keys(validation)
    assert not keys(train) & keys(test)
    assert not keys(validation) & keys(test)


def test_case_and_spacing_do_not_make_another_sentence():
    spellings = ["Come in!", "come in!", "COME  IN!", " Come\tin! "]
    pairs = [SentencePair(spelling, str(n)) for n, spelling in enumerate(spellings)]
    for seed in range(10):
        sides = split(make_pairs(5) + pairs, 0.34, seed)
        assert sum(bool(set(pairs) & set(side)) for side in sides) == 1


def test_the_split_stays_the_same_for_ever():
    """Another one would test runs of before on sentences that they were trained on."""
    train, validation, test = split(make_pairs(10, 1), 0.2)
    numbers = [[int(pair.source.split()[1][:-1]) for pair in side] for side in (validation, test)]
    assert numbers == [[3, 8], [1, 7]]
    assert len(train) == 6


@pytest.mark.parametrize(("sources", "held_out"), [(3, 1), (10, 1), (500, 10), (150_000, 2000)])
def test_default_sizes(sources, held_out):
    train, validation, test = split(make_pairs(sources, translations=1))

    assert len(validation) == len(test) == held_out
    assert len(train) == sources - 2 * held_out


def test_too_few_sentences_to_split():
    with pytest.raises(InputError, match="received 2 distinct source sentences"):
        split(make_pairs(2))
