"""Nothing on the page says more than it knows: what is steered, off, old or tiny looks it."""

import re

import pytest

from tests.support.attention_page import WIDE, number, settled

pytestmark = pytest.mark.browser


def test_what_is_forced_is_marked_and_let_go(page):
    own = page.locator("#translation output").inner_text()
    page.locator("#target").fill("Die Katze.")
    page.locator("#translate").click()
    settled(page)
    names = page.locator("#translation .name").all_inner_texts()
    assert names == ["the model's own", "forced by hand"]
    assert page.locator("#translation output").all_inner_texts() == [own, "Die Katze."]
    page.locator("#let-go").click()
    settled(page)
    assert page.locator("#translation output").all_inner_texts() == [own]
    assert page.locator("#target").input_value() == ""


def test_a_clicked_piece_is_marked_in_every_view(page):
    page.evaluate("attentionPage.set({ view: 'steps' })")
    page.locator("#candidates button").nth(1).click()
    settled(page)
    page.locator("#tab-heads").click()
    settled(page)
    names = page.locator("#translation .name").all_inner_texts()
    assert names == ["the model's own", "begun by hand"]
    assert page.locator("#translation ins").count() >= 1
    page.evaluate("attentionPage.set({ off: ['cross 0 0'] })")
    names = page.locator("#translation .name").all_inner_texts()
    assert names == ["the model's own", "begun by hand, unchanged model", "changed model"]


def test_a_forced_translation_does_not_outlive_its_sentence(page):
    page.locator("#target").fill("Die alte Katze schläft.")
    page.locator("#translate").click()
    settled(page)
    page.locator("#sentence").fill("I have a dog.")
    page.locator("#translate").click()
    settled(page)
    assert page.evaluate("attentionPage.state.target") is None
    assert page.locator("#target").input_value() == ""
    page.locator("#sentence").fill("I have a cat.")
    page.locator("#target").fill("Ich habe eine Katze.")  # typed for this very sentence
    page.locator("#translate").click()
    settled(page)
    assert page.evaluate("attentionPage.state.target") == "Ich habe eine Katze."


def test_what_stands_under_a_new_text_says_that_it_is_of_the_old_one(page):
    assert not page.locator("#old").is_visible()
    for text in ("I have a dog.", "", "dog " * 200):
        page.locator("#sentence").fill(text)
        if text != "I have a dog.":
            page.locator("#translate").click()  # refused
        assert page.locator("#old").is_visible()
        assert "old" in page.locator("#translation").get_attribute("class")
    page.locator("#sentence").fill("I have a dog.")
    page.locator("#translate").click()
    settled(page)
    assert not page.locator("#old").is_visible()
    assert "old" not in page.locator("#translation").get_attribute("class")


def test_a_head_that_is_off_looks_off(page):
    def look():
        lines = "all => all.map((one) => one.getAttribute('stroke-dasharray'))"
        return (
            page.eval_on_selector_all(".lines line[data-head='1']", lines),
            "off" in page.locator("#view table.map").get_attribute("class").split(),
            "off" in page.locator("#view figcaption").inner_text(),
        )

    page.evaluate("attentionPage.set({ head: 1, heads: [0, 1] })")
    dashes, *off = look()
    assert not any(dashes)
    assert off == [False, False]
    page.get_by_label("switch head 2 off").click()
    settled(page)
    dashes, *off = look()
    assert dashes
    assert all(dashes)
    assert off == [True, True]
    assert not page.locator(".lines line[data-head='0'][stroke-dasharray]").count()
    page.evaluate("attentionPage.set({ view: 'layers' })")
    assert page.locator(".small-map.off").count() == 1


def test_means_leave_out_what_is_off(page):
    page.evaluate("""attentionPage.set({
        view: 'steps', off: ['cross 3 0', 'cross 3 1', 'cross 3 2', 'cross 3 3', 'cross 3 4',
        'cross 3 5', 'cross 3 6'] })""")
    assert "mean of the heads that are on, 1 of 8" in page.locator("#view figcaption").inner_text()
    shown = page.locator(".attended small").all_inner_texts()
    row = page.evaluate("[...attentionPage.analysis.maps.cross.row(3, 7, 0)]")
    assert [number(text) for text in shown] == pytest.approx([100 * w for w in row], abs=1.0)


def test_the_legend_is_the_scale(page):
    colors = page.locator(".ramp").evaluate("(e) => getComputedStyle(e).backgroundImage")
    stops = re.findall(r"rgb\([^)]*\)", colors)
    drawn = page.evaluate("""() => {
        const weights = [0, 0.25, 0.5, 0.75, 1];
        return weights.map((weight) => module_colors.mapColor(weight));
    }""")
    assert stops == drawn


def test_every_sum_of_the_beam_adds_up_as_printed(page):
    page.evaluate("(source) => attentionPage.set({ source, view: 'beam' })", WIDE)
    sums = page.evaluate("""() => [...document.querySelectorAll('#view .node')].map((node) => {
        node.dispatchEvent(new MouseEvent('mouseenter'));
        return document.querySelector('#sum').textContent;
    })""")
    assert len(sums) > 50
    for text in sums:
        terms, total = re.search(r": ([−\d. +]+) = (−?[\d.]+); length", text).groups()
        added = sum(number(term) for term in terms.split(" + "))
        assert round(added, 2) == number(total), text


def test_nothing_is_called_all_or_nothing_that_is_not(page):
    percent = "(values) => values.map((value) => module_dom.percent(value))"
    assert page.evaluate(percent, [0, 0.0001, 0.01, 0.994, 0.999, 1]) == [
        *("0 %", "<1 %", "1 %", "99 %", ">99 %", "100 %")
    ]


def test_a_bar_is_as_long_as_its_number(page):
    """Nats have one scale: next to nothing is not drawn as the longest bar."""
    page.evaluate("attentionPage.set({ view: 'attributions', step: 8 })")
    cells = page.eval_on_selector_all(
        "#attributions td[data-value]",
        """all => all.map((td) => {
            return [+td.dataset.value, parseFloat(td.querySelector('.bar').style.width)];
        })""",
    )
    attention, *nats = (cells[i::3] for i in range(3))
    for value, width in attention:
        assert width == pytest.approx(100 * value, abs=0.1)
    both = [cell for method in nats for cell in method]
    most = max(1, *(abs(value) for value, _ in both))
    for value, width in both:
        assert width == pytest.approx(100 * abs(value) / most, abs=0.1)
