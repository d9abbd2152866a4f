import numpy as np
import pytest

from tf_models.plotting.head_statistics import (
    attention_diagonality,
    attention_entropy,
    heads_attending,
    plot_head_statistics,
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


def test_the_diagonal_runs_into_the_corner_of_any_map():
    aligned = np.eye(5)[[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]]  # (10, 5)
    assert attention_diagonality(aligned) > 0.7
    assert attention_diagonality(uniform(10, 5)) == pytest.approx(0)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (5, 1)])
def test_a_single_key_is_always_met(rows, columns):
    weights = np.ones((2, rows, columns))
    assert attention_diagonality(weights).tolist() == [1, 1]
    assert attention_entropy(weights).tolist() == [0, 0]


def test_leading_dimensions_are_kept(attention):
    weights = attention(4, 8, 9, 10)
    for statistic in (attention_entropy, attention_diagonality):
        assert statistic(weights).shape == (4, 8)
        assert statistic(weights)[1, 2] == pytest.approx(statistic(weights[1, 2]))


def test_the_figure_writes_every_number_and_the_means(drawn_texts):
    entropy = np.array([[2.0, 1.0], [0.5, 0.25], [0.1, 0.3]])
    diagonality = np.array([[0.11, -0.2], [0.5, 0.6], [0.9, 1.0]])
    figure = plot_head_statistics(entropy, diagonality, title="cross-attention")
    drawn = drawn_texts(figure)
    texts = [text for text, _ in drawn]
    for number in [*entropy.ravel(), *diagonality.ravel()]:
        assert f"{number:.2f}" in texts
    assert "mean 1.50" in texts
    assert "mean 0.95" in texts


def test_every_number_in_its_cell():
    entropy, diagonality = np.array([[2.0, 1.0]]), np.array([[0.25, -0.5]])
    grids = plot_head_statistics(entropy, diagonality).axes
    assert [axes.get_title(loc="left") for axes in grids] == ["entropy (nats)", "diagonality"]
    for axes, values in zip(grids, (entropy, diagonality), strict=True):
        np.testing.assert_array_equal(axes.images[0].get_array(), values)
    written = {text.get_position(): text.get_text() for text in grids[1].texts}
    assert (written[0, 0], written[1, 0]) == ("0.25", "-0.50")
    assert grids[1].images[0].get_clim() == (-1, 1)  # uniform attention is white


def test_shapes_must_agree():
    with pytest.raises(ValueError, match=r"\(2, 2\) and \(2, 3\)"):
        plot_head_statistics(np.ones((2, 2)), np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"\(0, 2\) and \(0, 2\)"):
        plot_head_statistics(np.ones((0, 2)), np.ones((0, 2)))
    with pytest.raises(ValueError, match="not finite: 1 of 8"):
        plot_head_statistics(np.ones((2, 2)), np.array([[1, 1], [1, np.nan]]))


def test_heads_that_attend_to_a_key_the_surest_first():
    weights = np.full((2, 2, 3, 3), 0.0)
    weights[..., 0] = 1  # every head, every query: the first key
    weights[0, 1, 2] = [0.2, 0.5, 0.3]
    weights[1, 0, 2] = [0.1, 0.9, 0.0]

    assert heads_attending(weights, 2, 1) == [(2, 1, 0.9), (1, 2, 0.5)]
    assert heads_attending(weights, 1, 1) == []
