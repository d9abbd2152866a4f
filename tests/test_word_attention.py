import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.word_attention import leave_out_marks, merge_pieces


def words(*pieces):
    return merge_pieces(np.eye(len(pieces)), pieces, pieces)[1]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["▁An", "th", "ony", "▁hat"], ["Anthony", "hat"]),
        (
            ["<start>", "▁He", "▁ad", "mired", ".", "<end>"],
            ["<start>", "He", "admired", ".", "<end>"],
        ),
        (["▁didn", "'", "t"], ["didn't"]),
        (["▁„", "Ha", "us", '"', "."], ["„", "Haus", '".']),
        (["▁", "Ha", "us"], ["Haus"]),
        (["▁", "„", "Haus"], ["„", "Haus"]),
        (["▁-", "▁3", ".", "5"], ["-", "3.5"]),
        (["▁", "<unk>", "eljko"], ["<unk>eljko"]),
        (["▁"], ["▁"]),
        (["th", "ony"], ["thony"]),
        (["▁a", "<end>", "<pad>", "<pad>"], ["a", "<end>", "<pad>", "<pad>"]),
    ],
)
def test_pieces_become_words(pieces, expected):
    assert words(*pieces) == expected


def test_columns_are_summed_and_rows_averaged():
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.0, 0.0, 1.0]])
    pieces = ["▁a", "b", "▁c"]
    merged, rows, columns = merge_pieces(weights, pieces, pieces)
    np.testing.assert_allclose(merged, [[0.55, 0.45], [0.0, 1.0]])
    assert rows == columns == ["ab", "c"]


def test_rows_still_sum_to_one_for_any_leading_dimensions(attention):
    weights = attention(2, 4, 5, 7)
    queries = ["<start>", "▁a", "b", ".", "<end>"]
    keys = ["▁x", "y", "z", "▁u", "v", ".", "<end>"]
    merged, rows, columns = merge_pieces(weights, queries, keys)
    assert merged.shape == (2, 4, len(rows), len(columns)) == (2, 4, 4, 4)
    np.testing.assert_allclose(merged.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(merged[1, 2], merge_pieces(weights[1, 2], queries, keys)[0])


def test_causal_attention_stays_causal(attention):
    pieces = ["<start>", "▁a", "b", "▁c", "d", "."]
    merged, _, _ = merge_pieces(attention(6, 6, causal=True), pieces, pieces)
    assert not np.triu(merged, k=1).any()


SOURCE = ["<start>", "▁An", "th", "ony", "▁s", "leeps", ".", "<end>"]
TARGET = ["▁An", "th", "ony", "▁schläft", ".", "<end>"]


def test_start_end_and_punctuation_are_left_out(attention):
    weights = attention(2, 3, 6, 8)
    found = leave_out_marks(weights, TARGET, SOURCE)
    assert found.rows == ["▁An", "th", "ony", "▁schläft"]
    assert found.columns == ["▁An", "th", "ony", "▁s", "leeps"]
    kept = weights[..., :4, 1:6]
    np.testing.assert_allclose(found.weights, kept / kept.sum(axis=-1, keepdims=True), 1e-5)
    np.testing.assert_allclose(found.left_out, 1 - kept.sum(axis=(-2, -1)) / 4, rtol=1e-5)


def test_a_row_with_nothing_left_is_empty():
    weights = np.zeros((6, 8))
    weights[:, 0] = 1
    weights[0, [0, 2]] = 0.991, 0.009  # noise would be drawn as if it were all
    weights[1, [0, 2, 3]] = 0.98, 0.005, 0.015
    found = leave_out_marks(weights, TARGET, SOURCE)
    np.testing.assert_allclose(found.weights[1], [0, 0.25, 0.75, 0, 0])
    assert not found.weights[[0, 2, 3]].any()
    assert found.left_out == pytest.approx(1 - (0.009 + 0.02) / 4)


def test_a_word_receives_what_its_pieces_receive_and_looks_where_they_look_on_average():
    weights = np.zeros((6, 8))
    weights[0] = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0]
    weights[1, 3] = weights[2, 1] = weights[5, 0] = 1  # the row of <end> does not count
    weights[3] = [0.2, 0.0, 0.0, 0.0, 0.4, 0.0, 0.3, 0.1]
    weights[4, 4] = 1
    found = leave_out_marks(*merge_pieces(weights, TARGET, SOURCE))
    # Anthony: 2.3 of 3 on itself and 0.2 on the verb; schläft: 0.4 on the verb.
    assert (found.rows, found.columns) == (["Anthony", "schläft"], ["Anthony", "sleeps"])
    np.testing.assert_allclose(found.weights, [[2.3 / 2.5, 0.2 / 2.5], [0, 1]])
    assert found.left_out == pytest.approx(1 - (2.5 / 3 + 0.4) / 2)


def test_without_words_there_is_nothing_to_draw(attention):
    with pytest.raises(InputError, match="needs a word on each side; received ▁a ▁b <start>"):
        leave_out_marks(attention(2, 1), ["▁a", "▁b"], ["<start>"])


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["▁He", "▁admired", "▁", "<unk>", "mile", "."], ["He", "admired", "<unk>mile"]),
        (["▁He", "▁said", "▁“", "yes", "”", "."], ["He", "said", "yes"]),
        (["▁Yes", "▁", "."], ["Yes"]),
        (["▁I", "'", "m", "▁here", "!"], ["I'm", "here"]),
    ],
)
def test_without_punctuation_words_stay_apart(attention, pieces, words):
    merged = merge_pieces(attention(8, len(pieces)), SOURCE, pieces)
    assert leave_out_marks(*merged).columns == words
