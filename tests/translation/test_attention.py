from types import SimpleNamespace

import numpy as np
import pytest

from tf_models.data.pairs import IT_STANDS_FOR
from tf_models.translation import attention
from tf_models.translation.attention import (
    AttentionMaps,
    HeadOfIt,
    attention_diagonality,
    attention_entropy,
    surest_head_of_it,
)


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


def test_the_surest_head_of_it(monkeypatch):
    sentence, noun = next(iter(IT_STANDS_FOR.items()))
    weights = np.zeros((2, 2, 3, 3))
    weights[..., 0] = 1  # every head, every query: the first key
    weights[0, 1, 2] = [0.2, 0.5, 0.3]
    weights[1, 0, 2] = [0.1, 0.9, 0.0]
    maps = AttentionMaps(weights, ["The", noun, "it"], ["The", noun, "it"])
    monkeypatch.setattr(attention, "attention_maps", lambda *sentence, **options: maps)
    translator = SimpleNamespace(model=SimpleNamespace(attention_kinds=("encoder", "cross")))

    assert surest_head_of_it(translator, sentence) == HeadOfIt("encoder", 2, 1, 0.9, "it")
    assert surest_head_of_it(translator, sentence, ["cross"]) is None  # no es or sie is written
