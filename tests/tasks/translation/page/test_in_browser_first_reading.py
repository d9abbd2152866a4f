"""What somebody meets who opens the page for the first time."""

import csv

import pytest

from tests.support.attention_page import TIRED, WIDE, settled
from tf_models.tasks.translation.ready_made import RUN_DIR

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def live(open_page, ready_page):
    return open_page(ready_page.html)


def test_it_opens_on_what_the_article_shows(open_page, ready_page):
    page = open_page(ready_page.html)
    assert page.evaluate("attentionPage.state.tour") == 1
    state = page.evaluate("attentionPage.state")
    weight = page.evaluate(
        """({ layer, head, row, column }) =>
            attentionPage.display.weights(layer, head)[
                row * attentionPage.display.columns.length + column]""",
        state,
    )
    assert weight > 0.9
    assert page.evaluate("attentionPage.display.rows[attentionPage.state.row].label") == "es"
    assert page.evaluate("attentionPage.display.columns[attentionPage.state.column].label") == (
        "animal"
    )
    text = page.locator("#intro").inner_text()
    for word in ("English", "German", "Transformer", "heads"):
        assert word in text
    assert page.locator("#intro a").count() == 2
    assert page.heard == []


def test_what_is_said_of_a_prepared_state_is_so(page):
    """Head, share and probability in each sentence are those of the model."""
    seen = page.locator("#seen")
    for number, (source, written, read) in enumerate(
        [(TIRED, "es", "animal"), (WIDE, "sie", "street")], 1
    ):
        page.locator(f"#tour-{number}").click()
        settled(page)
        assert page.evaluate("attentionPage.state.source") == source
        best = page.evaluate(
            """([written, read]) => {
                const { display } = attentionPage;
                const at = (groups, text) => groups.findIndex(({ label }) => label === text);
                const [row, column] = [at(display.rows, written), at(display.columns, read)];
                const { maps } = attentionPage.analysis;
                let best = [-1];
                for (let layer = 0; layer < maps.cross.layers; layer++)
                    for (let head = 0; head < maps.cross.heads; head++) {
                        const weight = maps.cross.at(layer, head,
                            display.rows[row].start, display.columns[column].start);
                        if (weight > best[0]) best = [weight, layer, head];
                    }
                return best;
            }""",
            [written, read],
        )
        weight, layer, head = best
        assert f"“{written}” is written, head {head + 1} of layer {layer + 1} gives “{read}” " in (
            seen.inner_text()
        )
        assert f" {round(100 * weight)} % of its attention" in seen.inner_text()
    page.get_by_label(f"switch head {head + 1} off").click()
    settled(page)
    assert "is off" in seen.inner_text()  # what it shows is still the same place


def test_a_name_is_copied_piece_by_piece(page):
    page.locator("#tour-3").click()
    settled(page)
    assert page.locator("#translation output").inner_text() == "Ich wohne in Zoqy."
    assert "“_Z” (" in page.locator("#seen").inner_text()
    assert page.evaluate("attentionPage.state.words") is False


def test_a_head_that_does_nothing(page):
    page.locator("#tour-4").click()
    settled(page)
    assert page.locator("#changes li").count() == 1
    assert page.evaluate("attentionPage.analysis.text === attentionPage.own.text")
    change = page.evaluate("""() => {
        const { own, analysis } = attentionPage;
        return Math.max(...own.steps.map(({ logProb }, i) =>
            Math.abs(Math.exp(logProb) - Math.exp(analysis.steps[i].logProb))));
    }""")
    assert f"more than {100 * change:.1f} percentage points" in page.locator("#seen").inner_text()
    assert change < 0.01


def test_the_beam_s_second_choice(page):
    page.locator("#tour-5").click()
    settled(page)
    first, second = page.locator("#hypotheses tbody th").all_inner_texts()[:2]
    text = page.locator("#seen").inner_text()
    assert text.startswith(f"The model writes “{first}”. Second in the beam is “{second}”")


