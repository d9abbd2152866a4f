"""What a reader sees and does: views, keyboard, changes by hand."""

import re

import numpy as np
import pytest

from tests.support.attention_page import self_check, settled
from tf_models.plotting.words import leave_out_marks
from tf_models.tasks.translation.attention import attention_maps

pytestmark = pytest.mark.browser

FOCUSED = """(() => {
    const { id, role, tagName } = document.activeElement;
    return role || id || tagName;
})()"""


def test_drawn_numbers_are_the_arrays(page, ready):
    sentence = page.evaluate("attentionPage.state.source")
    source = ready.source.encode(sentence)
    target = page.evaluate("[...attentionPage.analysis.targetIds]")
    for kind, weights in ready.weights(source, target[:-1]).items():
        page.evaluate("(kind) => attentionPage.set({ kind, layer: 1, head: 2 })", kind)
        drawn = page.eval_on_selector_all(
            "#view td[data-weight]", "cells => cells.map((c) => +c.dataset.weight)"
        )
        np.testing.assert_allclose(np.reshape(drawn, weights[1, 2].shape), weights[1, 2], atol=1e-4)
        assert self_check(page) == "true"


def test_what_is_masked_is_hatched_and_says_so(page):
    page.evaluate("attentionPage.set({ kind: 'decoder' })")
    masked = page.locator("#view td.masked")
    tokens = page.evaluate("attentionPage.display.rows.length")
    assert masked.count() == tokens * (tokens - 1) / 2
    style = masked.first.evaluate("(td) => getComputedStyle(td).backgroundImage")
    assert "repeating-linear-gradient" in style
    assert masked.first.get_attribute("aria-label").endswith("masked")


def test_words_are_merged_as_in_the_figures(page, ready):
    source = "He admired her as a great director."
    page.evaluate("(source) => attentionPage.set({ source, words: true })", source)
    target = page.evaluate("attentionPage.analysis.text")
    page.evaluate("([source, target]) => attentionPage.set({ source, target })", [source, target])
    for kind in ("encoder", "decoder", "cross"):
        maps = attention_maps(ready, source, target, kind=kind, words=True)
        page.evaluate(
            "(kind) => attentionPage.set({ kind, words: true, marks: true, layer: 1, head: 3 })",
            kind,
        )
        labels = page.eval_on_selector_all(
            "#view tbody th", "cells => cells.map((c) => c.textContent)"
        )
        drawn = page.eval_on_selector_all(
            "#view td[data-weight]", "cells => cells.map((c) => +c.dataset.weight)"
        )
        assert labels == [row.replace("▁", "_") for row in maps.rows]
        np.testing.assert_allclose(
            np.reshape(drawn, maps.weights[1, 3].shape), maps.weights[1, 3], atol=1e-4
        )


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize(("marks", "values"), [(False, False), (True, True), (False, True)])
def test_marks_left_out_and_norms_as_in_the_figures(page, ready, kind, marks, values):
    source = "He admired her as a great director."
    page.evaluate("(source) => attentionPage.set({ source, words: true })", source)
    target = page.evaluate("attentionPage.analysis.text")
    maps = attention_maps(ready, source, target, kind=kind, words=True, value_norms=values)
    left_out = None
    if not marks:
        *maps, left_out = leave_out_marks(*maps, share_anew=not values)
    weights, rows, columns = maps
    state = {"kind": kind, "target": target, "marks": marks, "values": values}
    page.evaluate("(state) => attentionPage.set({ ...state, layer: 1, head: 3 })", state)

    labels = "cells => cells.map((c) => c.textContent)"
    assert page.eval_on_selector_all("#view tbody th", labels) == rows
    assert page.eval_on_selector_all("#view thead th.label", labels) == columns
    drawn = page.eval_on_selector_all(
        "#view td[data-weight]", "cells => cells.map((c) => +c.dataset.weight)"
    )
    expected = weights[1, 3]
    np.testing.assert_allclose(np.reshape(drawn, expected.shape), expected, atol=1e-3, rtol=1e-3)
    note = page.locator("#note").inner_text()
    assert ("Kobayashi et al. 2020" in note) == values
    assert ("percent" in page.locator("#view figcaption").inner_text()) != values
    if left_out is not None:
        assert f"they had {round(100 * left_out[1, 3])} % of" in note
    assert self_check(page) == "true"


