import numpy as np
import pytest

from tf_models.plotting.head_statistics import plot_head_statistics


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
