"""Texts on the disk are split as those in memory are."""

import pytest

from tf_models.data.large.prepare import TEST, TRAINING, VALIDATION, store_texts
from tf_models.data.text.pairs import SentencePair, drop_duplicates
from tf_models.data.text.splits import choose_pairs, source_key, split_by_source
from tf_models.errors import InputError

PAIRS = [
    SentencePair(f"Sentence {i // 3}." if i % 2 else f"sentence  {i // 3}.", f"Satz {i % 150}")
    for i in range(400)
] + [SentencePair("Sentence 1.", "Satz 5")] * 3
SHARES = (0.1, 0.2)


def stored(path, pairs=PAIRS, seed=0, max_pairs=None):
    return store_texts(path, iter(pairs), SHARES, seed=seed, max_pairs=max_pairs, name="pairs")


@pytest.mark.parametrize(("seed", "max_pairs"), [(0, None), (1, None), (1, 100), (2, 10_000)])
def test_the_same_split_as_in_memory(tmp_path, seed, max_pairs):
    kept = drop_duplicates(PAIRS, "pairs")
    kept = kept if max_pairs is None else choose_pairs(kept, max_pairs, seed)
    expected = split_by_source(kept, *SHARES, seed=seed)
    texts = stored(tmp_path / "texts", seed=seed, max_pairs=max_pairs)

    for side, pairs in zip((TRAINING, VALIDATION, TEST), expected, strict=True):
        assert list(texts.read(side)) == pairs
        assert texts.count(side) == len(pairs) > 0


def test_no_source_sentence_is_in_two_splits(tmp_path):
    texts = stored(tmp_path / "texts")
    sources = [{source_key(pair) for pair in texts.read(side)} for side in range(3)]

    assert sum(map(len, sources)) == len(set.union(*sources)) == 134
    assert min(map(len, sources)) > 10


def test_duplicates_are_counted(tmp_path, capsys):
    stored(tmp_path / "texts")

    assert "pairs: skipped 3 pair(s) seen before" in capsys.readouterr().err


def test_a_sample_of_the_training_pairs(tmp_path):
    texts = stored(tmp_path / "texts")
    training = list(texts.read(TRAINING))
    sample = list(texts.sample(50, seed=1))

    assert len(sample) == len(set(sample)) == 50
    assert sample == [pair for pair in training if pair in set(sample)]
    assert sample == list(texts.sample(50, seed=1)) != list(texts.sample(50, seed=2))
    assert list(texts.sample(10_000, seed=1)) == training


def test_too_few(tmp_path):
    with pytest.raises(InputError, match="too few sentences to split"):
        stored(tmp_path / "texts", PAIRS[:1])
    with pytest.raises(InputError, match="received 0 distinct source sentences"):
        stored(tmp_path / "none", [])
