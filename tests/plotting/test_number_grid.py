import numpy as np
import pytest

from tf_models.plotting.number_grid import (
    plot_codes,
    plot_confusion,
    plot_head_statistics,
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
    numbers = [text.get_text() for text in target.texts]
    assert numbers == [f"{value:.3f}" for value in TARGET.flatten()]
    assert "t" in {text for text, _ in drawn_texts(figure)}


@pytest.mark.parametrize(
    ("grids", "message"),
    [
        ({}, "received none"),
        ({"short": UNIFORM[:, :5]}, r"each grid must be \(2, 6\); received shape \(2, 5\)"),
        ({"large": 2 * UNIFORM}, "sum of one; received sums"),
        ({"negative": TARGET - [[1, -1, 0, 0, 0, 0]]}, "not negative"),
    ],
)
def test_what_is_no_distribution_is_refused(grids, message):
    with pytest.raises(ValueError, match=message):
        plot_probabilities(grids, POSITIONS, WORDS)


COUNTS = np.array([[3, 1], [0, 0]])


def test_counts_are_written_and_shares_are_shades():
    figure = plot_confusion(COUNTS, ("cat", "dog"), title="4 texts")
    image = figure.axes[0].images[0]

    np.testing.assert_allclose(image.get_array(), [[0.75, 0.25], [0, 0]])
    assert [text.get_text() for text in figure.axes[0].texts] == ["3", "1", "0", "0"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["cat", "dog"]


def test_many_classes_have_no_numbers():
    figure = plot_confusion(np.eye(20, dtype=int), [str(n) for n in range(20)])
    assert not figure.axes[0].texts


@pytest.mark.parametrize(("classes", "rotation"), [("01", 0), (("a long name", "another"), 90)])
def test_names_of_classes_stand_upright_where_they_need_to(classes, rotation):
    (label, _) = plot_confusion(COUNTS, tuple(classes)).axes[0].get_xticklabels()
    assert label.get_rotation() == rotation


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, -1], [0, 2]], [[0.5, 1], [0, 2]]])
def test_what_is_no_confusion_matrix_is_refused(counts):
    with pytest.raises(ValueError, match=r"whole numbers of shape \(2, 2\)"):
        plot_confusion(np.array(counts), ("cat", "dog"))


def test_few_numbers_are_written(drawn_texts):
    figure = plot_codes(np.array([[0.0, 1.0], [1.0, 0.25]]), ["a", "b"], title="codes")
    texts = [text for text, _ in drawn_texts(figure)]

    assert [text.get_text() for text in figure.axes[0].texts] == ["0.00", "1.00", "1.00", "0.25"]
    assert {"a", "b", "codes"} <= set(texts)


def test_many_are_shades(drawn_texts):
    codes = np.linspace(-2, 5, 120).reshape(3, 40)
    figure = plot_codes(codes, ["a", "b", "c"], title="codes")
    assert figure.axes[0].images[0].get_array().shape == (3, 40)
    texts = {text for text, _ in drawn_texts(figure)}
    assert "5.00" not in texts
    assert {"codes", "number of the code", "value"} <= texts


@pytest.mark.parametrize(
    ("codes", "limits"), [([[-2.0, 0.0, 1.0]], (-2, 2)), ([[0.0, 0.5, 3.0]], (0, 3))]
)
def test_codes_with_negative_numbers_are_signed(codes, limits):
    """White is 0."""
    image = plot_codes(np.array(codes), ["a"]).axes[0].images[0]
    assert image.get_clim() == limits
    zero = image.to_rgba(np.zeros((1, 1)))[0, 0, :3]
    assert zero.min() > 0.96


def test_grids_stand_in_their_order_without_a_hole():
    """Three that do not fit beside each other stand below each other."""
    grids = dict.fromkeys(("target", "untrained", "trained"), UNIFORM)
    places = [axes.get_subplotspec() for axes in plot_probabilities(grids, POSITIONS, WORDS).axes]
    assert [(place.rowspan.start, place.colspan.start) for place in places] == [
        (0, 0), (1, 0), (2, 0),
    ]  # fmt: skip


def test_names_and_codes_must_fit():
    with pytest.raises(ValueError, match=r"\(1, code_size\); received \(2, 3\)"):
        plot_codes(np.zeros((2, 3)), ["a"])


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
    caption = " ".join(" ".join(texts).split())
    assert "the mean entropy goes from 1.50 to 0.20" in caption
    assert "the mean diagonality from -0.05 to 0.95" in caption


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
    with pytest.raises(ValueError, match=r"diagonality must be \(2, 2\); received shape \(2, 3\)"):
        plot_head_statistics(np.ones((2, 2)), np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"\(layers, heads\); received shape \(0, 2\)"):
        plot_head_statistics(np.ones((0, 2)), np.ones((0, 2)))
    with pytest.raises(ValueError, match="diagonality must be finite numbers"):
        plot_head_statistics(np.ones((2, 2)), np.array([[1, 1], [1, np.nan]]))
