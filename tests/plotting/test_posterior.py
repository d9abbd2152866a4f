import numpy as np
import pytest

from tf_models.plotting.posterior import plot_posteriors

POINTS = np.linspace(-3, 3, 61)
MEANS, DEVIATIONS = np.array([[0.5, -1.0], [0.0, 1.0]]), np.array([[0.3, 0.1], [0.2, 0.2]])


def normals():
    """(images, points, points), z 1 along the rows."""
    distances = (POINTS[:, np.newaxis] - MEANS[:, np.newaxis]) / DEVIATIONS[:, np.newaxis]
    one, two = np.moveaxis(np.exp(-(distances**2) / 2), 2, 0)  # (images, points) each
    return one[:, :, np.newaxis] * two[:, np.newaxis]


def test_densities_lie_under_their_ellipses(drawn_texts):
    figure = plot_posteriors(
        normals(), POINTS, MEANS, DEVIATIONS, names=("a 3", "an 8"), title="posteriors"
    )
    for axes, mean, deviations in zip(figure.axes, MEANS, DEVIATIONS, strict=True):
        shown = axes.images[0]
        row, column = np.unravel_index(np.argmax(shown.get_array()), (61, 61))
        np.testing.assert_allclose((POINTS[column], POINTS[row]), mean, atol=0.06)
        one, two = axes.patches
        np.testing.assert_allclose(one.center, mean)
        np.testing.assert_allclose((one.width, one.height), 2 * deviations)
        np.testing.assert_allclose((two.width, two.height), 4 * deviations)
        assert shown.get_extent() == pytest.approx([-3.05, 3.05, -3.05, 3.05])
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"posteriors", "a 3", "an 8", "z 1", "z 2", "q, 1 sd", "q, 2 sd"} <= texts


def test_all_panels_have_one_scale():
    figure = plot_posteriors(normals(), POINTS, MEANS, DEVIATIONS)
    widths = [np.ptp(axes.get_xlim()) for axes in figure.axes]
    np.testing.assert_allclose(widths, 8 * 0.3)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="received .* and 60 points"):
        plot_posteriors(normals(), POINTS[1:], MEANS, DEVIATIONS)
