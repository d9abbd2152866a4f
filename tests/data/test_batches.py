import numpy as np
import pytest

from tf_models.data.batches import BucketedBatches, encode_pairs
from tf_models.data.pairs import SentencePair
from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import TokenizerPair
from tf_models.errors import InputError

WORDS = ["ab", "cd", "ef", "gh"]
PAIRS = [
    SentencePair(" ".join((WORDS * 5)[: i % 17 + 1]), " ".join((WORDS * 5)[: i % 13 + 1]))
    for i in range(300)
]


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory):
    model = tmp_path_factory.mktemp("model") / "model"
    tokenizer = train_tokenizer([text for pair in PAIRS for text in pair], "en", 30, model)
    return TokenizerPair(tokenizer, tokenizer)


@pytest.fixture(scope="module")
def encoded(tokenizers):
    return encode_pairs(PAIRS, tokenizers, (60, 60))


def rows(dataset):
    """Every pair of ids in a data set, padding removed."""
    found = []
    for source, target in dataset:
        for a, b in zip(source.numpy(), target.numpy(), strict=True):
            found.append((tuple(a[a > 0]), tuple(b[b > 0])))
    return found


def shapes(dataset):
    return [(tuple(source.shape), tuple(target.shape)) for source, target in dataset]


def test_every_pair_once_an_epoch(encoded):
    batches = BucketedBatches(encoded, 16, seed=0)
    source, target = encoded.source.ragged().to_list(), encoded.target.ragged().to_list()
    expected = sorted((tuple(s), tuple(t)) for s, t in zip(source, target, strict=True))

    assert sorted(rows(batches.epoch(0))) == expected
    assert sorted(rows(batches.in_order())) == expected
    assert len(shapes(batches.epoch(0))) == len(batches) == 19


@pytest.mark.parametrize("batch_tokens", [0, 200])
def test_order_is_a_function_of_seed_and_epoch(encoded, batch_tokens):
    def order(seed, epoch):
        return rows(BucketedBatches(encoded, 16, seed, batch_tokens=batch_tokens).epoch(epoch))

    assert order(0, 3) == order(0, 3)
    assert order(0, 3) != order(0, 4)
    assert order(0, 3) != order(1, 3)


def test_batches_go_on_in_the_middle_of_an_epoch(encoded):
    batches = BucketedBatches(encoded, 16, seed=0)
    left = [*rows(batches.epoch(2).skip(5)), *rows(batches.epoch(3))]
    assert rows(batches.batches_from(2, 5, 4)) == left


def test_like_lengths_stand_together(encoded):
    """Sorting leaves hardly any padding; a random order is full of it."""

    def padding(dataset):
        counts = [(np.sum(t.numpy() == 0), t.numpy().size) for _, t in dataset]
        return sum(zeros for zeros, _ in counts) / sum(size for _, size in counts)

    bucketed = BucketedBatches(encoded, 16, seed=0)
    assert padding(bucketed.epoch(0)) < 0.1
    assert padding(BucketedBatches(encoded, 16, 0, (60, 60)).epoch(0)) > 0.4


def test_the_articles_batches(tokenizers):
    """Row 3: exactly (64, 41) and (64, 42), every time."""
    encoded = encode_pairs(PAIRS, tokenizers, (41, 42))
    batches = BucketedBatches(encoded, 64, 0, padded_lengths=(41, 42))

    assert shapes(batches.epoch(0)) == [((64, 41), (64, 42))] * (len(encoded) // 64)
    assert len(batches) == len(encoded) // 64


def test_long_pairs_are_dropped_and_counted(tokenizers):
    encoded = encode_pairs(PAIRS, tokenizers, (10, 60))

    assert encoded.dropped > 0
    assert len(encoded) + encoded.dropped == len(PAIRS)
    assert encoded.lengths[0].max() == encoded.source.padded().shape[1] <= 10


def test_nothing_left(tokenizers, encoded):
    with pytest.raises(InputError, match="none of 300 sentence pairs fits into 2 source"):
        encode_pairs(PAIRS, tokenizers, (2, 60))
    with pytest.raises(InputError, match="512 pairs needs as many; received 300"):
        BucketedBatches(encoded, 512, 0, padded_lengths=(60, 60))


def test_batches_by_tokens(encoded):
    batches = BucketedBatches(encoded, 16, seed=0, batch_tokens=200)
    found = shapes(batches.epoch(0))

    assert sorted(rows(batches.epoch(0))) == sorted(rows(batches.in_order()))
    assert all(max(s[0] * s[1], t[0] * t[1]) <= 200 for s, t in found)
    # As full as they can be: what was left out of a batch would not have fitted.
    assert np.mean([max(s[0] * s[1], t[0] * t[1]) for s, t in found]) > 170
    assert len(found) == len(batches) == len(shapes(batches.epoch(1)))
    assert shapes(batches.epoch(1)) != found
