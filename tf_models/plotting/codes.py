"""Codes as rows of shades, and as numbers where there are few."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.heat_map import (
    MOST_CELLS_WITH_NUMBERS,
    MapSize,
    draw_heat_map,
    write_numbers,
)
from tf_models.plotting.language import ENGLISH, in_language, number_in_language
from tf_models.plotting.lettering import TITLE_SIZE, printable, text_style
from tf_models.plotting.page import DOTS_PER_INCH

CELL = 0.45  # inches, where numbers stand in the cells
MARGIN = 0.2
TITLE_ROOM = 0.45


def plot_codes(
    codes: np.ndarray, names: Sequence[str], *, title: str = "", language: str = ENGLISH
) -> Figure:
    """Draw codes, dark where a number is large; what is darkest stands in the cells or the title.

    Args:
        codes: (rows, code_size).
        names: one for each row.
        title: above all.
        language: "en" or "de", of its own words and numbers.
    """
    if codes.ndim != 2 or len(codes) != len(names):
        raise ValueError(f"codes must be ({len(names)}, code_size); received {codes.shape}")
    few = codes.shape[1] <= MOST_CELLS_WITH_NUMBERS
    columns = [str(i + 1) if few or i % 8 == 0 else "" for i in range(codes.shape[1])]
    size = MapSize.for_labels(names, columns, CELL if few else None)
    width = size.left + size.width + 2 * MARGIN
    height = size.top + size.height + 2 * MARGIN + TITLE_ROOM * bool(title)
    figure = Figure((width, height), DOTS_PER_INCH, facecolor="white")
    corner = (MARGIN + size.left) / width, MARGIN / height
    axes = figure.add_axes((*corner, size.width / width, size.height / height))
    limits = float(codes.min()), float(max(codes.max(), codes.min() + 1e-9))
    image = draw_heat_map(
        axes, codes, names, columns, limits=limits, label_size=size.label_size, rotation=0
    )
    if few:
        texts = [[number_in_language(number, ".2f", language) for number in row] for row in codes]
        write_numbers(image, np.array(texts))
    if title:
        lowest, highest = (number_in_language(limit, ".2g", language) for limit in limits)
        shades = "{title}, {lowest} (light) to {highest}"
        ends = {"lowest": lowest, "highest": highest}
        text = title if few else in_language(shades, language, title=title, **ends)
        figure.text(
            MARGIN / width,
            1 - 0.5 * MARGIN / height,
            printable(text),
            va="top",
            **text_style(TITLE_SIZE),
        )
    return figure
