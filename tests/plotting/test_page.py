import numpy as np
import pytest

from tf_models.plotting.page import Layout, Page


def layout(**options):
    sizes = {"panel_width": 2.0, "panel_height": 1.0, "left": 0.5, "top": 0.3}
    return Layout(rows=2, columns=2, **{**sizes, **options})


def inches(page, axes):
    """Left, bottom, width and height."""
    return axes.get_position().bounds * np.tile(page.figure.get_size_inches(), 2)


def test_panels_are_counted_along_the_rows():
    page = Page(layout())
    boxes = [inches(page, page.panel(index)) for index in range(4)]
    assert boxes[1][0] - boxes[0][0] == pytest.approx(2.0 + 0.5 + 0.28)
    assert boxes[0][1] - boxes[2][1] == pytest.approx(1.0 + 0.3 + 0.28)
    for box in boxes:
        np.testing.assert_allclose(box[2:], [2, 1])


def test_room_below_the_panels():
    plain, roomy = layout(), layout(bottom=0.4)
    assert roomy.panel_top(1) - plain.panel_top(1) == pytest.approx(0.4)
    assert roomy.height - plain.height == pytest.approx(0.8)


def test_a_part_of_a_panel():
    page = Page(layout())
    whole = inches(page, page.panel(3))
    part = inches(page, page.panel(3, down=0.25, width=0.5, height=0.5))
    np.testing.assert_allclose(part, [whole[0], whole[1] + 0.25, 0.5, 0.5])


def test_a_color_bar_for_each_row():
    page = Page(layout(color_bars=2))
    for row in range(2):
        image = page.panel(2 * row).imshow([[0, 1]])
        page.add_color_bar(image, f"scale {row}", row)
    bars = [axes for axes in page.figure.axes if axes.get_ylabel().startswith("scale")]
    for row, bar in enumerate(bars):
        _, bottom, _, height = inches(page, bar)
        assert page.layout.height - bottom - height == pytest.approx(page.layout.panel_top(row))


def test_the_page_is_high_enough_for_bars_that_are_higher_than_their_panels():
    short = {"panel_height": 0.2}
    assert layout(**short, color_bars=2).height > layout(**short, color_bars=0).height
    assert layout(color_bars=0).width < layout().width
