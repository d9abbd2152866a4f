import numpy as np
import pytest

from tf_models.plotting.attention_steps import (
    MultiHeadStages,
    plot_multi_head_attention,
    plot_six_steps,
)


@pytest.fixture
def stages(attention):
    def make(heads=8, length=9, depth=6):
        random, width = np.random.default_rng(0), heads * depth
        q, k, v, z = random.normal(size=(4, heads, length, depth))
        x, output = random.normal(size=(2, length, width))
        concat = z.transpose(1, 0, 2).reshape(length, width)
        kernel = random.normal(size=(width, width))
        weights = attention(heads, length, length)
        return MultiHeadStages(x, q, k, v, weights, z, concat, kernel, output)

    return make


def test_every_matrix_has_a_panel_with_its_numbers(stages):
    drawn = stages()
    words = [f"word{number}" for number in range(9)]
    figure = plot_multi_head_attention(drawn, words)
    assert len(figure.axes) == 4 + 8 * 5

    def panels(title):
        found = [axes for axes in figure.axes if axes.get_title(loc="left") == title]
        return [axes.images[0].get_array() for axes in found]

    np.testing.assert_array_equal(panels("X (9 × 48)"), [drawn.x])
    np.testing.assert_array_equal(panels("Q (9 × 6)"), drawn.q)
    np.testing.assert_array_equal(panels("Z (9 × 6)"), drawn.z)
    np.testing.assert_allclose(panels("weights (9 × 9)"), drawn.weights)
    np.testing.assert_array_equal(panels("Wᴼ (48 × 48)"), [drawn.kernel])
    np.testing.assert_array_equal(panels("output = Z Wᴼ + b (9 × 48)"), [drawn.output])
    named = [axes for axes in figure.axes if axes.get_yticklabels()]
    assert len(named) == 3 + 8  # X, Z of all heads and output; Q of each head
    assert all([one.get_text() for one in axes.get_yticklabels()] == words for axes in named)
    heads = [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()]
    assert heads == [f"head {number}" for number in range(1, 9)]


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
