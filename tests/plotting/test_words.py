import numpy as np
import pytest

from tf_models.plotting.words import keep_spaced_words, merge_pieces


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


def test_labels_must_fit():
    with pytest.raises(ValueError, match=r"2 rows and 1 columns.*received shape \(2, 2\)"):
        merge_pieces(np.eye(2), ["▁a", "▁b"], ["▁a"])


SOURCE = ["<start>", "▁An", "th", "ony", "▁s", "leeps", ".", "<end>"]
TARGET = ["▁An", "th", "ony", "▁schläft", ".", "<end>"]


def test_words_stand_between_spaces(attention):
    found = keep_spaced_words(attention(2, 3, 6, 8), TARGET, SOURCE)
    assert found.rows == ["Anthony", "schläft."]
    assert found.columns == ["Anthony", "sleeps."]
    assert found.weights.shape == (2, 3, 2, 2)
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1)
    assert found.kept.shape == (2, 3)


def test_a_word_receives_what_its_pieces_receive_and_looks_where_they_look_on_average():
    weights = np.zeros((6, 8))
    weights[0] = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0]
    weights[1, 3] = weights[2, 1] = weights[5, 0] = 1  # the row of <end> does not count
    weights[3] = [0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, 0.4]
    weights[4, 4] = 1
    found = keep_spaced_words(weights, TARGET, SOURCE)
    # Anthony: 2.3 of 3 on itself and 0.2 on the verb; schläft.: 1.4 of 2 on the verb.
    np.testing.assert_allclose(found.weights, [[2.3 / 2.5, 0.2 / 2.5], [0, 1]])
    np.testing.assert_allclose(found.kept, (2.5 / 3 + 1.4 / 2) / 2)


def test_a_row_that_looks_at_no_word_is_spread_evenly():
    weights = np.zeros((6, 8))
    weights[:, 0] = 1
    found = keep_spaced_words(weights, TARGET, SOURCE)
    np.testing.assert_allclose(found.weights, 0.5)
    assert found.kept == 0


def test_what_does_not_fit_is_refused(attention):
    with pytest.raises(ValueError, match=r"6 rows and 8 columns.*received shape \(8, 6\)"):
        keep_spaced_words(attention(8, 6), TARGET, SOURCE)
    with pytest.raises(ValueError, match="no word among the pieces; received"):
        keep_spaced_words(attention(2, 1), ["▁a", "▁b"], ["<start>"])


def test_a_full_stop_is_left_out_on_request(attention):
    weights = attention(6, 8)
    found = keep_spaced_words(weights, TARGET, SOURCE, punctuation=False)
    assert (found.rows, found.columns) == (["Anthony", "schläft"], ["Anthony", "sleeps"])
    looks = weights[3, 1:4].sum(), weights[3, 4:6].sum()
    np.testing.assert_allclose(found.weights[1], np.array(looks) / sum(looks))


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["▁He", "▁admired", "▁", "<unk>", "mile", "."], ["He", "admired", "<unk>mile"]),
        (["▁He", "▁said", "▁“", "yes", "”", "."], ["He", "said", "yes"]),
        (["▁Yes", "▁", "."], ["Yes"]),
    ],
)
def test_without_punctuation_words_stay_apart(attention, pieces, words):
    found = keep_spaced_words(attention(8, len(pieces)), SOURCE, pieces, punctuation=False)
    assert found.columns == words
