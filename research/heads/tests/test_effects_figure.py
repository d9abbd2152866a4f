import pytest

from research.heads.effects_figure import HeadPoint, plot_head_effects

NAMES = ("attention to the noun", "points lost")
POINTS = [
    HeadPoint("encoder", "1.1", 0.0, 0.0),
    HeadPoint("encoder", "2.2", 0.01, 27.0),
    HeadPoint("cross", "2.4", 0.5, 4.0),
    HeadPoint("cross", "2.1", 0.1, -1.0),
]


def test_a_point_for_each_head_by_kind():
    figure = plot_head_effects({"ablated": POINTS, "masked": POINTS[:2]}, axis_names=NAMES)
    left, right = figure.axes
    drawn = [line.get_xydata().tolist() for line in left.lines[1:]]  # after the base line
    assert drawn == [[[0, 0], [0.01, 27]], [[0.5, 4], [0.1, -1]]]
    assert [line.get_xydata().tolist() for line in right.lines[1:]] == [[[0, 0], [0.01, 27]], []]
    assert len({line.get_marker() for line in left.lines[1:]}) == 2  # told apart without colour
    assert left.get_ylim() == right.get_ylim()


def test_only_what_stands_out_is_named():
    (axes,) = plot_head_effects({"ablated": POINTS}, axis_names=NAMES).axes
    assert {text.get_text() for text in axes.texts} == {"2.2", "2.4"}


def test_no_head_no_figure():
    with pytest.raises(ValueError, match="no head to draw"):
        plot_head_effects({"ablated": []}, axis_names=NAMES)
