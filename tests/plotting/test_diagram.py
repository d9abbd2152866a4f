import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch, Polygon

from tf_models.plotting.diagram import Block, plot_diagrams

BLOCKS = {
    "image\n8 x 8": Block(0),
    "encoder": Block(1, left=1.0, right=0.5, network=True),
    "code": Block(2, row=0.5),
}
ARROWS = [("image\n8 x 8", "encoder"), ("encoder", "code")]


def test_blocks_stand_at_their_places_and_arrows_lead_from_one_to_the_next(drawn_texts):
    figure = plot_diagrams({"below": ({"code": Block(0)}, []), "": (BLOCKS, ARROWS)}, title="two")
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"two", "below", *BLOCKS} <= texts
    _, axes = figure.axes
    shapes = [patch.get_xy()[:4] for patch in axes.patches if isinstance(patch, Polygon)]
    np.testing.assert_allclose(
        [shape.mean(axis=0) for shape in shapes], [block[:2] for block in BLOCKS.values()]
    )
    (_, top), (_, right_top), (_, right_bottom), (_, bottom) = shapes[1]
    assert (bottom - top, right_bottom - right_top) == (1.0, 0.5), "an encoder narrows"
    ends = [patch._posA_posB for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert ends == [[(0, 0), (1, 0)], [(1, 0), (2, 0.5)]]


def test_networks_are_shaded_and_data_are_white():
    axes = plot_diagrams({"": (BLOCKS, ARROWS)}).axes[0]
    fills = [patch.get_facecolor()[:3] for patch in axes.patches if isinstance(patch, Polygon)]
    assert [fill == (1, 1, 1) for fill in fills] == [True, False, True]


def test_an_arrow_to_nowhere():
    with pytest.raises(ValueError, match="no block 'decoder'; there are image"):
        plot_diagrams({"": (BLOCKS, [("code", "decoder")])})
