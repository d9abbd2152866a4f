"""Labels on figures: their fonts, how large they are, and how odd characters are shown."""

import functools
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from tf_models.plotting.fonts import DEFAULT_FAMILY, INVISIBLE, families_for, quiet_about_boxes

INK = "#22303c"
QUIET_INK = "#6b7885"
TITLE_SIZE = 11.0
PANEL_TITLE_SIZE = 9.0
CAPTION_SIZE = 7.5
WORD_START = "▁"  # U+2581, with which a BPE model marks the piece that opens a word
_TO_THE_RIGHT, _TO_THE_LEFT = "\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}"
LINE_HEIGHT = 1.4  # of the font size
_SPACES = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")
LEGEND_KEY = 0.5  # inches that a sample of a line and the space around it take in a legend


def text_style(size: float, color: str = INK) -> dict:
    """Keyword arguments for any text on a figure: font, colour, and no mathematics between `$`."""
    font = FontProperties(family=[DEFAULT_FAMILY], size=size)
    return {"fontproperties": font, "color": color, "parse_math": False}


def add_legend(axes: Axes, artists: Sequence[Artist], **options: Any) -> None:
    """A legend of the labels of `artists`, each as it stands: no mathematics between `$`.

    Args:
        axes: where it is drawn.
        artists: in this order; what was drawn with `label=`.
        options: more of `Axes.legend`.
    """
    labels = [printable(artist.get_label()) for artist in artists]
    style = {"prop": text_style(CAPTION_SIZE)["fontproperties"], "labelcolor": INK}
    with matplotlib.rc_context({"text.parse_math": False}):
        axes.legend(artists, labels, frameon=False, **style, **options)


def add_legend_above(axes: Axes, artists: Sequence[Artist]) -> None:
    """A legend between the axes and the title, where it covers nothing that is drawn.

    Args:
        axes: of a figure whose layout makes room for it; nearly as wide as the figure.
        artists: as in `add_legend`; in rows of as many as the figure's width holds.
    """
    column = widest([artist.get_label() for artist in artists], CAPTION_SIZE) + LEGEND_KEY
    most = max(1, int(0.85 * axes.figure.get_figwidth() / column))  # 0.85: the axes' share of it
    rows = math.ceil(len(artists) / most)
    columns = math.ceil(len(artists) / max(1, rows))  # rows of like length
    add_legend(axes, artists, ncols=max(1, columns), loc="lower left", bbox_to_anchor=(0, 1))


def printable(label: str) -> str:
    """`label` as it is drawn.

    The word-start sign of a piece becomes a plain `_`: it tells `_An` from `th` as well, and the
    heavy bar that fonts have for it would drown the letters (for whole words see `merge_pieces`).
    Control characters, line breaks and lone surrogates become U+FFFD. All else stays, also what
    joins letters or keeps them apart, as in Persian words.
    """
    shown = label.replace(WORD_START, "_")
    return "".join(char if _is_drawn(char) else "\N{REPLACEMENT CHARACTER}" for char in shown)


def _is_drawn(char: str) -> bool:
    is_space = unicodedata.category(char) == "Zs"  # of any width
    return char.isprintable() or is_space or char in INVISIBLE


def within(label: str) -> str:
    """`label` as a part of a longer text: what follows Hebrew or Arabic runs to the right again."""
    return label + _TO_THE_RIGHT if _runs_left(reversed(label)) else label


def _runs_left(text: Iterable[str]) -> bool:
    """Whether the first letter's script runs from right to left."""
    directions = map(unicodedata.bidirectional, text)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Width of `text` in inches at `size` points."""
    shown = printable(text)
    font = FontProperties(family=families_for(shown)[0], size=size)
    with quiet_about_boxes():
        width, _, _ = text_to_path.get_text_width_height_descent(shown, font, False)
    return width / 72


def widest(labels: Sequence[str], size: float) -> float:
    """Width of the widest label in inches at `size` points."""
    return max((text_width(label, size) for label in labels), default=0.0)


def text_height(text: str, size: float) -> float:
    """Height in inches of the lines of `text` at `size` points, the space between them included."""
    return len(text.split("\n")) * size * LINE_HEIGHT / 72 if text else 0.0


def wrap(text: str, size: float, width: float) -> str:
    """`text` as it is drawn, with line breaks so that no line is wider than `width` inches.

    Only a single word that is wider stays so. No line breaks at a no-break space.
    """
    lines = [""]
    for word in filter(None, _SPACES.split(text)):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    # A line has the direction of the text, whatever it begins with.
    left = _runs_left(text)
    mark = _TO_THE_LEFT if left else _TO_THE_RIGHT
    shown = map(printable, lines)
    return "\n".join(line if _runs_left(line) == left else mark + line for line in shown)
