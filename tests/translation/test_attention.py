import numpy as np
import pytest

from tf_models.translation.attention import attention_diagonality, attention_entropy


def uniform(rows, columns):
    return np.full((rows, columns), 1 / columns)


def test_entropy_of_known_maps():
    assert attention_entropy(np.eye(5)) == 0
    assert attention_entropy(uniform(3, 8)) == pytest.approx(np.log(8))
    half = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert attention_entropy(half) == pytest.approx(np.log(2) / 2)


def test_diagonality_of_known_maps():
    assert attention_diagonality(np.eye(6)) == 1
    assert attention_diagonality(uniform(6, 6)) == pytest.approx(0)
    assert attention_diagonality(np.eye(6)[::-1]) < 0
    next_to_it = np.eye(6)[[1, 2, 3, 4, 5, 5]]
    assert 0.5 < attention_diagonality(next_to_it) < 1
