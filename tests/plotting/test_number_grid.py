import keras
import numpy as np

from tf_models.plotting.number_grid import (
    FEATURES,
    TOKENS,
    normalized,
    plot_confusion,
    plot_head_statistics,
    plot_normalization,
    plot_probabilities,
)

WORDS = ["a", "am", "i", "thanks", "student", "<eos>"]
POSITIONS = ["1 i", "2 am"]
TARGET = np.eye(6)[[2, 1]]
UNIFORM = np.full((2, 6), 1 / 6)


def test_each_grid_with_its_name_labels_and_numbers(drawn_texts):
    figure = plot_probabilities({"target": TARGET, "trained": UNIFORM}, POSITIONS, WORDS, title="t")
    target, trained = figure.axes
    np.testing.assert_array_equal(target.images[0].get_array(), TARGET)
    np.testing.assert_allclose(trained.images[0].get_array(), UNIFORM)
    assert target.images[0].get_clim() == trained.images[0].get_clim() == (0, 1)
    for axes, name in ((target, "target"), (trained, "trained")):
        assert axes.get_title(loc="left") == name
        assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
        assert [label.get_text() for label in axes.get_yticklabels()] == POSITIONS
    assert [text.get_text() for text in target.texts] == [f"{one:.0f}" for one in TARGET.flatten()]
    assert {text.get_text() for text in trained.texts} == {"0.167"}
    assert "t" in {text for text, _ in drawn_texts(figure)}


COUNTS = np.array([[3, 1], [0, 0]])


def test_counts_are_written_and_shares_are_shades():
    figure = plot_confusion(COUNTS, ("cat", "dog"), title="4 texts")
    image = figure.axes[0].images[0]

    np.testing.assert_allclose(image.get_array(), [[0.75, 0.25], [0, 0]])
    assert [text.get_text() for text in figure.axes[0].texts] == ["3", "1", "0", "0"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["cat", "dog"]


def test_the_figure_writes_every_number_and_the_means(drawn_texts):
    entropy = np.array([[2.0, 1.0], [0.5, 0.25], [0.1, 0.3]])
    diagonality = np.array([[0.11, -0.2], [0.5, 0.6], [0.9, 1.0]])
    figure = plot_head_statistics(entropy, diagonality, title="cross-attention")
    drawn = drawn_texts(figure)
    texts = [text for text, _ in drawn]
    for number in [*entropy.ravel(), *diagonality.ravel()]:
        assert f"{number:.2f}" in texts
    assert {"layer 1, mean 1.50", "layer 3, mean 0.95"} <= set(texts)


X = np.random.default_rng(0).normal(2.0, 3.0, (5, 3))
NAMES = ["the", "old", "dog", "sleeps", "."], ["x1", "x2", "x3"]


def test_the_axes_are_those_of_the_layers():
    layer = keras.layers.LayerNormalization(epsilon=1e-6)
    np.testing.assert_allclose(normalized(X, FEATURES), layer(X), atol=1e-5)
    batch = keras.layers.BatchNormalization(epsilon=1e-6)
    np.testing.assert_allclose(normalized(X, TOKENS), batch(X, training=True), atol=1e-5)


def test_the_numbers_in_the_picture_are_right():
    figure = plot_normalization(X, *NAMES, title="axes")
    drawn = [axes for axes in figure.axes if axes.images]
    expected = [X, normalized(X, FEATURES), normalized(X, TOKENS)]
    for axes, values in zip(drawn, expected, strict=True):
        np.testing.assert_allclose(axes.images[0].get_array()[:5, :3], values)
        written = np.reshape([text.get_text() for text in axes.texts], (7, 5))
        for part, numbers in (
            (written[:5, :3], values),
            (written[:5, 3], values.mean(axis=1)),
            (written[:5, 4], values.var(axis=1)),
            (written[5, :3], values.mean(axis=0)),
            (written[6, :3], values.var(axis=0)),
        ):
            np.testing.assert_allclose(part.astype(float), numbers, atol=0.0051)


def test_one_group_of_numbers_is_framed():
    figure = plot_normalization(X, *NAMES)
    frames = [axes.patches[0].get_bbox().size.tolist() for axes in figure.axes if axes.patches]
    assert frames == [[3, 1], [1, 5]]
