"""Common style of all figures: fonts, colours, titles, axes and legends.

Matplotlib lays a figure out (`layout="constrained"`) and takes from the fonts in `FONTS`, in their
order, what the first lacks.
"""

import math
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, get_font_names
from matplotlib.textpath import text_to_path
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, StrMethodFormatter

_FALLBACKS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Noto Sans SC",
    "Noto Sans KR",
    "Source Han Sans",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "IPAGothic",
    "IPAPGothic",
    "Hiragino Sans",
    "PingFang SC",
    "Apple SD Gothic Neo",
    "Kohinoor Devanagari",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Nirmala UI",
    "Segoe UI Symbol",
    "Noto Sans Devanagari",
    "Lohit Devanagari",
    "Noto Sans Thai",
    "Noto Sans Bengali",
    "Droid Sans Fallback",
    "Unifont",
    "Arial Unicode MS",
    "Noto Emoji",
)
_INSTALLED = set(get_font_names())
FONTS = ["DejaVu Sans", *(name for name in _FALLBACKS if name in _INSTALLED)]

INK, QUIET_INK, GRID_COLOR = "#22303c", "#6b7885", "#e6eaef"
TITLE_SIZE, PANEL_TITLE_SIZE, CAPTION_SIZE = 11.0, 9.0, 7.5  # points
LINE_HEIGHT = 1.3  # as a multiple of the font size
DOTS_PER_INCH = 150
# Okabe and Ito: safe for colour-blind eyes.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
FRAME_COLOR = COLORS[1]
_MIN_TEXT_WIDTH = 4.0  # inches of title and caption
_LETTER_WIDTH = 0.55  # in running text, as a share of the font size
_LEGEND_KEY = 0.5  # inches of a line's sample in a legend, with the space around it


def new_figure(
    width: float, height: float, title: str = "", caption: str = "", *, gap: float = 0.2
) -> Figure:
    """Figure with room for panels, a title above and a caption below them.

    The panels take `width` x `height` inches in all, and stand `gap` inches apart.
    """
    text_width = max(width, _MIN_TEXT_WIDTH)
    title = wrap(title, TITLE_SIZE, text_width)
    caption = wrap(caption, CAPTION_SIZE, text_width)
    for text, size in ((title, TITLE_SIZE), (caption, CAPTION_SIZE)):
        if text:
            height += text_height(text, size) + gap
    figure = Figure((width, height), DOTS_PER_INCH, facecolor="white", layout="constrained")
    pads = {"w_pad": gap / 2, "h_pad": gap / 2, "wspace": 0, "hspace": 0}
    figure.get_layout_engine().set(**pads)
    left = {"x": 0.05 / width, "ha": "left"}
    if title:
        figure.suptitle(title, **left, **text_style(TITLE_SIZE))
    if caption:
        figure.supxlabel(caption, **left, **QUIET)
    return figure


def text_style(size: float, color: str = INK) -> dict[str, Any]:
    """Keyword arguments of any text: fonts, size, colour; a `$` stays a `$`."""
    return {"fontfamily": FONTS, "fontsize": size, "color": color, "parse_math": False}


PANEL_TITLE = text_style(PANEL_TITLE_SIZE)
SMALL = text_style(CAPTION_SIZE)
QUIET = text_style(CAPTION_SIZE, QUIET_INK)


def printable(label: str) -> str:
    """Replace the word-start mark `▁`, which fonts draw as a bar, with `_`."""
    return label.replace("▁", "_")


def luminance(colors: np.ndarray) -> np.ndarray:
    """Relative luminance (...) of sRGB colours (..., 3), both from 0 to 1."""
    colors = np.asarray(colors)
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def wrap(text: str, size: float, width: float) -> str:
    """Printable `text` in lines of about `width` inches at `size` points."""
    letters = max(1, int(72 * width / (_LETTER_WIDTH * size)))
    lines = (textwrap.wrap(line, letters) for line in printable(text).split("\n"))
    return "\n".join(line for paragraph in lines for line in paragraph)


def widest(labels: Iterable[str], size: float) -> float:
    """Width of the widest line of the labels in inches, at `size` points."""
    font = FontProperties(family=FONTS, size=size)
    lines = {line for label in labels for line in printable(label).split("\n")}
    with warnings.catch_warnings(action="ignore"):  # Matplotlib warns again when it draws
        sizes = [text_to_path.get_text_width_height_descent(line, font, False) for line in lines]
    return max((width for width, _, _ in sizes), default=0.0) / 72


def text_height(text: str, size: float) -> float:
    """Height of the lines of `text` in inches, at `size` points."""
    return len(text.split("\n")) * size * LINE_HEIGHT / 72 if text else 0.0


def style_axes(axes: Axes, *, vertical_lines: bool = False) -> None:
    """Draw only the bottom axis, and light grid lines behind the data."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET_INK)
    axes.grid(axis="both" if vertical_lines else "y", color=GRID_COLOR, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(length=0, labelsize=CAPTION_SIZE, labelcolor=INK)


def name_axes(axes: Axes, x_name: str = "", y_name: str = "") -> None:
    """Write the names of both axes in small, grey type."""
    axes.set_xlabel(printable(x_name), **QUIET)
    axes.set_ylabel(printable(y_name), **QUIET)


def title_panel(axes: Axes, title: str, pad: float = 6) -> None:
    """Write a title `pad` points above a panel, at its left."""
    axes.set_title(printable(title), loc="left", pad=pad, **PANEL_TITLE)


def number_log_axis(axis: Axis) -> None:
    """Number a log axis 1, 2, 5, 10 …; beyond four decades 1, 10, 100 …."""
    low, high = axis.get_view_interval()
    digits = (1, 2, 5) if high <= 1e4 * low else (1,)
    axis.set_major_locator(LogLocator(subs=digits, numticks=9))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def add_legend(axes: Axes, artists: Sequence[Artist], **options: Any) -> None:
    """Draw a legend of the labels of `artists`, in their order.

    A `$` in a label stays a `$`. The options go to `Axes.legend`.
    """
    labels = [printable(artist.get_label()) for artist in artists]
    font = FontProperties(family=FONTS, size=CAPTION_SIZE)
    with matplotlib.rc_context({"text.parse_math": False}):
        axes.legend(artists, labels, frameon=False, prop=font, labelcolor=INK, **options)


def add_legend_above(axes: Axes, artists: Sequence[Artist]) -> None:
    """Draw a legend between axes and title, in rows that fit the figure."""
    column = widest([artist.get_label() for artist in artists], CAPTION_SIZE) + _LEGEND_KEY
    columns = columns_for(len(artists), column, 0.85 * axes.figure.get_figwidth())
    add_legend(axes, artists, ncols=columns, loc="lower left", bbox_to_anchor=(0, 1))


def columns_for(count: int, width: float, available: float) -> int:
    """Number of columns of `width` inches that fit, for rows of like length."""
    most = max(1, int(available / width))
    return math.ceil(count / max(1, math.ceil(count / most)))


LONGEST_LABEL = 20  # letters of a word beside a map; a longer one is shortened


def shortened(labels: Sequence[str]) -> list[str]:
    """Shorten long labels to beginning and end, so that none stretches a map."""
    half = LONGEST_LABEL // 2
    return [
        label if len(label) <= LONGEST_LABEL else f"{label[:half]}…{label[1 - half :]}"
        for label in labels
    ]
