"""Each view opens and shows what it should; what a reader changes, shares and takes back."""

import re

import pytest

from tests.support.attention_page import WIDE, corrupted, number, self_check

pytestmark = pytest.mark.browser

VIEWS = ("heads", "which", "model", "layers", "cell", "steps", "beam", "sampling", "pair")


def outputs(page):
    return page.locator("#translation output").all_inner_texts()


@pytest.mark.parametrize("off", [[], ["cross 3 2"]])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_drawn(page, view, off):
    page.evaluate("(state) => attentionPage.set(state)", {"off": off, "second": WIDE})
    page.locator(f"#tab-{view}").click()

    assert page.locator(f"#tab-{view}").get_attribute("aria-selected") == "true"
    assert page.locator("#view table, #view canvas").count() > 0
    assert page.locator("#changes li").count() == len(off)
    assert self_check(page) == "true"
    assert page.heard == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 900})


# --- the tour


def test_it_opens_on_what_the_article_shows(open_page, ready_page):
    page = open_page(ready_page.html)
    weight, written, read = page.evaluate("""(() => {
        const { display, state: { layer, head, row, column } } = attentionPage;
        return [display.at(layer, head, row, column),
            display.rows[row].label, display.columns[column].label];
    })()""")
    assert page.evaluate("attentionPage.state.tour") == 1
    assert (written, read) == ("it", "animal")
    assert weight > 0.995
    assert ">99 % of its attention" in page.locator("#seen").inner_text()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("#view .map").bounding_box()["y"] < 844  # on a phone's first screen


def test_the_tour(page):
    seen = page.locator("#seen")
    page.locator("#tour-2").click()
    assert page.evaluate("attentionPage.state.source") == WIDE
    assert "gives “street”" in seen.inner_text()
    page.locator("#tour-3").click()
    assert page.locator("#changes li").count() == 2
    assert "Each covers for the other" in seen.inner_text()
    unchanged, changed = outputs(page)
    assert unchanged.replace(" es ", " er ") == changed != unchanged
    page.locator("#tour-4").click()
    assert outputs(page) == ["Ich wohne in Zoqy."]
    assert "“_Z” (" in seen.inner_text()
    page.locator("#tour-5").click()
    first, second = page.locator("#hypotheses tbody th").all_inner_texts()[:2]
    assert f"“{first}”. Second in the beam is “{second}”" in seen.inner_text()


# --- heads, cells and what they change


# --- other views


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


# --- sentences


def test_a_sentence_that_cannot_be_read_is_refused_and_the_old_one_stays(page):
    before = page.locator("#translation").inner_text()
    for text, error in [("   ", "empty"), ("猫", "no pieces"), ("dog " * 200, "positions end")]:
        page.locator("#sentence").fill(text)
        page.locator("#translate").click()
        assert error in page.locator("#error").inner_text()
        assert page.locator("#translation").inner_text() == before
        assert page.locator("#sentence").input_value() == text  # what was typed is not lost
        assert page.locator("#old").is_visible()
    page.locator("#given").select_option("1")
    assert page.evaluate("attentionPage.state.source") == WIDE
    assert not page.locator("#old").is_visible()


def test_unknown_words_are_named_and_markup_is_text(page):
    text = "</script><script>alert(1)</script> the petrified dog’s."
    page.locator("#sentence").fill(text)
    remarks = page.locator("#remarks").inner_text()
    assert remarks.startswith("not in the training sentences: ")
    assert "petrified" in remarks
    assert "dog" not in remarks
    page.locator("#translate").click()
    assert page.evaluate("attentionPage.state.source") == text
    assert page.locator("#view script").count() == 0
    assert page.heard == []


# --- undo and the address


def test_undo_takes_back_whatever_it_was(page):
    """A head, a cell, a view, a candidate, a sentence: one step each, to the very same state."""
    state = "JSON.stringify(attentionPage.state)"
    done = []
    page.evaluate("attentionPage.past.hashes = []")
    for action in (
        "attentionPage.switchOff([1], true)",
        "attentionPage.set({ row: 3, column: 1 })",
        "attentionPage.edit(0.5)",
        "attentionPage.set({ view: 'steps', step: 2 })",
        "document.querySelectorAll('#candidates button')[1].click()",
        "attentionPage.set({ source: 'I have a dog.' })",
    ):
        done.append(page.evaluate(state))
        page.evaluate(action)
        assert page.evaluate(state) != done[-1], action
    page.locator("#tab-heads").focus()
    for before in reversed(done):
        page.keyboard.press("Control+z")
        assert page.evaluate(state) == before
    assert page.locator("#undo").is_disabled()


def test_the_state_is_in_the_address(page, open_page, ready_page):
    edit = {"kind": "cross", "layer": 0, "head": 1, "row": 1, "column": 2, "weight": 0.5}
    state = {"layer": 1, "head": 2, "off": ["cross 1 0"], "edits": [edit], "words": True}
    page.evaluate("(state) => attentionPage.set(state)", state)
    other = open_page(ready_page.html, page.evaluate("location.hash"))
    assert other.evaluate("attentionPage.state") == page.evaluate("attentionPage.state")
    assert outputs(other) == outputs(page)


@pytest.mark.parametrize(
    "fragment",
    [
        "#view=%22nothing%22&layer=99&off=5&kind=&edits=[1]&row=%22%22",
        "#off=[[%22cross 0 0%22]]&pairHead={}",
        "#__proto__=1&view=%22beam%22&alpha=1e300",
    ],
)
def test_a_damaged_address_is_no_harm(open_page, small_page, fragment):
    page = open_page(small_page.html, fragment)
    assert page.locator("#view td").count() > 0
    assert page.locator("#changes").count() == 0
    assert self_check(page) == "true"
    assert page.heard == []


# --- the self-check


@pytest.mark.parametrize("name", ["labels", "number", "weights"])
def test_the_self_check_turns_red(open_page, small_page, name):
    def change(data):
        view = data["sentences"][0]
        if name == "labels":
            tokens = view["sourceTokens"]
            tokens[1], tokens[2] = tokens[2], tokens[1]
        elif name == "number":
            view["steps"][0]["logProb"] -= 1
        else:
            text = data["weights"]["data"]
            data["weights"]["data"] = f"{text[:500]}{'B' if text[500] == 'A' else 'A'}{text[501:]}"

    assert self_check(open_page(corrupted(small_page.html, change))) == "false"


def test_the_self_check_sees_a_picture_that_is_wrong(page):
    page.evaluate("document.querySelector('#view tbody th').textContent = 'another'")
    page.locator("#self-check summary").click()
    page.locator("#check-again").click()
    assert self_check(page) == "false"
    assert "✗ drawn labels are the tokens" in page.locator("#self-check").inner_text()
