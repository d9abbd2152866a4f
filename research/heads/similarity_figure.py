"""Which heads attend alike: a matrix for each kind of attention."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import HeatMap, draw_heat_maps, with_decimals

_NUMBERED_CELL = 0.29  # inches; two digits fit into a cell
_MOST_WITH_NUMBERS = 16  # heads
_CAPTION = (
    "1 minus the Jensen-Shannon divergence of two heads, in bits: 1 where they always attend "
    "to the same, 0 where they never do. Names are layer.head."
)


def plot_head_similarity(
    matrices: Mapping[str, np.ndarray], names: Sequence[str], *, title: str = ""
) -> Figure:
    """A matrix for each kind of attention, all in the same colours from 0 to 1.

    Those of many heads stand one above the other, so that the names can be read on a page.

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
    numbered = len(names) <= _MOST_WITH_NUMBERS
    maps = [
        HeatMap(one, names, names, (0.0, 1.0), kind, texts=with_decimals(one) if numbered else None)
        for kind, one in matrices.items()
    ]
    cell = (_NUMBERED_CELL, _NUMBERED_CELL) if numbered else None
    style = {"cell": cell, "bars": ["similarity"]}
    columns = len(maps) if numbered else 1
    return draw_heat_maps(maps, columns, title=title, caption=_CAPTION, **style)[0, 0].figure
