"""Fonts for any script: matplotlib's own, and from those on the machine what it lacks.

Matplotlib itself writes Hebrew and Arabic from right to left, and joins Arabic letters.
"""

import contextlib
import functools
import re
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Iterator

import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, findSystemFonts, fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

DEFAULT_FAMILY = "DejaVu Sans"  # comes with matplotlib: Latin, Greek, Cyrillic, Hebrew, Arabic …
_NOT_FOR_TEXT = re.compile("last ?resort|color|blank", re.IGNORECASE)  # boxes, pictures, nothing
# What joins letters or keeps them apart, says where a text runs to, or chooses a letter's form.
INVISIBLE = "\u200c\u200d\u200e\u200f\ufe0e\ufe0f"
# Japanese, Koreans and Chinese share many characters, and each draw them in their own way.
_EAST_ASIAN = {
    "[\u3040-\u30ff]": ("Noto Sans CJK JP", "Source Han Sans", "Hiragino Sans", "Yu Gothic"),
    "[\u1100-\u11ff\uac00-\ud7af]": ("Noto Sans CJK KR", "Apple SD Gothic Neo", "Malgun Gothic"),
    "": ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei"),
}
_SCRIPTS = {"CJK": "Han", "IDEOGRAPHIC": "Han", "FULLWIDTH": "Han"}  # by a name's first word
_NOTO = dict.fromkeys(("Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"), "Noto Sans CJK")
_NOTO["symbols"] = "Noto Emoji"


@contextlib.contextmanager
def lettered(figure: Figure) -> Iterator[None]:
    """Lay out or draw a figure in this block: its texts have fonts that have their characters.

    A line on stderr, once, names the scripts that no font has: boxes are drawn then.
    """
    texts = figure.findobj(Text)
    families, boxes = families_for("".join(text.get_text() for text in texts))
    if len(families) > 1:
        for text in texts:
            text.set_fontfamily(families)
    if boxes:
        _report(tuple(sorted(set(map(_script, boxes)))))
    with quiet_about_boxes():
        yield


@contextlib.contextmanager
def quiet_about_boxes() -> Iterator[None]:
    """Matplotlib has a warning for each character that becomes a box; `lettered` has one line."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def families_for(text: str) -> tuple[list[str], str]:
    """The font families that have the characters of `text`, and the characters that none has.

    The first is matplotlib's own; others are looked for only if it lacks a character.
    """
    families = [DEFAULT_FAMILY]
    lacking = np.array(sorted(map(ord, set(text) - {"\n", *INVISIBLE})), int)
    lacking = lacking[~_has(_known_fonts(DEFAULT_FAMILY)[DEFAULT_FAMILY], lacking)]
    preferred = next(names for pattern, names in _EAST_ASIAN.items() if re.search(pattern, text))
    for find in (_known_fonts, _new_fonts):
        fonts = find() if lacking.size else {}
        most = {family: -_has(points, lacking).sum() for family, points in fonts.items()}
        for family in sorted(
            fonts, key=lambda f: (most[f], f not in preferred, "Sans" not in f, f)
        ):
            has = _has(fonts[family], lacking)
            if has.any():
                families.append(family)
                lacking = lacking[~has]
    return families, "".join(map(chr, lacking))


def _has(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which of the code points `wanted` are among `points`, which are sorted."""
    return points.searchsorted(wanted, "right") > points.searchsorted(wanted)


@functools.cache
def _known_fonts(family: str = "") -> dict[str, np.ndarray]:
    """All that matplotlib found when it first looked through the machine, or only one family."""
    return _code_points(one for one in fontManager.ttflist if one.name == (family or one.name))


@functools.cache
def _new_fonts() -> dict[str, np.ndarray]:
    """What has been installed since then."""
    known = len(fontManager.ttflist)
    for path in set(findSystemFonts()) - {one.fname for one in fontManager.ttflist}:
        with contextlib.suppress(Exception):  # as matplotlib does: a font may be damaged in any way
            fontManager.addfont(path)
    return _code_points(fontManager.ttflist[known:])


def _code_points(entries: Iterable[FontEntry]) -> dict[str, np.ndarray]:
    """The code points of each family that is meant for text, sorted."""
    upright_last = sorted(entries, key=_slant_and_weight, reverse=True)
    families = {one.name: one for one in upright_last if not _NOT_FOR_TEXT.search(one.name)}
    points = {}
    for name, one in families.items():
        with contextlib.suppress(Exception):  # removed since matplotlib looked, or damaged
            charmap = FT2Font(one.fname, face_index=one.index).get_charmap()
            points[name] = np.sort(np.fromiter(charmap, int))
    return points


def _slant_and_weight(one: FontEntry) -> float:
    """How far a font is from upright and regular."""
    return fontManager.score_style("normal", one.style) + fontManager.score_weight(400, one.weight)


def _script(char: str) -> str:
    if unicodedata.category(char)[0] == "S":
        return "symbols"
    word = unicodedata.name(char, "unknown").split()[0]
    return _SCRIPTS.get(word, word.capitalize())


@functools.cache
def _report(scripts: tuple[str, ...]) -> None:
    fonts = dict.fromkeys(_NOTO.get(script, f"Noto Sans {script}") for script in scripts)
    print(
        f"no font on this machine has {', '.join(scripts)}: figures show boxes; "
        f"install {', '.join(fonts)}",
        file=sys.stderr,
    )