def test_a_row_that_had_nothing_left_is_empty(page):
    page.evaluate("attentionPage.set({ source: 'The old dog sleeps.', layer: 1, head: 1 })")
    page.evaluate("""attentionPage.set({
        kind: 'encoder',
        edits: [{ kind: 'encoder', layer: 1, head: 1, row: 2, column: 0, weight: 0.995 }],
    })""")
    page.locator("#marks").click()
    settled(page)
    row = page.locator("#view .map tbody tr").nth(1)  # without <start> it is the second one
    drawn = row.locator("td[data-weight]").evaluate_all(
        "all => all.map((td) => +td.dataset.weight)"
    )
    assert drawn == [0] * len(drawn)
    other = page.locator("#view .map tbody tr").nth(0).locator("td[data-weight]")
    assert sum(other.evaluate_all("all => all.map((td) => +td.dataset.weight)")) == pytest.approx(1)
    assert "less than 1 % left is empty" in page.locator("#note").inner_text()
    page.evaluate("attentionPage.edit(1, 1, 0.5)")
    assert "Only weights can be set" in page.locator("#why-fixed").inner_text()
    assert len(page.evaluate("attentionPage.state.edits")) == 1


def test_every_view_is_drawn(page):
    for tab in page.locator("[role=tab]").all():
        tab.click()
        settled(page)
        assert page.locator("#view").inner_text()
        assert page.locator(f"#{tab.get_attribute('id')}").get_attribute("aria-selected") == "true"
    assert page.heard == []


def test_a_head_is_switched_off_and_on_by_hand(page):
    before = page.locator("#translation output").inner_text()
    page.get_by_label("switch head 2 off").click()
    settled(page)
    assert page.get_by_label("switch head 2 off").get_attribute("aria-pressed") == "true"
    assert page.locator("#translation output").count() == 2
    assert page.locator("#translation output").first.inner_text() == before
    page.get_by_label("only head 1: switch the others of this layer off", exact=True).click()
    settled(page)
    assert page.locator("#changes li").count() == 7
    page.locator("#reset").click()
    settled(page)
    assert page.locator("#translation output").inner_text() == before


def test_a_cell_is_dragged(page):
    cell = page.locator("#view td[data-weight]").nth(1)
    cell.evaluate("(td) => td.scrollIntoView({ block: 'center' })")  # not under the line below
    before = float(cell.get_attribute("data-weight"))
    box = cell.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.up()
    settled(page)

    after = float(page.locator("#view td[data-weight]").nth(1).get_attribute("data-weight"))
    assert after == pytest.approx(min(before + 0.6, 1), abs=0.02)
    assert page.locator("#changes li").count() == 1
    assert self_check(page) == "true"


ROW = "[...attentionPage.analysis.maps[attentionPage.state.kind].row(1, 0, {row})]"


def test_a_cell_that_has_all_is_made_smaller(page):
    """What is left of the others, however little, is rescaled: the row still sums to one."""
    page.evaluate("attentionPage.set({ layer: 3, head: 2 })")
    row = "[...attentionPage.analysis.maps.cross.row(3, 2, 0)]"
    before = page.evaluate(row)
    assert before[2] > 0.97
    page.evaluate("attentionPage.edit(0, 2, 0.25)")
    after = page.evaluate(row)
    assert after[2] == pytest.approx(0.25)
    assert sum(after) == pytest.approx(1, abs=1e-5)
    assert np.argmax(np.delete(after, 2)) == np.argmax(np.delete(before, 2))


def test_a_row_of_one_cell_stays_and_says_so(page):
    page.evaluate("attentionPage.set({ kind: 'decoder', layer: 1 })")
    page.locator("#view td[tabindex='0']").focus()
    page.keyboard.press("-")
    settled(page)
    assert page.locator("#why-fixed").inner_text() == "A row of one cell is always 100 %."
    assert page.evaluate("attentionPage.state.edits") == []
    assert self_check(page) == "true"


