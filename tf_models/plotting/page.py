"""A page with a grid of equally large panels, measured in inches, so that nothing is cut off."""

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tf_models.plotting.lettering import (
    CAPTION_SIZE,
    PANEL_TITLE_SIZE,
    QUIET_INK,
    TITLE_SIZE,
    printable,
    text_height,
    text_style,
    widest,
    wrap,
)

DOTS_PER_INCH = 150
WIDEST_PAGE = 1600 / DOTS_PER_INCH  # inches: more can hardly be read when it is printed
MARGIN = 0.2
_PANEL_TITLE_ROOM = 0.22
_ROW_NAME_ROOM = 0.25
_BAR_WIDTH, _BAR_GAP, _BAR_ROOM = 0.1, 0.2, 0.75
_NARROWEST_TEXT = 3.0
_GAP = 0.28


@dataclass(frozen=True)
class Layout:
    """Where everything stands on a page of `rows` x `columns` panels, in inches from its top left.

    `left`, `top` and `bottom` are the room for the labels beside a panel. With `shared_labels` only
    the first panel of a row, the top panel and the lowest panel of a column have that room.
    `panel_titles` are then the titles of the columns, else of the panels.
    `color_bars` is the number of rows, from the first, that have a colour bar at their right.
    """

    rows: int
    columns: int
    panel_width: float
    panel_height: float
    left: float
    top: float
    bottom: float = 0.0
    title: str = ""
    caption: str = ""
    panel_titles: tuple[str, ...] = ()
    row_names: tuple[str, ...] = ()
    shared_labels: bool = False
    color_bars: int = 1
    gap: float = _GAP

    def panel_left(self, column: int) -> float:
        side = _ROW_NAME_ROOM if self.row_names else 0.0
        pitch = self._titled_width + self.gap + (0.0 if self.shared_labels else self.left)
        return MARGIN + side + self.left + column * pitch

    def panel_top(self, row: int) -> float:
        above = self.top + (_PANEL_TITLE_ROOM if any(self.panel_titles) else 0.0)
        title_room = text_height(self.wrapped_title, TITLE_SIZE) + 0.1 if self.title else 0.0
        labels = 0.0 if self.shared_labels else above + self.bottom
        pitch = self.panel_height + self.gap + labels
        return MARGIN + title_room + above + row * pitch

    def title_of(self, index: int) -> str:
        """The title above one panel, counted from zero along the rows."""
        return self.panel_titles[index] if index < len(self.panel_titles) else ""

    @property
    def panels_right(self) -> float:
        return self.panel_left(self.columns - 1) + self._titled_width

    @property
    def panels_bottom(self) -> float:
        panel_bottom = self.panel_top(self.rows - 1) + self.panel_height + self.bottom
        if not self.color_bars:
            return panel_bottom
        return max(panel_bottom, self.panel_top(self.color_bars - 1) + self.bar_height)

    @property
    def bar_height(self) -> float:
        return min(2.0, max(1.0, self.panel_height))

    @property
    def caption_top(self) -> float:
        return self.panels_bottom + (0.14 if self.caption else 0.0)

    @property
    def width(self) -> float:
        panels = self.panels_right + (_BAR_ROOM if self.color_bars else 0.0)
        title = widest(self.wrapped_title.split("\n"), TITLE_SIZE)
        caption = widest(self.wrapped_caption.split("\n"), CAPTION_SIZE)
        return MARGIN + max(panels, MARGIN + title, MARGIN + caption)

    @property
    def height(self) -> float:
        return self.caption_top + text_height(self.wrapped_caption, CAPTION_SIZE) + MARGIN

    @property
    def wrapped_title(self) -> str:
        return wrap(self.title, TITLE_SIZE, self._text_room)

    @property
    def wrapped_caption(self) -> str:
        # Small letters are drawn up to 3 % wider than they are measured.
        return wrap(self.caption, CAPTION_SIZE, 0.97 * self._text_room)

    @property
    def _text_room(self) -> float:
        return max(self.panels_right - MARGIN, _NARROWEST_TEXT)

    @property
    def _titled_width(self) -> float:
        return max(self.panel_width, widest(self.panel_titles, PANEL_TITLE_SIZE))


class Page:
    """A figure with the texts of its layout; panels and the colour bar are put on it one by one."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.figure = Figure((layout.width, layout.height), DOTS_PER_INCH, facecolor="white")
        self._write(MARGIN, MARGIN, layout.wrapped_title, **text_style(TITLE_SIZE))
        caption_style = text_style(CAPTION_SIZE, QUIET_INK)
        self._write(MARGIN, layout.caption_top, layout.wrapped_caption, **caption_style)
        for row, name in enumerate(layout.row_names):
            middle = layout.panel_top(row) + layout.panel_height / 2
            style = {"rotation": 90, "va": "center", **text_style(PANEL_TITLE_SIZE)}
            self._write(MARGIN, middle, name, **style)

    def panel(
        self,
        index: int,
        *,
        down: float = 0.0,
        width: float | None = None,
        height: float | None = None,
    ) -> Axes:
        """New axes for one panel, counted from zero along the rows.

        They fill the panel, or of it the part that begins `down` inches below its top left corner
        and is `width` x `height` inches large.
        """
        row, column = divmod(index, self.layout.columns)
        left, top = self.layout.panel_left(column), self.layout.panel_top(row) + down
        width = self.layout.panel_width if width is None else width
        return self._axes(left, top, width, self.layout.panel_height if height is None else height)

    def add_color_bar(self, image: ScalarMappable, label: str, row: int = 0) -> None:
        """One slim bar at the right of a row of panels, for it and the rows below without a bar."""
        left = self.layout.panels_right + _BAR_GAP
        axes = self._axes(left, self.layout.panel_top(row), _BAR_WIDTH, self.layout.bar_height)
        bar = self.figure.colorbar(image, cax=axes, ticks=MaxNLocator(4))
        bar.outline.set_visible(False)
        bar.set_label(label, **text_style(CAPTION_SIZE, QUIET_INK))
        axes.tick_params(length=0, pad=3, labelsize=CAPTION_SIZE, labelcolor=QUIET_INK)

    def _axes(self, left: float, top: float, width: float, height: float) -> Axes:
        page_width, page_height = self.layout.width, self.layout.height
        bottom = page_height - top - height
        return self.figure.add_axes(
            (left / page_width, bottom / page_height, width / page_width, height / page_height)
        )

    def _write(self, left: float, top: float, text: str, **style) -> None:
        lines = "\n".join(printable(line) for line in text.split("\n"))
        options = {"ha": "left", "va": "top", "linespacing": 1.2, **style}
        self.figure.text(left / self.layout.width, 1 - top / self.layout.height, lines, **options)


def best_columns(count: int, panel_width: float, panel_height: float) -> int:
    """Number of columns that gives the page nearest to 3:2 with few places left empty."""

    def ugliness(columns: int) -> float:
        rows = math.ceil(count / columns)
        shape = abs(math.log(columns * panel_width / (rows * panel_height) / 1.5))
        return shape + 1.5 * (rows * columns - count) / count

    return min(range(1, count + 1), key=ugliness)


def columns_side_by_side(count: int, panel_width: float) -> int:
    """Number of panels, with a colour bar, that stand beside each other on `WIDEST_PAGE`."""
    room = WIDEST_PAGE - 2 * MARGIN - _BAR_ROOM
    return max(1, min(count, int((room + _GAP) / (panel_width + _GAP))))
