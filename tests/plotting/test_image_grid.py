import numpy as np
import pytest

from tf_models.plotting.image_grid import plot_image_grid


def test_every_image_in_its_place(drawn_texts):
    images = np.arange(6, dtype=float).reshape(2, 3, 1, 1, 1) / 5 * np.ones((2, 3, 4, 5, 1))
    figure = plot_image_grid(
        images, row_names=("clean", "restored"), column_names=("a", "b", "c"), title="two rows"
    )
    shown = [axes.images[0].get_array()[0, 0] for axes in figure.axes]

    np.testing.assert_allclose(shown, 1 - np.arange(6) / 5)
    boxes = np.array([axes.get_position().bounds for axes in figure.axes]).reshape(2, 3, 4)
    assert np.all(np.diff(boxes[..., 0], axis=1) > 0)
    assert np.all(np.diff(boxes[..., 1], axis=0) < 0)
    assert boxes.min() >= 0
    assert np.all(boxes[..., :2] + boxes[..., 2:] <= 1)
    assert {"clean", "restored", "a", "b", "c", "two rows"} <= {t for t, _ in drawn_texts(figure)}


def test_two_lines_for_one_row():
    images = np.zeros((1, 1, 2, 2, 1))
    narrow, wide = (
        plot_image_grid(images, row_names=[name]) for name in ("one\nlayer", "one layer")
    )
    assert narrow.axes[0].get_ylabel() == "one\nlayer"
    assert narrow.get_figwidth() < wide.get_figwidth()


def test_colour_and_values_out_of_range():
    images = np.array([-1.0, 2.0]).reshape(1, 2, 1, 1, 1) * np.ones((1, 2, 3, 3, 3))
    figure = plot_image_grid(images)

    assert [axes.images[0].get_array().max() for axes in figure.axes] == [0, 1]


def test_an_empty_place():
    images = np.zeros((1, 2, 3, 3, 1))
    images[0, 1] = np.nan
    shown, empty = plot_image_grid(images).axes
    assert (len(shown.images), len(empty.images)) == (1, 0)
    assert all(spine.get_visible() for spine in shown.spines.values())  # the image is all white
    assert not any(spine.get_visible() for spine in empty.spines.values())


@pytest.mark.parametrize("shape", [(2, 3, 4, 4), (1, 2, 4, 4, 2)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="1 or 3"):
        plot_image_grid(np.zeros(shape))


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((1, 2, 4, 4, 1), {"title": "a title that is much longer than two images are wide"}),
        ((1, 1, 4, 4, 1), {"column_names": ["a name wider than an image"]}),
        ((1, 2, 4, 4, 1), {"column_names": ["a name wider than an image", "another such name"]}),
        ((3, 2, 1, 4, 1), {"row_names": ["one\nlayer", "two\nlayers", "WWWWWWWW"], "title": "W"}),
        ((2, 10, 4, 4, 3), {"row_names": ["▁a", "b"], "column_names": list("0123456789")}),
    ],
)
def test_nothing_is_cut_off_or_covered(drawn_texts, shape, options):
    figure = plot_image_grid(np.zeros(shape), **options)
    boxes = [box for _, box in drawn_texts(figure)]
    for box in boxes:
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
    boxes += [axes.get_window_extent() for axes in figure.axes]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


def test_an_image_one_pixel_high_keeps_its_shape():
    figure = plot_image_grid(np.zeros((1, 2, 1, 4, 1)), row_names=["two\nlines"])
    axes = figure.axes[0]
    axes.apply_aspect()
    box = axes.get_window_extent()
    assert box.width == pytest.approx(4 * box.height)


def test_one_name_for_each_row_and_column():
    with pytest.raises(ValueError, match="2 rows of images; received 1 row names"):
        plot_image_grid(np.zeros((2, 3, 4, 4, 1)), row_names=["a"])
    with pytest.raises(ValueError, match="3 columns of images; received 4 column names"):
        plot_image_grid(np.zeros((2, 3, 4, 4, 1)), column_names="abcd")
