import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from tests.support.readable import unreadable
from tf_models.plotting.architecture import Arrow, Box, plot_architecture

BOXES = {
    "x": Box("an image\nof 8 x 8", (0, 0)),
    "mean": Box("mean", (1, 0.5), "code"),
    "deviation": Box("standard deviation", (1, -0.5), "code"),
    "z": Box("z", (1, 2), "code"),
}
ARROWS = [Arrow("x", "mean"), Arrow("x", "deviation", "also"), Arrow("mean", "z", dashed=True)]


@pytest.fixture
def drawn():
    figure = plot_architecture(BOXES, ARROWS, title="a title", caption="a caption")
    return figure, *figure.axes


def test_all_can_be_read(drawn, drawn_texts):
    figure, _ = drawn
    assert unreadable(figure) == []
    texts = {text.replace("\u200e", "") for text, _ in drawn_texts(figure)}
    assert texts == {*(box.text for box in BOXES.values()), "also", "a title", "a caption"}


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
    across, _, up = [arrow._posA_posB for arrow in arrows]
    assert across[0][0] == pytest.approx(edges["x"].x1)
    assert across[1][0] == pytest.approx(edges["mean"].x0)
    assert up[0][1] == pytest.approx(edges["mean"].y1)
    assert up[1][1] == pytest.approx(edges["z"].y0)
    assert arrows[2].get_linestyle() == "--"


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="arrows need boxes of x, mean, deviation, z; received y"):
        plot_architecture(BOXES, [Arrow("x", "y")])
    with pytest.raises(ValueError, match="fills are data, encoder, decoder, code; received red"):
        plot_architecture({"x": Box("x", (0, 0), "red")}, [])
