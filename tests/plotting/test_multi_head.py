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
    figure = plot_multi_head_attention(drawn)
    panels = {axes.get_title(loc="left"): axes.images[0].get_array() for axes in figure.axes}
    assert len(panels) == 4 + 8 * 5
    np.testing.assert_array_equal(panels["X (9 × 48)"], drawn.x)
    np.testing.assert_array_equal(panels["Q, head 1 (9 × 6)"], drawn.q[0])
    np.testing.assert_array_equal(panels["Z, head 8 (9 × 6)"], drawn.z[7])
    np.testing.assert_allclose(panels["weights, head 3 (9 × 9)"], drawn.weights[2])
    np.testing.assert_array_equal(panels["W^O (48 × 48)"], drawn.kernel)
    np.testing.assert_array_equal(panels["output = Z W^O + b (9 × 48)"], drawn.output)


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
