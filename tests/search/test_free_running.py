import numpy as np
import pytest

from tf_models.search import ForcedAndFree, right_tokens

RIGHT = np.array([[4, 5, 9], [6, 9, 0], [1, 9, 0]])  # 1 is the unknown word


def test_only_real_and_known_tokens_are_right():
    written = np.array([[4, 7, 9, 9], [6, 9, 0, 3], [1, 9, 0, 0]])
    assert right_tokens(RIGHT, written).tolist() == [
        [True, False, True],
        [True, True, False],
        [False, True, False],
    ]


def test_what_is_too_short_is_wrong_at_its_end():
    assert right_tokens(RIGHT, np.array([[4], [6], [9]])).sum() == 2


def test_both_ways_to_run_over_all_batches():
    """One wrong word leads to two when it is read, and to one when the right word is."""
    forced = [np.array([[4, 7, 9], [6, 9, 0]]), np.array([[5, 9]])]
    free = [np.array([[4, 7, 7, 9], [6, 9, 0, 0]]), np.array([[5, 9]])]
    found = ForcedAndFree.of([RIGHT[:2], RIGHT[2:, :2]], forced, free)

    assert found.free_exact.tolist() == found.forced_exact.tolist() == [False, True, False]
    assert found.forced_accuracy == pytest.approx(5 / 7)
    assert found.free_accuracy == pytest.approx(4 / 7)
    _, first, second = found.lines("answers")
    assert first.split()[-2:] == ["33.3%", "71.43%"]
    assert second.split()[-2:] == ["33.3%", "57.14%"]
