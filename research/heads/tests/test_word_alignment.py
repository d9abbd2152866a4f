import numpy as np
import pytest

from research.heads.word_alignment import (
    alignment_error_rate,
    alignment_errors,
    word_attention,
    words_of_pieces,
)


def test_error_rate_of_all_half_and_none():
    gold = [[(0, 0), (1, 1)], [(0, 0)]]
    assert alignment_error_rate(gold, gold) == 0
    assert alignment_error_rate([[(0, 1)], [(1, 0)]], gold) == 1
    # 1 of 2 found links is right, of 3 gold ones: 1 - 2 * 1 / (2 + 3)
    assert alignment_error_rate([[(0, 0)], [(1, 0)]], gold) == pytest.approx(0.6)


def test_pieces_belong_to_words():
    pieces = ["<start>", "▁It", "▁did", "n't", ",", "▁An", "na", ".", "<end>"]
    words = ["It", "didn't", ",", "Anna", "."]
    assert words_of_pieces(pieces, words) == [None, 0, 1, 1, 2, 3, 3, 4, None]


def test_a_source_word_sums_and_a_target_word_averages():
    weights = np.array([[0.1, 0.2, 0.3, 0.4], [0.3, 0.0, 0.6, 0.1], [1.0, 0.0, 0.0, 0.0]])
    # columns: start, two pieces of word 0, word 1; rows: two pieces of word 0, word 1
    between = word_attention(weights, [None, 0, 0, 1], [0, 0, 1])
    expected = [[(0.5 + 0.6) / 2, (0.4 + 0.1) / 2, (0.1 + 0.3) / 2], [0.0, 0.0, 1.0]]
    np.testing.assert_allclose(between, expected)


def test_of_a_translator(translator, sentences):
    gold = {one.source: one.alignment for one in sentences}
    assert 0 <= alignment_errors(translator, sentences, sentences, gold) <= 100
