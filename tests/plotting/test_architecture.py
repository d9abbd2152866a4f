import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from tf_models.plotting.architecture import Arrow, Box, plot_architecture

BOXES = {
    "x": Box("an image\nof 8 x 8", (0, 0)),
    "mean": Box("mean", (1, 0.5), "code"),
    "deviation": Box("standard deviation", (1, -0.5), "code"),
    "z": Box("z", (1, 2), "code"),
}
ARROWS = [Arrow("x", "mean"), Arrow("x", "deviation", "also"), Arrow("mean", "z", dashed=True)]
ARROWS += [Arrow("mean", "z", detour=0.7)]


@pytest.fixture
def drawn():
    figure = plot_architecture(BOXES, ARROWS, title="a title", caption="a caption")
    return figure, *figure.axes


def test_every_text_fits_into_its_box(drawn, drawn_texts):
    figure, axes = drawn
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    places = dict(drawn_texts(figure))
    for box, patch in zip(BOXES.values(), boxes, strict=True):
        inside, around = places[box.text], patch.get_window_extent()
        assert around.x0 < inside.x0 < inside.x1 < around.x1
        assert around.y0 < inside.y0 < inside.y1 < around.y1


def test_arrows_go_from_side_to_side(drawn):
    _, axes = drawn
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    edges = {name: patch.get_bbox() for name, patch in zip(BOXES, boxes, strict=True)}
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    across, _, up, _ = [arrow._posA_posB for arrow in arrows]
    assert across[0][0] == pytest.approx(edges["x"].x1)
    assert across[1][0] == pytest.approx(edges["mean"].x0)
    assert up[0][1] == pytest.approx(edges["mean"].y1)
    assert up[1][1] == pytest.approx(edges["z"].y0)
    assert arrows[2].get_linestyle() == "--"


def test_a_detour_keeps_beside_the_boxes(drawn):
    _, axes = drawn
    boxes = [patch.get_bbox() for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    corners = axes.patches[-1]._path_original.vertices
    assert corners[1][0] == corners[2][0] > max(box.x1 for box in boxes)
    assert corners[2][0] < axes.get_xlim()[1]
