"""Texts of any script: fonts that have the letters, and the direction in which they run."""

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from tf_models.plotting import fonts
from tf_models.plotting.attention import plot_attention_weights
from tf_models.plotting.files import save_figure
from tf_models.plotting.fonts import DEFAULT_FAMILY, families_for
from tf_models.plotting.lettering import printable, text_style, text_width, within, wrap
from tf_models.plotting.points import plot_latent_space
from tf_models.plotting.query import plot_query_histogram

THAI = "กขค"


@pytest.fixture
def machine(monkeypatch):
    """A machine with no font but matplotlib's own; set `machine.fonts` to install some."""

    class Machine:
        fonts = ()

    cached = (fonts._known_fonts, fonts._new_fonts, fonts._report, text_width)
    own = [one for one in fontManager.ttflist if one.name == DEFAULT_FAMILY]
    monkeypatch.setattr(fontManager, "ttflist", own)
    monkeypatch.setattr(fonts, "findSystemFonts", lambda: list(map(str, Machine.fonts)))
    for one in cached:
        one.cache_clear()
    yield Machine
    for one in cached:
        one.cache_clear()
    fontManager._findfont_cached.cache_clear()


def make_font(path, family, characters):
    """A font whose letters are squares of the height of a line."""
    pen = TTGlyphPen(None)
    for point in ((0, 0), (0, 800), (800, 800), (800, 0)):
        (pen.lineTo if point != (0, 0) else pen.moveTo)(point)
    pen.closePath()
    square, names = pen.glyph(), [f"u{ord(char):04X}" for char in characters]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names])
    builder.setupCharacterMap({ord(c): name for c, name in zip(characters, names, strict=True)})
    builder.setupGlyf(dict.fromkeys((".notdef", *names), square))
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *names), (900, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(usWeightClass=400)
    builder.setupPost()
    builder.save(path)
    return path


def pixels(text):
    figure = Figure((2, 0.5), dpi=100)
    canvas = FigureCanvasAgg(figure)
    figure.text(0.1, 0.3, text, **text_style(12))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def test_no_other_font_is_looked_for_where_matplotlibs_own_has_all_letters(monkeypatch):
    own = fonts._known_fonts(DEFAULT_FAMILY)

    def known(family=""):
        return own if family else pytest.fail("looks through the machine")

    monkeypatch.setattr(fonts, "_known_fonts", known)

    assert families_for("Große Übung, кот, ילד, می‌خواهم\n→ ▁") == ([DEFAULT_FAMILY], "")


def test_a_font_lends_what_is_lacking_and_nothing_is_said(machine, tmp_path, capsys):
    boxes = plot_attention_weights([np.eye(2)], ["a", THAI], ["a", THAI], title=THAI)
    without = save_figure(boxes, tmp_path / "boxes.png").read_bytes()
    assert "Thai" in capsys.readouterr().err

    fonts._new_fonts.cache_clear()
    text_width.cache_clear()
    machine.fonts = [make_font(tmp_path / "thai.ttf", "Own Thai", THAI)]
    machine.fonts.append(make_font(tmp_path / "one.ttf", "A Single Letter", THAI[0]))
    machine.fonts.append(tmp_path / "boxes.png")  # is no font
    figure = plot_attention_weights([np.eye(2)], ["a", THAI], ["a", THAI], title=THAI)

    assert families_for(THAI) == ([DEFAULT_FAMILY, "Own Thai"], "")
    assert save_figure(figure, tmp_path / "letters.png").read_bytes() != without
    assert capsys.readouterr().err == ""
    assert text_width(THAI, 10) == pytest.approx(3 * 0.9 * 10 / 72, rel=0.02)


@pytest.mark.filterwarnings("error")
def test_a_class_name_is_drawn_as_a_point_only_if_a_font_has_its_letters(machine, tmp_path):
    def draw():
        return plot_latent_space(np.eye(2), np.array([0, 1]), class_name=THAI.__getitem__).axes[0]

    assert draw().get_legend() is not None  # a shape for each class

    fonts._new_fonts.cache_clear()
    text_width.cache_clear()
    machine.fonts = [make_font(tmp_path / "thai.ttf", "Own Thai", THAI)]
    axes = draw()
    assert axes.get_legend() is None
    letter = axes.collections[0].get_paths()[0].get_extents()
    assert letter.width == pytest.approx(letter.height)  # the font's square


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("面包，", "has Han: figures show boxes; install Noto Sans CJK"),
        ("本のカ", "has Han, Hiragana, Katakana: figures show boxes; install Noto Sans CJK"),
        ("한국어", "has Hangul: figures show boxes; install Noto Sans CJK"),
        ("नमस्ते", "has Devanagari: figures show boxes; install Noto Sans Devanagari"),
        ("🦆", "has symbols: figures show boxes; install Noto Emoji"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_boxes_are_said_in_one_line_once(machine, capsys, tmp_path, text, said):
    for _ in range(2):
        save_figure(plot_query_histogram([0.5, 0.5], ["a", text], text), tmp_path / "it.png")

    assert capsys.readouterr().err == f"no font on this machine {said}\n"


@pytest.mark.parametrize(
    ("text", "region"), [("直面包", "SC"), ("直本の", "JP"), ("직한국直", "KR"), ("カ直", "JP")]
)
def test_shared_characters_are_drawn_as_the_language_has_them(monkeypatch, text, region):
    points = np.array(sorted(map(ord, "直面包本のカ직한국")))
    own = fonts._known_fonts(DEFAULT_FAMILY)
    names = [
        f"Noto {kind} CJK {of}" for kind in ("Sans", "Serif") for of in ("HK", "JP", "KR", "SC")
    ]
    known = dict.fromkeys(names, points)
    monkeypatch.setattr(fonts, "_known_fonts", lambda family="": own if family else known)

    assert families_for(text) == ([DEFAULT_FAMILY, f"Noto Sans CJK {region}"], "")


def test_hebrew_and_arabic_run_from_right_to_left_and_arabic_letters_are_joined():
    assert np.array_equal(pixels("אבג"), pixels("\N{LEFT-TO-RIGHT OVERRIDE}גבא"))
    assert not np.array_equal(pixels("אבג"), pixels("גבא"))
    apart = "\N{ZERO WIDTH NON-JOINER}".join("ببب")
    assert text_width("ببب", 10) < 0.8 * text_width(apart, 10)


def test_what_keeps_letters_apart_is_kept_and_other_control_characters_are_shown():
    assert printable("می‌خواهم") == "می‌خواهم"
    assert printable("a\u202eb\x07") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"


def test_all_lines_of_a_text_run_in_its_direction():
    english = wrap("what ילד attends to", 10, text_width("what", 10)).split("\n")
    hebrew = wrap("ילד abc קורא", 10, text_width("ילד", 10)).split("\n")

    assert english == ["what", "\N{LEFT-TO-RIGHT MARK}ילד", "attends", "to"]
    assert hebrew == ["ילד", "\N{RIGHT-TO-LEFT MARK}abc", "קורא"]


def test_numbers_between_hebrew_words_keep_their_order():
    assert within("boy") == "boy"
    figure = plot_query_histogram([0.5, 0.5], ["ילד", "ספר"], "ילד")
    caption = figure.texts[-1].get_text().replace("\n", " ")

    assert "0.50·ילד\N{LEFT-TO-RIGHT MARK} + 0.50·ספר\N{LEFT-TO-RIGHT MARK}" in caption
