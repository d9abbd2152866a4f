import numpy as np
import pytest

from tf_models.plotting.latent_space import plot_latent_space

CODES = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])


def test_a_cloud_for_each_class(drawn_texts):
    figure = plot_latent_space(CODES, np.array([7, 3, 7]), title="codes")
    threes, sevens = figure.axes[0].collections

    assert threes.get_offsets().tolist() == [[2, 3]]
    assert sevens.get_offsets().tolist() == [[0, 1], [4, 5]]
    assert {"3", "7", "codes", "z 1", "z 2"} <= {text for text, _ in drawn_texts(figure)}


def test_classes_by_their_names(drawn_texts):
    figure = plot_latent_space(CODES, np.array([1, 0, 1]), class_name=["owl", "cat"].__getitem__)
    owls, cats = figure.axes[0].collections

    assert (owls.get_label(), cats.get_label()) == ("owl", "cat")
    assert owls.get_offsets().tolist() == [[2, 3]]
    assert {"owl", "cat"} <= {text for text, _ in drawn_texts(figure)}


def test_without_classes():
    (cloud,) = plot_latent_space(CODES).axes[0].collections
    assert cloud.get_offsets().tolist() == CODES.tolist()


def test_codes_of_other_sizes_are_refused():
    with pytest.raises(ValueError, match=r"received \(3, 4\)"):
        plot_latent_space(np.zeros((3, 4)))
