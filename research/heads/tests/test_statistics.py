import numpy as np
import pytest

from research.heads.forced_attention import ForcedAttention
from research.heads.sentences import GoldSentence
from research.heads.statistics import head_statistics

PIECES = ["<start>", "▁a", "▁big", "▁dog", "<end>"]
LOOKS = {"noun_of_it": (), "subject_of_verb": (), "noun_of_adjective": ((1, 2),)}


def sentence(kind, *heads):
    """A layer of heads in a sentence whose second word is said of the third."""
    pair = GoldSentence("a big dog", "a big dog", ((0, 0), (1, 1), (2, 2)), {kind: LOOKS})
    return ForcedAttention(pair, {kind: np.array([heads], float)}, PIECES, PIECES)


def test_shares_of_the_encoder():
    ends = np.tile([0.25, 0, 0, 0, 0.75], (5, 1))
    before = np.eye(5)[[0, 0, 1, 2, 3]]
    at_the_next = np.eye(5)[[1, 2, 3, 4, 4]]
    found = head_statistics([sentence("encoder", ends, before, at_the_next)], "encoder")

    np.testing.assert_allclose(found["start_and_end"], [[1, 0.4, 0.4]])
    np.testing.assert_allclose(found["previous"], [[0.25 / 4, 1, 0]])
    np.testing.assert_allclose(found["itself"], [[0.2, 0.2, 0.2]])
    np.testing.assert_allclose(found["noun_of_adjective"], [[0, 0, 1]])
    np.testing.assert_allclose(found["entropy"][0, 1:], 0)
    assert np.isnan(found["noun_of_it"]).all()
    assert np.isnan(found["alignment_error_rate"]).all()


def test_cross_attention_writes_the_next_token():
    """Row 0 writes "a", row 1 "big": the first attends to what it translates, one to nothing."""
    right = np.eye(5)[[1, 2, 3, 4]]
    nothing = np.eye(5)[[0, 0, 0, 4]]
    one_of_three = np.eye(5)[[1, 0, 0, 4]]
    found = head_statistics([sentence("cross", right, nothing, one_of_three)], "cross")

    np.testing.assert_allclose(found["alignment_error_rate"], [[0, 1, 0.5]])
    assert np.isnan(found["itself"]).all()
    np.testing.assert_allclose(found["noun_of_adjective"], [[0, 0, 0]])
    at_the_noun = np.eye(5)[[0, 3, 0, 0]]  # while "big" is written
    found = head_statistics([sentence("cross", at_the_noun)], "cross")
    assert found["noun_of_adjective"] == 1


def test_the_decoder_sees_no_end_token():
    start = np.eye(4)[[0, 0, 0, 0]]
    found = head_statistics([sentence("decoder", start)], "decoder")
    assert found["start_and_end"] == 1
    assert found["previous"] == pytest.approx(1 / 3)


def test_means_are_of_sentences():
    ahead, start = np.eye(5), np.eye(5)[[0] * 5]
    found = head_statistics([sentence("encoder", ahead), sentence("encoder", start)], "encoder")
    assert found["itself"] == pytest.approx(0.6)
