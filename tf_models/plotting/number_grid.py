"""Matrices whose cells hold numbers: distributions over words, confusion of classes, codes."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    MAX_CELLS_WITH_NUMBERS,
    MapSize,
    checked,
    draw_heat_map,
    with_decimals,
    write_numbers,
)
from tf_models.plotting.lettering import PANEL_TITLE_SIZE, widest
from tf_models.plotting.page import (
    MIN_BAR_HEIGHT,
    add_color_bar,
    columns_side_by_side,
    fit_page,
    panel_grid,
)

_WORD_SIZE, _NUMBER_SIZE = 8.5, 7.0
_MIN_WIDTH, _MAX_WIDTH, _HEIGHT = 0.46, 0.7, 0.32  # inches of a cell; a number such as 0.25 fits
_PROBABILITIES_CAPTION = (
    "Each row is a probability distribution over the words above, and sums to one."
)
_COUNT_CELL = 0.5  # inches; a count of five digits fits
_CONFUSION_CAPTION = (
    "Each row is a right class and shows which classes its texts were given, as shares of it."
)
_CODE_CELL = 0.45  # inches


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
    grids = {name: _checked_distributions(grid, shape) for name, grid in distributions.items()}
    word_width = widest(column_labels, _WORD_SIZE)
    upright = word_width > _MAX_WIDTH  # long words
    cell_width = _MIN_WIDTH if upright else max(_MIN_WIDTH, word_width + 0.1)
    width, height = cell_width * shape[1], _HEIGHT * shape[0]
    width = max(width, widest(list(grids), PANEL_TITLE_SIZE))
    columns = columns_side_by_side(len(grids), widest(row_labels, _WORD_SIZE) + width)
    panels = panel_grid(len(grids), columns)
    for axes, (name, grid) in zip(panels.flat, grids.items(), strict=False):
        image = draw_heat_map(
            axes,
            grid,
            row_labels,
            column_labels,
            limits=(0.0, 1.0),
            label_size=_WORD_SIZE,
            title=name,
            rotation=90 if upright else 0,
            cell_aspect=_HEIGHT / cell_width,
        )
        write_numbers(image, with_decimals(grid), _NUMBER_SIZE)
    return fit_page(panels[0, 0], width, height, title=title, caption=_PROBABILITIES_CAPTION)


def plot_confusion(counts: np.ndarray, classes: Sequence[str], *, title: str = "") -> Figure:
    """Right classes as rows, predicted ones as columns; a row's shares as colours.

    Args:
        counts: numbers of texts, (classes, classes); few classes show them.
        classes: their names.
        title: above all.

    Raises:
        ValueError: no square of whole numbers from 0 on, one row for each class.
    """
    counts = np.asarray(counts)
    square = (len(classes), len(classes))
    if counts.shape != square or counts.min() < 0 or np.any(counts != counts.astype(int)):
        raise ValueError(f"counts must be whole numbers of shape {square}; received {counts}")
    size = MapSize.of(*square, _COUNT_CELL)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ((axes,),) = panel_grid(1, 1)
    options = {"limits": (0.0, 1.0), "label_size": size.label_size}
    image = draw_heat_map(axes, shares, classes, classes, **options)
    if len(classes) <= MAX_CELLS_WITH_NUMBERS:
        write_numbers(image, counts.astype(int).astype(str))
    height = max(size.height, MIN_BAR_HEIGHT)
    add_color_bar([axes], image, "share of the row", size.width, height)
    return fit_page(axes, size.width, height, title=title, caption=_CONFUSION_CAPTION)


def plot_codes(codes: np.ndarray, names: Sequence[str], *, title: str = "") -> Figure:
    """Draw codes, dark where a number is large; what is darkest stands in the cells or the title.

    Args:
        codes: (rows, code_size).
        names: one for each row.
        title: above all.
    """
    if codes.ndim != 2 or len(codes) != len(names):
        raise ValueError(f"codes must be ({len(names)}, code_size); received {codes.shape}")
    few = codes.shape[1] <= MAX_CELLS_WITH_NUMBERS
    columns = [str(i + 1) if few or i % 8 == 0 else "" for i in range(codes.shape[1])]
    size = MapSize.of(*codes.shape, _CODE_CELL if few else None)
    limits = float(codes.min()), float(max(codes.max(), codes.min() + 1e-9))
    ((axes,),) = panel_grid(1, 1)
    options = {"limits": limits, "label_size": size.label_size, "rotation": 0}
    image = draw_heat_map(axes, codes, names, columns, **options)
    if few:
        write_numbers(image, with_decimals(codes))
    elif title:
        title = f"{title}, {limits[0]:.2g} (light) to {limits[1]:.2g}"
    return fit_page(axes, size.width, size.height, title=title)


def _checked_distributions(grid: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    grid = checked("each grid", grid, shape)
    if grid.min() < 0 or np.abs(grid.sum(axis=1) - 1).max() > 1e-3:
        raise ValueError(
            "each row must be a distribution: not negative, with a sum of one; received sums "
            f"{grid.sum(axis=1).tolist()}"
        )
    return grid
