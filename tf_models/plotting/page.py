"""A page of panels: constrained layout finds their places, and the page grows until they fit."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting.fonts import lettered
from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    QUIET_INK,
    TITLE_SIZE,
    text_height,
    text_style,
    widest,
    wrap,
)

DOTS_PER_INCH = 150
MAX_WIDTH = 1600 / DOTS_PER_INCH  # inches: more can hardly be read when it is printed
MARGIN = 0.2
MIN_TEXT_WIDTH = 3.0
MIN_BAR_HEIGHT, _MAX_BAR_HEIGHT, _BAR_WIDTH, _BAR_GAP, _BAR_ROOM = 1.0, 2.0, 0.1, 0.08, 0.75
GAP = 0.28
_TEXT_GAP = 0.08  # inches more between the panels and the texts around them
_START = 3.0  # inches for the labels of a panel, before they are measured
_MAX_PASSES, _TOLERANCE = 5, 0.005  # inches: less than a pixel


def new_page(*, gap: float = GAP) -> Figure:
    """A figure for panels that stand `gap` inches apart; `fit_page` gives it its size."""
    figure = Figure(dpi=DOTS_PER_INCH, facecolor="white", layout="constrained")
    figure.get_layout_engine().set(w_pad=gap / 2, h_pad=gap / 2, wspace=0, hspace=0)
    return figure


def panel_grid(count: int, columns: int, *, gap: float = GAP, **ratios: Any) -> np.ndarray:
    """The axes of `count` panels, (rows, columns), `gap` inches apart; places that are left over
    stay empty.

    Ratios are `width_ratios` and `height_ratios` of `Figure.subplots`.
    """
    panels = new_page(gap=gap).subplots(
        math.ceil(count / columns), columns, squeeze=False, **ratios
    )
    for axes in panels.flat[count:]:
        axes.set_axis_off()
    return panels


def fit_page(
    panel: Axes, width: float, height: float, *, title: str = "", caption: str = ""
) -> Figure:
    """Make the page as large as it must be for `panel` to be `width` x `height` inches.

    Other panels grow with it. Call it when everything has been drawn: labels of any length have
    room then, between panels as well. The title stands above all, the caption below,
    with a new line for each of its own.
    """
    figure = panel.figure
    rows, columns = _shares(panel)
    figure.set_size_inches((width + _START) * columns, (height + _START) * rows)
    with lettered(figure):
        for _ in range(_MAX_PASSES):
            figure.get_layout_engine().execute(figure)
            page = figure.get_size_inches()
            missing = (width, height) - panel.get_position(original=True).size * page
            if np.abs(missing).max() < _TOLERANCE:
                break
            # What is drawn beside a panel may depend on its size, so one pass is not enough.
            figure.set_size_inches(*(page + missing * (columns, rows)))
    _write_around(figure, title, caption)
    return figure


def _shares(panel: Axes) -> tuple[float, float]:
    """How many times as high and as wide as this panel all panels are together."""
    place = panel.get_subplotspec()
    grid = place.get_gridspec()
    heights, widths = np.array(grid.get_height_ratios()), np.array(grid.get_width_ratios())
    rows, columns = heights[list(place.rowspan)].sum(), widths[list(place.colspan)].sum()
    return heights.sum() / rows, widths.sum() / columns


def _write_around(figure: Figure, title: str, caption: str) -> None:
    """Add room for title and caption to a page that fits its panels, and write them."""
    page_width, page_height = figure.get_size_inches()
    text_width = max(page_width - MARGIN, MIN_TEXT_WIDTH)
    title = wrap(title, TITLE_SIZE, text_width)
    # Small letters are drawn up to 3 % wider than they are measured.
    paragraphs = caption.split("\n")
    caption = "\n".join(wrap(one, CAPTION_SIZE, 0.97 * text_width) for one in paragraphs)
    above = text_height(title, TITLE_SIZE) + (_TEXT_GAP if title else 0.0)
    below = text_height(caption, CAPTION_SIZE) + (_TEXT_GAP if caption else 0.0)
    lines = widest(title.split("\n"), TITLE_SIZE), widest(caption.split("\n"), CAPTION_SIZE)
    width = max(page_width + MARGIN, 2 * MARGIN + max(lines))
    height = page_height + MARGIN + above + below
    figure.set_size_inches(width, height)
    corner = MARGIN / 2 / width, (MARGIN / 2 + below) / height
    rect = (*corner, page_width / width, page_height / height)
    figure.get_layout_engine().set(rect=rect)
    options = {"ha": "left", "linespacing": 1.2}
    top, bottom = 1 - MARGIN / height, MARGIN / height
    figure.text(MARGIN / width, top, title, va="top", **options, **text_style(TITLE_SIZE))
    style = text_style(CAPTION_SIZE, QUIET_INK)
    figure.text(MARGIN / width, bottom, caption, va="bottom", **options, **style)
    with lettered(figure):
        figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")  # all files of the figure have the same layout


def add_color_bar(panels: Sequence[Axes], label: str, width: float, height: float) -> None:
    """One slim bar at the right of a column of panels, `width` x `height` inches in all."""
    bar_height = min(height, _MAX_BAR_HEIGHT)
    bar = panels[0].figure.colorbar(
        panels[0].images[0],
        ax=list(panels),
        ticks=MaxNLocator(4),
        pad=_BAR_GAP / width,
        shrink=bar_height / height,
        aspect=bar_height / _BAR_WIDTH,
        anchor=(0.0, 1.0),
        panchor=False,
    )
    bar.outline.set_visible(False)
    bar.set_label(label, **text_style(CAPTION_SIZE, QUIET_INK))
    bar.ax.tick_params(length=0, pad=3, labelsize=CAPTION_SIZE, labelcolor=QUIET_INK)


def best_columns(count: int, panel_width: float, panel_height: float) -> int:
    """Number of columns that gives the page nearest to 3:2 with few places left empty.

    No more columns than fit beside each other on `MAX_WIDTH` (see `columns_side_by_side`).
    """

    def cost(columns: int) -> float:
        rows = math.ceil(count / columns)
        shape = abs(math.log(columns * panel_width / (rows * panel_height) / 1.5))
        return shape + 3 * (rows * columns - count) / count

    return min(range(1, columns_side_by_side(count, panel_width) + 1), key=cost)


def columns_side_by_side(count: int, panel_width: float) -> int:
    """Number of panels, with a colour bar, that stand beside each other on `MAX_WIDTH`."""
    room = MAX_WIDTH - 2 * MARGIN - _BAR_ROOM
    return max(1, min(count, int((room + GAP) / (panel_width + GAP))))
