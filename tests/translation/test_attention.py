import numpy as np
import pytest

from tests.support.reference import Reference
from tf_models.translation.attention import attention_diagonality, attention_entropy, value_norms_of
from tf_models.translation.model import TUTORIAL_NAMES


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


def test_value_norms_are_those_of_the_paper(random_translator):
    """The reference also adds up what all keys carry, and finds each block's output."""
    source, target = [58, 4, 5, 6, 7, 59], [58, 6, 7, 8]
    found = value_norms_of(random_translator, source, target)
    reference = Reference(random_translator.model.network)
    reference.logits(source, target)
    for kind, name in TUTORIAL_NAMES.items():
        expected = [reference.norms[name.format(layer)] for layer in (1, 2)]
        np.testing.assert_allclose(found[kind], expected, rtol=1e-4)  # (layers, heads, columns)