def test_an_edit_rescales_the_row_that_is_shown(page):
    """With a head of an earlier layer off, the row is another one; its others keep their shares."""
    page.evaluate("attentionPage.set({ layer: 1, off: ['encoder 0 0', 'decoder 0 1'] })")
    before = np.array(page.evaluate(ROW.format(row=3)))
    page.evaluate("attentionPage.edit(3, 1, 0.5)")
    after = np.array(page.evaluate(ROW.format(row=3)))
    expected = before * 0.5 / (1 - before[1])
    expected[1] = 0.5
    np.testing.assert_allclose(after, expected, atol=1e-5)


def test_a_control_keeps_the_focus(page):
    for name in ("off-1", "only-2", "lines-3", "head-1", "all-lines", "words", "marks", "values"):
        page.locator(f"#{name}").focus()
        page.keyboard.press("Space")
        settled(page)
        assert page.evaluate("document.activeElement.id") == name
    page.evaluate("attentionPage.set({ off: ['cross 0 0'] })")
    page.locator("#changes button").focus()
    page.keyboard.press("Enter")
    settled(page)
    assert page.evaluate("document.activeElement.id") == "view"  # the button is gone
    page.locator("#tab-layers").click()
    settled(page)
    page.locator(".small-map").nth(2).focus()
    page.keyboard.press("Enter")
    settled(page)
    assert page.evaluate("document.activeElement.role") == "gridcell"


def test_the_slider_of_a_cell_keeps_the_focus(page):
    page.evaluate("attentionPage.set({ row: 1, column: 2 })")
    before = float(page.locator("#weight").input_value())
    page.locator("#weight").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    page.keyboard.press("ArrowRight")
    settled(page)
    assert page.evaluate("document.activeElement.id") == "weight"
    (edit,) = page.evaluate("attentionPage.state.edits")
    assert edit["weight"] == pytest.approx(before + 0.02, abs=0.011)


def test_what_is_typed_stays_until_it_is_sent(page):
    page.locator("#sentence").fill("The old")
    page.evaluate("attentionPage.set({ head: 2 })")
    assert page.locator("#sentence").input_value() == "The old"
    page.locator("#sentence").fill("The old dog sees the cat.")
    page.locator("#translate").click()
    settled(page)
    assert page.locator("#given").input_value() == ""  # it is none of those given
    page.locator("#given").select_option("0")
    settled(page)
    assert page.evaluate("attentionPage.state.source === attentionPage.sentences[0].source")
    assert page.locator("#given").input_value() == "0"


def test_one_cell_of_a_column_of_words(page):
    state = "{ words: true, marks: false, row: null, column: 1 }"
    page.evaluate(f"attentionPage.set({state})")
    start = page.evaluate("attentionPage.display.columns[1].start")
    assert start > 1  # the start token is a piece, too
    page.locator("#tab-cell").click()
    settled(page)
    assert page.evaluate("attentionPage.state.column") == start


def seen_lines(page):
    return page.evaluate("""() => [...document.querySelectorAll('.lines line')]
        .filter((line) => line.getBoundingClientRect().width > 0 &&
            getComputedStyle(line).visibility === 'visible')
        .map((line) => [Number(line.parentNode.dataset.row), Number(line.dataset.column)])""")


