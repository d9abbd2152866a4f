"""Ids in a memory-mapped file give the batches that ids in memory give."""

import numpy as np
import pytest

from tf_models.data.large import mapped_pairs
from tf_models.data.large.mapped_pairs import MappedPairs, write_ids
from tf_models.data.text.batches import TranslationBatches, encode_pairs
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair, train_tokenizer
from tf_models.errors import InputError

WORDS = ["ab", "cd", "ef", "gh"]
PAIRS = [
    SentencePair(" ".join((WORDS * 5)[: i % 17 + 1]), " ".join((WORDS * 5)[: i % 13 + 1]))
    for i in range(300)
]
LIMITS = (15, 15)


@pytest.fixture(scope="module", params=[30, 500], ids=["8 bits", "16 bits"])
def tokenizers(request, tmp_path_factory):
    texts = [text for pair in PAIRS for text in pair]
    if request.param == 500:  # pieces enough for ids above 255
        texts += [chr(0x4E00 + i) for i in range(400)]
    model = tmp_path_factory.mktemp("model") / "model"
    tokenizer = train_tokenizer(texts, "en", request.param, model)
    return TokenizerPair(tokenizer, tokenizer)


@pytest.fixture(scope="module")
def encoded(tokenizers):
    return encode_pairs(PAIRS, tokenizers, LIMITS)


@pytest.fixture
def mapped(tokenizers, encoded, tmp_path, monkeypatch):
    monkeypatch.setattr(mapped_pairs, "BLOCK", 64)  # several blocks, the last one smaller
    found = write_ids(tmp_path / "ids.arrow", iter(PAIRS), tokenizers, LIMITS)
    assert found == (len(encoded), encoded.dropped)
    assert encoded.dropped > 0
    return MappedPairs(tmp_path / "ids.arrow")


def batches_of(dataset):
    return [[side.numpy() for side in batch] for batch in dataset]


@pytest.mark.parametrize(
    "options",
    [{}, {"batch_tokens": 100}, {"padded_lengths": LIMITS}],
    ids=["bucketed", "tokens", "article"],
)
def test_the_same_batches_as_in_memory(mapped, encoded, options):
    in_file, in_memory = (TranslationBatches(p, 16, 3, **options) for p in (mapped, encoded))

    assert len(in_file) == len(in_memory)
    for epoch in (0, 1):
        found, expected = (batches_of(one.epoch(epoch)) for one in (in_file, in_memory))
        for sides, expected_sides in zip(found, expected, strict=True):
            for side, expected_side in zip(sides, expected_sides, strict=True):
                assert side.dtype == expected_side.dtype
                np.testing.assert_array_equal(side, expected_side)
        assert in_file.epoch(epoch).element_spec == in_memory.epoch(epoch).element_spec


def test_lengths(mapped, encoded):
    for found, expected in zip(mapped.lengths, encoded.lengths, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_ids_are_no_sentences(mapped):
    with pytest.raises(InputError, match="holds token ids, no sentences"):
        list(mapped)


def test_nothing_left(tokenizers, tmp_path):
    with pytest.raises(InputError, match="none of 300 sentence pairs fits into 2 source and 15"):
        write_ids(tmp_path / "ids.arrow", PAIRS, tokenizers, (2, 15))


def test_a_damaged_file(mapped, tmp_path):
    path = tmp_path / "ids.arrow"
    path.write_bytes(path.read_bytes()[:-100])

    with pytest.raises(InputError, match="ids.arrow is damaged .*; prepare the corpus again"):
        MappedPairs(path)
    with pytest.raises(InputError, match="cannot read"):
        MappedPairs(tmp_path / "missing.arrow")
