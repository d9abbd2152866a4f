"""Which heads attend alike: a matrix for each kind of attention."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import MapSize, draw_heat_map, write_numbers
from tf_models.plotting.page import Layout, Page

_CELL = 0.29  # inches; two digits fit into a cell
_MOST_WITH_NUMBERS = 16  # heads
_CAPTION = (
    "1 minus the Jensen-Shannon divergence of two heads, in bits: 1 where they always attend "
    "to the same, 0 where they never do. Names are layer.head."
)


def plot_head_similarity(
    matrices: Mapping[str, np.ndarray], names: Sequence[str], *, title: str = ""
) -> Figure:
    """A matrix for each kind of attention, side by side, all in the same colours from 0 to 1.

    Args:
        matrices: by kind, (heads, heads).
        names: of the heads.
        title: above all.

    Raises:
        ValueError: a matrix has another shape than the names need.
    """
    expected = (len(names), len(names))
    for kind, matrix in matrices.items():
        if np.shape(matrix) != expected:
            raise ValueError(f"{kind} must be {expected}; received shape {np.shape(matrix)}")
    size = MapSize.for_labels(names, names, cell=_CELL)
    layout = Layout(
        rows=1,
        columns=len(matrices),
        panel_width=size.width,
        panel_height=size.height,
        left=size.left,
        top=size.top,
        title=title,
        caption=_CAPTION,
        panel_titles=tuple(matrices),
    )
    page = Page(layout)
    for index, matrix in enumerate(matrices.values()):
        options = {"limits": (0.0, 1.0), "label_size": size.label_size}
        kind = layout.title_of(index)
        image = draw_heat_map(page.panel(index), matrix, names, names, title=kind, **options)
        if len(names) <= _MOST_WITH_NUMBERS:
            write_numbers(image, np.vectorize("{:.2f}".format)(matrix), 6.0)
    page.add_color_bar(image, "similarity")
    return page.figure
