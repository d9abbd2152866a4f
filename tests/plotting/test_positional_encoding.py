import numpy as np
import pytest

from tf_models.plotting.positional_encoding import (
    plot_position_products,
    plot_positional_encoding,
)


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


def test_one_color_bar_from_minus_one_to_one(drawn_texts):
    figure = plot_positional_encoding(sinusoids(20, 512))
    (bar,) = (axes for axes in figure.axes if axes.get_ylabel() == "value")
    assert bar.get_ylim() == (-1, 1)
    assert {"−1.0", "0.0", "1.0"} <= {text for text, _ in drawn_texts(figure)}


def test_larger_values_widen_the_scale_on_both_sides():
    learned = np.array([[0.5, -3.0], [1.0, 2.0]])
    (axes,) = maps(plot_positional_encoding({"learned": learned}))
    assert axes.images[0].get_clim() == (-3, 3)


def test_the_axis_of_the_batch_is_left_out():
    encodings = {name: values[None] for name, values in sinusoids(3, 4).items()}
    assert maps(plot_positional_encoding(encodings))[0].images[0].get_array().shape == (3, 4)


@pytest.mark.parametrize(("positions", "dimensions"), [(1, 2), (20, 4), (20, 100), (42, 512)])
def test_nothing_is_cut_off_or_covered(drawn_texts, positions, dimensions):
    title = "positional encodings with a title that is rather long"
    figure = plot_positional_encoding(sinusoids(positions, dimensions), title=title)
    boxes = [box for _, box in drawn_texts(figure)]
    for index, box in enumerate(boxes):
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


@pytest.mark.parametrize("dimensions", [4, 100, 128, 512])
def test_each_dimension_is_as_many_pixels_wide_as_the_next(dimensions):
    axes = maps(plot_positional_encoding(sinusoids(20, dimensions)))[0]
    pixels = axes.get_window_extent().width / dimensions
    assert pixels >= 1
    assert pixels == pytest.approx(round(pixels))


@pytest.mark.parametrize(
    "encodings", [{}, {"a": np.ones(3)}, {"a": np.ones((2, 4)), "b": np.ones((2, 6))}]
)
def test_other_shapes_are_refused(encodings):
    with pytest.raises(ValueError, match=r"same shape \(positions, dimensions\); received {"):
        plot_positional_encoding(encodings)


def test_numbers_must_be_finite():
    with pytest.raises(ValueError, match=r"learned of shape \(1, 2\) has 1 that are not"):
        plot_positional_encoding({"learned": np.array([[0.0, np.nan]])})
    with pytest.raises(ValueError, match=r"empty of shape \(0, 2\) has 0"):
        plot_positional_encoding({"empty": np.ones((0, 2))})


def test_products_of_positions_are_drawn():
    encoding = sinusoids(20, 512)["interleaved"]
    figure = plot_position_products(encoding, title="products")
    (axes,) = maps(figure)
    np.testing.assert_allclose(axes.images[0].get_array(), encoding @ encoding.T)
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("position", "position")
