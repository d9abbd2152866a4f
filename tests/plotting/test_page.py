import numpy as np
import pytest

from tf_models.plotting.page import (
    MAX_WIDTH,
    add_color_bar,
    best_columns,
    columns_side_by_side,
    fit_page,
    panel_grid,
)

SIZE = 2.0, 1.0


def inches(axes):
    """Left, bottom, width and height of axes on a page that has been drawn."""
    axes.figure.draw_without_rendering()
    return axes.get_position(original=True).bounds * np.tile(axes.figure.get_size_inches(), 2)


def labelled(panels):
    for axes in panels.flat:
        axes.set_yticks([0, 1], ["short", "a label of some length"])
    return panels


def test_panels_are_as_large_as_asked_whatever_stands_beside_them():
    panels = labelled(panel_grid(4, 2))
    fit_page(panels[0, 0], *SIZE, title="a title", caption="a caption")
    boxes = np.array([inches(axes) for axes in panels.flat])
    np.testing.assert_allclose(boxes[:, 2:], [SIZE] * 4, atol=0.01)
    assert boxes[1, 0] - boxes[0, 0] > 2.0 + 1.0  # room for the labels between them
    assert boxes[0, 1] > boxes[2, 1]


def test_shares_of_a_page_keep_their_proportion():
    (above,), (below,) = panel_grid(2, 1, height_ratios=(3, 1))
    fit_page(above, *SIZE)
    assert inches(below)[3] == pytest.approx(1 / 3, abs=0.01)


def test_a_color_bar_takes_no_room_from_its_panel():
    ((axes,),) = panel_grid(1, 1)
    axes.imshow([[0, 1]], aspect="auto")
    add_color_bar([axes], "scale", *SIZE)
    figure = fit_page(axes, *SIZE)
    np.testing.assert_allclose(inches(axes)[2:], SIZE, atol=0.01)
    (bar,) = (one for one in figure.axes if one.get_ylabel() == "scale")
    figure.draw_without_rendering()
    top, bar_top = (one.get_window_extent().y1 for one in (axes, bar))
    assert bar_top == pytest.approx(top, abs=1)


def test_places_that_are_left_over_stay_empty():
    panels = panel_grid(3, 2)
    assert [axes.axison for axes in panels.flat] == [True, True, True, False]


def test_columns_that_fit_the_page():
    assert columns_side_by_side(8, MAX_WIDTH) == 1
    assert columns_side_by_side(2, 1.0) == 2
    assert best_columns(4, 2.0, 2.0) == 2
    assert best_columns(8, 4.0, 1.0) == 2
    assert best_columns(4, 1.2, 2.5) in (2, 4)  # never three and one
