import numpy as np
import pytest

from tf_models.plotting.multi_head import plot_six_steps

WORDS = ("Thinking", "Machines")
QUERY, KEYS = np.ones(64), np.outer([1.75, 1.5], np.ones(64))
VALUES = np.random.default_rng(0).normal(size=(2, 64))


def strips(figure):
    return [axes.images[0].get_array()[0] for axes in figure.axes if axes.images]


def test_the_numbers_of_the_article(drawn_texts):
    texts = [text for text, _ in drawn_texts(plot_six_steps(QUERY, KEYS, VALUES, WORDS))]
    assert [texts.count(number) for number in ("112", "96", "14", "12", "0.88", "0.12")] == [1] * 6


def test_the_vectors_are_drawn_as_they_are():
    drawn = strips(plot_six_steps(QUERY, KEYS, VALUES, WORDS))
    weights = 1 / (1 + np.exp([-2, 2]))
    expected = [QUERY, *KEYS, *VALUES, *(weights[:, np.newaxis] * VALUES), weights @ VALUES]
    np.testing.assert_allclose(drawn, expected)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"keys must be \(2, 63\); received shape \(2, 64\)"):
        plot_six_steps(QUERY[1:], KEYS, VALUES, WORDS)
    with pytest.raises(ValueError, match="finite"):
        plot_six_steps(QUERY, KEYS, VALUES * np.nan, WORDS)
