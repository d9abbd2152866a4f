import keras
import numpy as np
import pytest

from tf_models.layers.layer_normalization import LayerNormalization
from tf_models.plotting.number_grid import FEATURES, TOKENS, normalized, plot_normalization

X = np.random.default_rng(0).normal(2.0, 3.0, (5, 3))
NAMES = ["the", "old", "dog", "sleeps", "."], ["x1", "x2", "x3"]


def test_the_axes_are_those_of_the_layers():
    layer = LayerNormalization(epsilon=1e-6)
    np.testing.assert_allclose(normalized(X, FEATURES), layer(X), atol=1e-5)
    batch = keras.layers.BatchNormalization(epsilon=1e-6)
    np.testing.assert_allclose(normalized(X, TOKENS), batch(X, training=True), atol=1e-5)


def numbers(axes):
    """What is written beside the cells: (column, row) -> text."""
    return {text.get_position(): text.get_text() for text in axes.texts}


def test_the_numbers_in_the_picture_are_right():
    figure = plot_normalization(X, *NAMES, title="axes")
    drawn = [axes for axes in figure.axes if axes.images]
    expected = [X, normalized(X, FEATURES), normalized(X, TOKENS)]

    for axes, values in zip(drawn, expected, strict=True):
        np.testing.assert_allclose(axes.images[0].get_array(), values)
        written = numbers(axes)
        for (row, column), value in np.ndenumerate(values):
            assert float(written[column, row]) == pytest.approx(value, abs=0.0051)
        for i in range(5):
            beside = [float(written[3.1 + offset, i]) for offset in (0, 1)]
            assert beside == pytest.approx([values[i].mean(), values[i].var()], abs=0.0051)
        for i in range(3):
            below = [float(written[i, 5 + offset]) for offset in (0, 1)]
            assert below == pytest.approx([values[:, i].mean(), values[:, i].var()], abs=0.0051)
    _, by_token, by_feature = map(numbers, drawn)
    assert {(by_token[3.1, i], by_token[4.1, i]) for i in range(5)} == {("0.00", "1.00")}
    assert {(by_feature[i, 5], by_feature[i, 6]) for i in range(3)} == {("0.00", "1.00")}


def test_one_group_of_numbers_is_framed():
    figure = plot_normalization(X, *NAMES)
    frames = [axes.patches[0].get_bbox().size.tolist() for axes in figure.axes if axes.patches]
    assert frames == [[3, 1], [1, 5]]


def test_names_that_do_not_fit():
    with pytest.raises(ValueError, match=r"\(5 tokens, 3 features\); received \(3, 5\)"):
        plot_normalization(X.T, *NAMES)