def test_what_goes_out_of_sight_is_no_longer_said(page):
    page.locator("#tour-1").click()
    settled(page)
    page.evaluate("attentionPage.set({ head: 0 })")
    assert page.locator("#seen").inner_text() == "Five things to see; each button opens one."


def test_no_tour_of_another_language(open_page, small_page):
    page = open_page(small_page.html, "#tour=1")
    assert not page.locator("#tour").is_visible()
    assert page.evaluate("attentionPage.state.tour") is None


def test_which_head_looks_from_one_word_to_another(page, ready):
    page.evaluate("attentionPage.set({ view: 'which', words: true, kind: 'encoder' })")
    source = ready.source.encode(page.evaluate("attentionPage.state.source"))
    page.select_option("#which-row", label="it")
    settled(page)
    page.select_option("#which-column", label="animal")
    settled(page)
    tokens = ready.tokenizers.source.tokens(source)
    row, column = tokens.index("▁it"), tokens.index("▁animal")
    target = page.evaluate("[...attentionPage.analysis.targetIds]")
    weights = ready.weights(source, target[:-1])["encoder"][:, :, row, column]

    drawn = page.eval_on_selector_all(
        "#which [data-weight]", "cells => cells.map((c) => +c.dataset.weight)"
    )
    assert drawn == pytest.approx(sorted(weights.ravel(), reverse=True), abs=1e-4)
    layer, head = divmod(int(weights.argmax()), weights.shape[1])
    page.locator("#which button").first.click()
    settled(page)
    state = page.evaluate("attentionPage.state")
    assert (state["view"], state["layer"], state["head"]) == ("heads", layer, head)
    chosen = page.evaluate("""({ row, column }) => {
        const { rows, columns } = attentionPage.display;
        return [rows[row].label, columns[column].label];
    }""", state)  # fmt: skip
    assert chosen == ["it", "animal"]


def test_measured_heads_are_those_of_the_file(page):
    with (RUN_DIR / "heads.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["kind"], row["layer"], row["head"]): row for row in csv.DictReader(file)}
    whole = rows["any", "", "none"]
    page.evaluate("attentionPage.set({ view: 'which', kind: 'cross', words: true })")
    shown = page.eval_on_selector_all(
        "#which tbody tr", "all => all.map((tr) => [...tr.children].map((td) => td.innerText))"
    )
    assert len(shown) == 32
    lost = 0
    for name, *_, looks, without in shown:
        layer, head = name.removeprefix("layer ").split(", head ")
        row = rows["cross", layer, head]
        assert ("noun that “it” stands for" in looks) == (float(row["noun_of_it"]) >= 0.4)
        pronouns, before = (round(float(r["pronouns_ablated"])) for r in (row, whole))
        assert (f"{pronouns} % of er, sie, es right, not {before} %" in without) == (
            before - pronouns >= 3
        )
        lost += without != "nothing is lost"
    assert 4 <= lost <= 10
    assert page.heard == []


def test_every_question_has_a_view_that_answers_it(page):
    page.locator("#questions summary").click()
    assert page.locator("#questions li").count() == 10
    for i, button in enumerate(page.locator("#questions button").all()):
        title = button.inner_text()
        button.click()
        settled(page)
        assert page.locator("[role=tab][aria-selected=true]").inner_text() == title, i
    page.locator("#questions summary").click()


def test_terms_stand_where_they_are_met(page):
    for kind, word in [("encoder", "English"), ("decoder", "masked"), ("cross", "German word")]:
        page.evaluate("(kind) => attentionPage.set({ kind })", kind)
        assert word in page.locator("#view .hint").first.inner_text()
    page.locator("#terms summary").click()
    for term in ("head", "layer", "cross-attention", "query", "key", "value"):
        assert page.locator("#terms dt", has_text=term).first.is_visible()
    page.locator("#terms summary").click()
