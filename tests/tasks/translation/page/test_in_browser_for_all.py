"""The page for every eye, hand and screen: names, contrasts, colours, letters, paper."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from tests.support.attention_page import settled

pytestmark = pytest.mark.browser

SERIOUS = ("serious", "critical")
RULES = {
    "light": "rules: { 'label-content-name-mismatch': { enabled: true } }",
    "dark": "runOnly: ['color-contrast']",  # only colours differ
}


@pytest.mark.parametrize("scheme", RULES)
def test_axe_finds_nothing_serious(open_page, ready_page, scheme):
    axe = pytest.importorskip("axe_playwright_python")
    page = open_page(ready_page.html, color_scheme=scheme, bypass_csp=True)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    for view in page.evaluate("attentionPage.views.map(({ name }) => name)"):
        state = {"view": view, "off": ["cross 3 5"], "words": False}
        page.evaluate(
            "(state) => attentionPage.set({ ...state, second: attentionPage.sentences[1].source })",
            state,
        )
        rules = f"{{ resultTypes: ['violations'], {RULES[scheme]} }}"
        found = page.evaluate(f"axe.run(document, {rules})")["violations"]
        assert [
            (one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS
        ] == []
        headings = page.eval_on_selector_all(
            "main :is(h1, h2, h3), header h1", "all => all.map(({ tagName }) => +tagName[1])"
        )
        assert all(b - a <= 1 for a, b in itertools.pairwise(headings)), view


# Machado, Oliveira and Fernandes 2009, severity 1: linear RGB as such eyes have it.
EYES = {
    "normal": np.eye(3),
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colors):
    channels = np.array([[int(one[i : i + 2], 16) / 255 for i in (1, 3, 5)] for one in colors])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(light):
    xyz = light @ TO_XYZ.T / [0.95047, 1, 1.08883]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


@pytest.fixture(scope="module")
def head_colors(live):
    return live.evaluate("[...Array(8).keys()].map((head) => module_colors.headColor(head))")


@pytest.mark.parametrize("eyes", EYES)
def test_eight_heads_have_eight_colours(head_colors, eyes):
    """Delta E (CIE 1976) of at least ten."""
    seen = lab(np.clip(linear(head_colors) @ np.transpose(EYES[eyes]), 0, 1))
    distances = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    assert distances[~np.eye(8, dtype=bool)].min() >= 10


def test_colours_of_heads_stand_out_in_both_themes(head_colors):
    light = linear(head_colors) @ TO_XYZ[1] + 0.05
    for paper in linear(["#ffffff", "#161e26"]) @ TO_XYZ[1] + 0.05:
        assert (np.maximum(light, paper) / np.minimum(light, paper)).min() >= 2.9


def test_the_first_stop_leads_past_everything(page):
    page.locator("body").focus()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    assert page.locator("#skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    settled(page)
    assert page.evaluate("document.activeElement.id") == "view"


def test_lines_grow_with_the_reader_s_letters(page):
    width = page.locator(".lines").bounding_box()["width"]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    grown = page.locator(".lines").bounding_box()["width"]
    page.evaluate("document.documentElement.style.fontSize = ''")
    assert grown >= 1.5 * width


def test_letters_stay_readable_on_a_phone(page):
    page.set_viewport_size({"width": 320, "height": 700})
    page.evaluate("attentionPage.set({ head: 1 })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    heights = page.eval_on_selector_all(
        ".lines text, .tile button, .map td",
        "all => all.map((e) => e.getBoundingClientRect().height)",
    )
    assert min(heights) >= 12
    places = page.locator("[data-token]").all()
    tops = [place.bounding_box()["y"] for place in places]
    assert min(np.diff(tops)) >= 23  # pixels for a finger


@pytest.mark.parametrize("view", ["heads", "beam"])
def test_paper_has_room(page, view):
    """On A4 nothing of a table is cut."""
    page.evaluate("(view) => attentionPage.set({ view, off: ['cross 3 5'], words: true })", view)
    page.set_viewport_size({"width": 718, "height": 1000})  # within the margins
    page.emulate_media(media="print")
    widths = page.eval_on_selector_all(
        "#view table", "all => all.map((e) => e.getBoundingClientRect().right)"
    )
    controls = page.locator("#view .controls, #tour, #intro, .player")
    visible = [one.is_visible() for one in controls.all()]
    page.emulate_media(media="screen")
    assert max(widths) <= 718
    assert not any(visible)


def test_lines_leave_the_page_with_what_they_are_about(page):
    page.evaluate("attentionPage.set({ heads: [0, 2], off: ['cross 0 2'] })")
    with page.expect_download() as download:
        page.get_by_role("button", name="lines as SVG", exact=True).click()
    svg = download.value.path().read_text(encoding="utf-8")
    assert page.evaluate("attentionPage.analysis.text") in svg
    assert re.search(r">head 1<.*>head 3 \(off\)<", svg, re.DOTALL)
    assert 'fill="#ffffff"' in svg
    assert "currentColor" not in svg


def test_one_cell_leaves_words_as_they_were(page):
    page.evaluate("attentionPage.set({ words: true, row: 8, column: 5 })")
    labels = """() => {
        const { display, state } = attentionPage;
        return [display.rows[state.row].label, display.columns[state.column].label];
    }"""
    words = page.evaluate(labels)
    page.locator("#tab-cell").click()
    settled(page)
    assert [label.strip("_") for label in page.evaluate(labels)] == words
    page.locator("#tab-heads").click()
    settled(page)
    assert page.evaluate("attentionPage.state.words") is True
    assert page.evaluate(labels) == words


def test_one_cell_opens_where_the_head_looks(page):
    page.evaluate("attentionPage.set({ view: 'cell', layer: 3, head: 5 })")
    value = page.locator("#view [data-name='weight']").get_attribute("data-value")
    maps = page.evaluate("""[...attentionPage.analysis.maps.cross.values.subarray(
        attentionPage.analysis.maps.cross.place(3, 5, 0),
        attentionPage.analysis.maps.cross.place(3, 6, 0))]""")
    assert float(value) > 0.9
    assert float(value) in [pytest.approx(weight) for weight in maps]


def test_two_sentences_open_where_most_changes(page):
    page.evaluate("attentionPage.set({ view: 'pair', second: attentionPage.sentences[1].source })")
    pressed = page.locator("#ranking .ranked[aria-pressed=true]")
    assert pressed.get_attribute("id") == (
        page.locator("#ranking .ranked").first.get_attribute("id")
    )
    page.locator("#ranking .ranked").nth(4).click()
    settled(page)
    assert page.locator("#ranking .ranked").nth(4).get_attribute("aria-pressed") == "true"


def test_buttons_say_where_sentences_differ(page):
    page.evaluate("attentionPage.set({ view: 'pair', second: '' })")
    button = page.locator("button.quiet").first
    assert button.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")
