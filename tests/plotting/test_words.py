import numpy as np
import pytest

from tf_models.plotting.words import merge_pieces, word_starts


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


def test_whole_words_stay_as_they_are(attention):
    weights = attention(3, 3)
    merged, rows, columns = merge_pieces(weights, ["▁a", "▁b", "▁c"], ["▁x", "▁y", "▁z"])
    np.testing.assert_allclose(merged, weights)
    assert (rows, columns) == (["a", "b", "c"], ["x", "y", "z"])


def test_causal_attention_stays_causal(attention):
    pieces = ["<start>", "▁a", "b", "▁c", "d", "."]
    merged, _, _ = merge_pieces(attention(6, 6, causal=True), pieces, pieces)
    assert not np.triu(merged, k=1).any()


def test_starts_are_indices_of_pieces():
    assert word_starts(["▁a", "b", "▁c", "."]) == [0, 2, 3]


def test_labels_must_fit():
    with pytest.raises(ValueError, match=r"2 rows and 1 columns.*received shape \(2, 2\)"):
        merge_pieces(np.eye(2), ["▁a", "▁b"], ["▁a"])
