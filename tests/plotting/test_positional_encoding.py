import numpy as np
import pytest

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
        np.testing.assert_array_equal(axes.images[0].get_array(), encoding)
        assert (axes.get_ylabel(), axes.get_xlabel()) == ("position", "dimension")
        assert axes.images[0].get_clim() == (-1, 1)
        assert axes.yaxis_inverted()  # position 0 is on top
        assert 256 in axes.get_xticks()  # where the cosines of the concatenated layout begin


def test_larger_values_widen_the_scale_on_both_sides():
    learned = np.array([[0.5, -3.0], [1.0, 2.0]])
    (axes,) = maps(plot_positional_encoding({"learned": learned}))
    assert axes.images[0].get_clim() == (-3, 3)


@pytest.mark.parametrize("dimensions", [4, 100, 128, 512])
def test_each_dimension_is_as_many_pixels_wide_as_the_next(drawn_texts, dimensions):
    axes = maps(plot_positional_encoding(sinusoids(20, dimensions)))[0]
    drawn_texts(axes.figure)
    pixels = axes.get_window_extent().width / dimensions
    assert pixels >= 1
    assert pixels == pytest.approx(round(pixels), abs=0.05)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"b must be \(2, 4\); received shape \(2, 6\)"):
        plot_positional_encoding({"a": np.ones((2, 4)), "b": np.ones((2, 6))})
    with pytest.raises(ValueError, match="learned must be finite numbers"):
        plot_positional_encoding({"learned": np.array([[0.0, np.nan]])})
