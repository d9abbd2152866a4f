import numpy as np
import pytest

from tf_models.plotting.multi_head import MultiHeadStages, plot_multi_head_attention


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


def test_what_does_not_fit_is_refused(stages):
    drawn = stages()
    with pytest.raises(ValueError, match=r"k must be \(8, 9, 6\); received shape \(8, 8, 6\)"):
        plot_multi_head_attention(drawn._replace(k=drawn.k[:, 1:]))
    with pytest.raises(ValueError, match="sum to one"):
        plot_multi_head_attention(drawn._replace(weights=2 * drawn.weights))
    with pytest.raises(ValueError, match="x must be finite"):
        plot_multi_head_attention(drawn._replace(x=drawn.x * np.nan))
    with pytest.raises(ValueError, match="q must be"):
        plot_multi_head_attention(drawn._replace(q=drawn.q[0]))
