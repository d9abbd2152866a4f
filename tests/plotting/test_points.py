import numpy as np

from tf_models.plotting.points import plot_latent_space, plot_strips

CODES = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])


def test_a_cloud_for_each_class(drawn_texts):
    figure = plot_latent_space({"": CODES}, np.array([7, 3, 7]), title="codes")
    threes, sevens = figure.axes[0].collections

    assert threes.get_offsets().tolist() == [[2, 3]]
    assert sevens.get_offsets().tolist() == [[0, 1], [4, 5]]
    assert {"codes", "z 1", "z 2"} <= {text for text, _ in drawn_texts(figure)}


def test_digits_are_written_and_long_names_have_shapes_of_their_own():
    """Ten colours alone are not told apart."""

    def shapes(**names):
        drawn = plot_latent_space({"": np.ones((10, 2))}, np.arange(10), **names).axes[0]
        assert (drawn.get_legend() is None) == (not names)
        return {cloud.get_paths()[0].vertices.round(3).tobytes() for cloud in drawn.collections}

    assert len(shapes()) == 10
    assert len(shapes(class_name="class {}".format)) == 10
    one, eight = (
        plot_latent_space({"": CODES}, np.array([n] * 3)).axes[0].collections[0].get_paths()[0]
        for n in (1, 8)
    )
    assert len(eight.to_polygons()) == 3  # an outline with two holes
    assert len(one.to_polygons()) == 1


def test_two_kinds_of_codes_stand_side_by_side(drawn_texts):
    figure = plot_latent_space({"autoencoder": CODES, "PCA": -CODES}, np.array([7, 3, 7]))
    sevens = [axes.collections[1].get_offsets().tolist() for axes in figure.axes]

    assert sevens == [[[0, 1], [4, 5]], [[0, -1], [-4, -5]]]
    assert {"autoencoder", "PCA"} <= {text for text, _ in drawn_texts(figure)}


def test_values_and_their_mean_in_each_row(drawn_texts):
    rows = {"all": [40.0, 42.0], "without dropout": [30.0, 34.0]}
    figure = plot_strips(rows, axis_name="validation BLEU", title="ingredients")
    (axes,) = figure.axes

    first, *drawn = [line.get_xydata().tolist() for line in axes.lines]
    assert [x for x, _ in first] == [41, 41]
    assert drawn == [[[40, 0], [42, 0]], [[41, 0]], [[30, 1], [34, 1]], [[32, 1]]]
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"all", "without dropout", "validation BLEU", "ingredients"} <= texts
    below, above = axes.get_ylim()
    assert below > above  # the first row is on top
