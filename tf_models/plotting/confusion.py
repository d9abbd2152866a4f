"""A confusion matrix: which classes are taken for which."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    MOST_CELLS_WITH_NUMBERS,
    MapSize,
    draw_heat_map,
    write_numbers,
)
from tf_models.plotting.page import Layout, Page

CAPTION = "Each row is a right class and shows which classes its texts were given, as shares of it."
_CELL = 0.5  # inches; a count of five digits fits


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
    size = MapSize.for_labels(classes, classes, _CELL)
    layout = Layout(
        rows=1,
        columns=1,
        panel_width=size.width,
        panel_height=size.height,
        left=size.left,
        top=size.top,
        title=title,
        caption=CAPTION,
    )
    page = Page(layout)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    image = draw_heat_map(
        page.panel(0), shares, classes, classes, limits=(0.0, 1.0), label_size=size.label_size
    )
    if len(classes) <= MOST_CELLS_WITH_NUMBERS:
        write_numbers(image, np.vectorize("{:d}".format, otypes=[object])(counts.astype(int)))
    page.add_color_bar(image, "share of the row")
    return page.figure
