"""The shipped files are those that the data card (docs/corpus.md) describes."""

import hashlib

import pytest

from tf_models.data.annotated import embedded_file, read_annotated
from tf_models.data.pairs import SPLITS
from tf_models.data.stories import embedded_questions

PAIRS = {  # SHA-256, and how many training pairs
    "toy": ("2953edc73abeefcd5850bb7de1e0a414541a98547ffe1c58d77d6d3f8bc6c4e5", 100_000),
    "everyday": ("37c445daeefabb0aa2c769ce531ed239feb40b3340965ba00913919163532024", 105_000),
    "reference": ("9e73dd61c60099c53cc60ab3228f074eeb245c32e09b9b7e5d3347d546ce8758", 60_000),
    "type": ("94aa0ba42a0673d8e2844e88015617c834a3ae7dc0064f1914141173e45ebcef", 10_000),
    "voice": ("6eb5833e2a3aeefd31d78034e01455d410b488196cd75762fda3b4ab6c6bfac6", 10_000),
}
STORIES = "6276b3efc7cd2a616c42d44cc714b5c3fa38174559bb534d53a0dde64d245252"


@pytest.mark.parametrize("name", PAIRS)
def test_sentence_pairs(name):
    checksum, training_pairs = PAIRS[name]
    assert hashlib.sha256(embedded_file(name).read_bytes()).hexdigest() == checksum
    splits = [pair.split for pair in read_annotated(embedded_file(name))[1]]
    assert [splits.count(split) for split in SPLITS] == [training_pairs, 1_000, 2_000]


def test_stories():
    assert hashlib.sha256(embedded_file("stories").read_bytes()).hexdigest() == STORIES
    questions = embedded_questions(130)
    assert questions.describe().startswith("stories: 130 training, 1,000 validation and 2,000 test")