def test_one_token_s_lines_are_seen_on_either_side(page):
    page.evaluate("attentionPage.set({ threshold: 0.01, heads: [0, 1, 2, 3] })")
    every = seen_lines(page)
    page.locator("[data-token='2']").hover()
    assert seen_lines(page) == [pair for pair in every if pair[0] == 2]
    page.locator("[data-attended='3']").hover()
    assert seen_lines(page) == [pair for pair in every if pair[1] == 3] != []
    page.locator("[data-attended='3']").click()
    settled(page)
    page.locator("[data-token='2']").hover()
    page.mouse.move(0, 0)
    assert seen_lines(page) == [pair for pair in every if pair[1] == 3]
    page.locator("[data-attended='3']").click()
    settled(page)
    page.mouse.move(0, 0)
    assert seen_lines(page) == every
    page.locator("#view td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    page.keyboard.press("Shift+Enter")
    assert seen_lines(page) == [pair for pair in every if pair[1] == 1]
    page.keyboard.press("Escape")
    settled(page)
    assert seen_lines(page) == [pair for pair in every if pair[0] == 0]  # where the focus is


def test_squares_beside_the_words_are_the_weights(page):
    """Of the token that is pointed at, one a head: on the other side, and nowhere else."""
    page.evaluate("attentionPage.set({ heads: [0, 2], layer: 3 })")
    opacities = "all => all.map((one) => +one.getAttribute('fill-opacity'))"
    assert not any(page.eval_on_selector_all(".lines .square", opacities))
    page.locator("[data-token='2']").hover()
    found = np.array(page.eval_on_selector_all(".lines .square", opacities))
    rows, columns = page.evaluate(
        "[attentionPage.display.rows.length, attentionPage.display.columns.length]"
    )
    found = found.reshape(2, rows + columns)
    assert not found[:, :rows].any()
    for place, head in enumerate((0, 2)):
        weights = page.evaluate(
            "(head) => [...attentionPage.display.weights(3, head)]", head
        )  # (rows * columns)
        row = np.reshape(weights, (rows, columns))[2]
        np.testing.assert_allclose(found[place, rows:], np.sqrt(row), atol=1e-3)
    page.locator("[data-attended='3']").hover()
    found = np.array(page.eval_on_selector_all(".lines .square", opacities))
    assert found.reshape(2, rows + columns)[:, :rows].any()
    assert not found.reshape(2, rows + columns)[:, rows:].any()


def test_beam_search_says_that_it_does_not_follow_what_is_given(page):
    page.evaluate("attentionPage.set({ view: 'beam' })")
    assert page.locator("#free").count() == 0
    for given in ("target: 'ein Hund'", "target: null, prefix: 'ein'"):
        page.evaluate(f"attentionPage.set({{ view: 'beam', {given} }})")
        assert "does not follow" in page.locator("#free").inner_text()


def test_the_keyboard_reaches_everything(page):
    """Tab goes through controls; within the grid arrows move, Enter locks, + changes."""
    page.locator("body").press("Tab")
    reached = set()
    for _ in range(80):
        reached.add(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    for name in (
        "sentence",
        "translate",
        "given",
        "target",
        "tab",
        "kind",
        "layer",
        "gridcell",
        "theme",
        "words",
        "threshold",
    ):
        assert name in reached, (name, reached)

    page.locator("#view td[tabindex='0']").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    where = "[document.activeElement.cellIndex, document.activeElement.parentElement.rowIndex]"
    columns = page.evaluate("attentionPage.display.columns.length")
    assert page.evaluate(where) == [columns, 2]
    page.keyboard.press("Home")
    assert page.evaluate(where) == [1, 2]
    page.keyboard.press("Control+End")
    assert page.evaluate(where) == [columns, page.evaluate("attentionPage.display.rows.length")]
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    settled(page)
    assert page.evaluate("[attentionPage.state.row, attentionPage.state.column]") == [0, 0]
    assert page.evaluate(where) == [1, 1]
    weight = float(page.evaluate("document.activeElement.dataset.weight"))
    page.keyboard.press("+")
    settled(page)
    assert float(page.evaluate("document.activeElement.dataset.weight")) == pytest.approx(
        min(weight + 0.1, 1), abs=1e-3
    )
    page.keyboard.press("Escape")
    settled(page)
    assert page.evaluate("attentionPage.state.row") is None


def test_the_live_sentence_says_what_a_cell_is(page):
    page.locator("#view td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    said = page.locator("#live").inner_text()
    weight = float(page.evaluate("document.activeElement.dataset.weight"))
    label = page.evaluate("attentionPage.display.columns[1].label")
    assert re.fullmatch(
        rf"writing .+, layer 1 head 1: (<1|>99|{round(100 * weight)}) % {re.escape(label)}", said
    )


def test_steps_play_with_space_and_a_prefix_is_kept(page):
    page.locator("#tab-steps").click()
    settled(page)
    page.locator("#player").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    assert page.evaluate("attentionPage.state.step") == 1
    page.keyboard.press("Space")
    page.locator("#player", has_text="step 3 of").wait_for()
    page.keyboard.press("Space")
    settled(page)
    page.locator("#prefix").fill("Der Hund")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator("#translation output").last.inner_text().startswith("Der Hund")
    shares = page.eval_on_selector_all(
        "#candidates [data-probability]", "cells => cells.map((c) => +c.dataset.probability)"
    )
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1 + 1e-6


def test_the_very_piece_that_was_clicked_is_written(page):
    """Also where its text would be cut otherwise, and if it ends the sentence."""
    page.evaluate("attentionPage.set({ view: 'steps', step: 1 })")
    script = "(step) => attentionPage.analysis.steps[step].candidates.map(({ id }) => id)"
    for place in range(10):
        page.evaluate("attentionPage.set({ prefix: '', chosen: [], step: 1 })")
        first = page.evaluate("attentionPage.analysis.targetIds[1]")
        wanted = page.evaluate(script, 1)[place]
        page.locator("#candidates button").nth(place).click()
        settled(page)
        assert page.evaluate("attentionPage.analysis.targetIds.slice(1, 3)") == [first, wanted]
    page.evaluate("""attentionPage.set({ prefix: '', chosen: [
        attentionPage.analysis.targetIds[1], attentionPage.tokenizers.target.endId] })""")
    assert page.evaluate("attentionPage.analysis.targetIds.length") == 3
    assert self_check(page) == "true"


def test_the_beam_does_its_sums(page):
    page.locator("#tab-beam").click()
    settled(page)
    page.locator("#view .node").nth(7).focus()
    said = page.locator("#sum").inner_text()
    terms, total = re.search(r": (.+?) = (−?[\d.]+); length", said).groups()
    numbers = [float(term.replace("−", "-")) for term in terms.split(" + ")]
    assert sum(numbers) == pytest.approx(float(total.replace("−", "-")), abs=0.001)
    assert re.search(r"(kept|ended|dropped) at rank \d+$", said)


def test_six_steps_are_the_weight(page):
    page.evaluate("attentionPage.set({ view: 'cell', row: 1, column: 2, layer: 1, head: 1 })")
    values = dict(
        page.eval_on_selector_all(
            "#view [data-name]", "all => all.map((e) => [e.dataset.name, +e.dataset.value])"
        )
    )
    model = page.evaluate("attentionPage.data.model")
    depth = model["d_model"] // model["num_heads"]
    assert values["q · k"] / depth**0.5 == pytest.approx(values["score"], abs=1e-4)
    assert values["weight"] == pytest.approx(
        page.evaluate("attentionPage.analysis.maps.cross.at(1, 1, 1, 2)"), abs=1e-6
    )
    assert page.locator(".steps > li").count() == 6


def test_six_steps_of_a_masked_cell(page, ready):
    state = {"kind": "decoder", "layer": 1, "head": 2, "row": 1, "column": 3}
    page.evaluate("(state) => attentionPage.set({ view: 'cell', ...state })", state)
    values = dict(
        page.eval_on_selector_all(
            "#view [data-name]", "all => all.map((e) => [e.dataset.name, +e.dataset.value])"
        )
    )
    assert page.locator(".steps > li").count() == 6
    assert values["masked score"] == pytest.approx(values["score"] - 1e9)
    assert values["weight"] == 0
    decoder = ready.model.network.decoder
    ids = page.evaluate("attentionPage.analysis.targetIds")
    source = page.evaluate("attentionPage.analysis.sourceIds")
    encoded, _ = ready.model.network.encoder(np.array([source]))
    x = decoder.embed(np.array([ids[:-1]]), decoder.pos_encoding[:, : len(ids) - 1])
    mask = 1 - np.tri(len(ids) - 1)
    x, _ = decoder.dec_layers[0](x, encoded, look_ahead_mask=mask, padding_mask=None)[:2]
    block = decoder.dec_layers[1].mha1
    q, k = (
        part(x).numpy()[0, :, 2 * block.depth : 3 * block.depth] for part in (block.wq, block.wk)
    )
    assert values["q · k"] == pytest.approx(q[1] @ k[3], abs=2e-3)
