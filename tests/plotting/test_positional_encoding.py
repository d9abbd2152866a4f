import numpy as np

from tf_models.plotting.positional_encoding import plot_positional_encoding


def sinusoids(positions, dimensions):
    """Both layouts of the same sines and cosines."""
    angles = np.arange(positions)[:, np.newaxis] / 10000 ** np.linspace(0, 1, dimensions // 2)
    waves = np.stack([np.sin(angles), np.cos(angles)])  # (2, positions, dimensions / 2)
    return {
        "interleaved": waves.transpose(1, 2, 0).reshape(positions, dimensions),
        "concatenated": waves.transpose(1, 0, 2).reshape(positions, dimensions),
    }


def maps(figure):
    """The axes with a map, without the colour bar."""
    return [axes for axes in figure.axes if axes.images]


def test_a_map_for_each_layout_with_the_right_values():
    encodings = sinusoids(20, 512)
    figure = plot_positional_encoding(encodings, title="20 x 512")
    for axes, (name, encoding) in zip(maps(figure), encodings.items(), strict=True):
        assert axes.get_title(loc="left") == name
        np.testing.assert_array_equal(axes.images[0].get_array()[::30, ::3], encoding)
        assert (axes.get_ylabel(), axes.get_xlabel()) == ("position", "dimension")
        assert axes.images[0].get_clim() == (-1, 1)
        assert axes.yaxis_inverted()  # position 0 is on top
        assert 256 in axes.get_xticks()  # where the cosines of the concatenated layout begin


def test_larger_values_widen_the_scale_on_both_sides():
    learned = np.array([[0.5, -3.0], [1.0, 2.0]])
    (axes,) = maps(plot_positional_encoding({"learned": learned}))
    assert axes.images[0].get_clim() == (-3, 3)
