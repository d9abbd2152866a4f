"""Distributions over a small vocabulary, one for each position: what a model says, word by word."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import LABEL_PAD, draw_heat_map, write_numbers
from tf_models.plotting.lettering import widest
from tf_models.plotting.page import Layout, Page, columns_side_by_side

_NARROWEST, _WIDEST, _CELL_HEIGHT = 0.46, 0.7, 0.32  # inches; a number such as 0.25 fits
_LABEL_SIZE = 8.5
_NUMBER_SIZE = 7.0
_CAPTION = "Each row is a probability distribution over the words above, and sums to one."


def plot_probabilities(
    distributions: Mapping[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    title: str = "",
) -> Figure:
    """Grids of probabilities with their numbers, such as those aimed at beside those of a model.

    Args:
        distributions: by name, (positions, words); each row sums to one.
        row_labels: the positions, `column_labels`: the words.
        title: above all.

    Raises:
        ValueError: no grid, another shape, or rows that are no distributions.
    """
    if not distributions:
        raise ValueError("there must be one grid or more to draw; received none")
    shape = len(row_labels), len(column_labels)
    grids = {name: _checked(grid, shape) for name, grid in distributions.items()}
    page = Page(_layout(tuple(grids), row_labels, column_labels, title))
    for index, (name, grid) in enumerate(grids.items()):
        image = draw_heat_map(
            page.panel(index),
            grid,
            row_labels,
            column_labels,
            limits=(0.0, 1.0),
            label_size=_LABEL_SIZE,
            title=name,
            rotation=_rotation(column_labels),
        )
        image.axes.set_aspect("auto")  # the cells are wider than high
        write_numbers(image, np.vectorize("{:.2f}".format)(grid), _NUMBER_SIZE)
    return page.figure


def _layout(
    names: tuple[str, ...], row_labels: Sequence[str], column_labels: Sequence[str], title: str
) -> Layout:
    width = _cell_width(column_labels) * len(column_labels)
    left = widest(row_labels, _LABEL_SIZE) + LABEL_PAD
    upright = widest(column_labels, _LABEL_SIZE) + LABEL_PAD
    columns = columns_side_by_side(len(names), left + width)
    return Layout(
        rows=-(-len(names) // columns),
        columns=columns,
        panel_width=width,
        panel_height=_CELL_HEIGHT * len(row_labels),
        left=left,
        top=upright if _rotation(column_labels) else 0.2,
        title=title,
        caption=_CAPTION,
        panel_titles=names,
        color_bars=0,
    )


def _cell_width(column_labels: Sequence[str]) -> float:
    """As wide as the words need, unless they stand upright."""
    if _rotation(column_labels):
        return _NARROWEST
    return max(_NARROWEST, widest(column_labels, _LABEL_SIZE) + 0.1)


def _rotation(column_labels: Sequence[str]) -> float:
    """Long words stand upright."""
    return 90 if widest(column_labels, _LABEL_SIZE) > _WIDEST else 0


def _checked(grid: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    grid = np.asarray(grid).astype(np.float64)
    if grid.shape != shape or not grid.size:
        raise ValueError(
            f"each grid needs {shape[0]} rows and {shape[1]} columns, one for each label; "
            f"received shape {grid.shape}"
        )
    if not np.isfinite(grid).all() or grid.min() < 0 or np.abs(grid.sum(axis=1) - 1).max() > 1e-3:
        raise ValueError(
            "each row must be a distribution: not negative, with a sum of one; received sums "
            f"{grid.sum(axis=1).tolist()}"
        )
    return grid
