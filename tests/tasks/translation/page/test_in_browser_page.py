"""The page around its views: sentences, addresses, self-check, themes, screens, no model."""

import json
import re
from urllib.parse import quote

import numpy as np
import pytest

from tests.support.attention_page import self_check, settled
from tf_models.tasks.translation.page.page import make_page
from tf_models.tasks.translation.page.sentence_views import gradient_times_input

pytestmark = pytest.mark.browser

EVIL = "</script><script>alert(1)</script>"
LONG = " ".join(["the dog sees the cat and"] * 10) + " the old dog sleeps."


def corrupted(html, change):
    """The page with its data changed."""
    before = re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1]
    data = json.loads(before)
    change(data)
    return html.replace(before, json.dumps(data).replace("<", "\\u003c"))


def test_two_sentences(page):
    page.evaluate("attentionPage.set({ view: 'pair', second: attentionPage.sentences[1].source })")
    assert page.locator("#ranking li").count() == 32
    changes = page.eval_on_selector_all(
        "#ranking .ranked span", "all => all.map((e) => parseFloat(e.textContent.split(': ')[1]))"
    )
    assert changes == sorted(changes, reverse=True)


def test_three_attribution_methods(page):
    page.evaluate("attentionPage.set({ view: 'attributions', step: 1 })")
    headers = page.eval_on_selector_all(
        "#attributions thead th", "all => all.map((e) => e.textContent)"
    )
    assert headers == ["word", "attention", "gradient × input", "leaving out"]
    assert "names “" in page.locator("#verdict").inner_text()


def test_attributions_of_a_written_word_of_several_pieces(open_page, small, small_page):
    """The mean of its pieces' weights, and sums of what they owe to a word that is read."""
    page = open_page(small_page.html, "#view=%22attributions%22")
    source, target = page.evaluate(
        "[attentionPage.analysis.sourceIds, attentionPage.analysis.targetIds]"
    )
    words = page.evaluate("""() => {
        const groups = [...document.querySelectorAll('#attributed option')];
        return groups.map((option) => option.textContent);
    }""")
    tokens = [token.replace("▁", "") for token in small.tokenizers.target.tokens(target)[1:]]
    assert "".join(words).replace("_", "") == "".join(tokens).replace("_", "")
    lengths = page.evaluate("""() => [...document.querySelectorAll('#attributed option')].map(
        (option, i, all) => {
            document.querySelector('#attributed').value = i;
            document.querySelector('#attributed').dispatchEvent(new Event('change'));
            return attentionPage.state.step;
        })""")
    word = int(np.argmax(np.diff([*lengths, len(tokens)])))
    start, end = [*lengths, len(tokens)][word : word + 2]
    assert end - start > 1
    page.select_option("#attributed", str(word))
    settled(page)

    drawn = np.array(
        page.eval_on_selector_all("#attributions td", "all => all.map((td) => +td.dataset.value)")
    ).reshape(-1, 3)
    cross = small.weights(source, target[:-1])["cross"][-1][:, start:end].mean(axis=(0, 1))
    shares = gradient_times_input(small.model.network, source, target)[start:end].sum(axis=0)
    without_special = slice(1, -1)
    assert drawn[:, 0].sum() == pytest.approx(cross[without_special].sum(), abs=1e-4)
    assert drawn[:, 1].sum() == pytest.approx(shares[without_special].sum(), rel=1e-2, abs=1e-2)


def test_the_state_is_in_the_address(page, open_page, ready_page):
    page.evaluate("attentionPage.set({ layer: 1, head: 2, off: ['cross 1 0'], words: true })")
    fragment = page.evaluate("location.hash")
    other = open_page(ready_page.html, fragment)
    assert other.evaluate("attentionPage.state") == page.evaluate("attentionPage.state")
    assert other.locator("#translation").inner_text() == page.locator("#translation").inner_text()


@pytest.mark.parametrize(
    "fragment",
    [
        "#view=%22nothing%22&layer=99&off=5&kind=&edits=[1]&row=%22%22",
        "#off=[[%22cross 0 0%22]]",
        "#row=-1&column=0.5&head=-2&beam=1e9&step=-3&heads=[null]&view=%22beam%22",
        "#edits=[{%22kind%22:%22cross%22,%22layer%22:9,%22head%22:0,%22row%22:0}]&off=[[],1]",
        "#kind=%22toString%22&off=[%22toString 0 0%22,%22cross 99 0%22]&chosen=[0,-1,1e9]",
        "#__proto__=1&view=%22beam%22&alpha=1e300&epoch=0.5",
    ],
)
def test_a_damaged_address_is_no_harm(open_page, small_page, fragment):
    page = open_page(small_page.html, fragment)
    assert page.locator("#view td").count() > 0
    assert page.locator("#changes").count() == 0
    assert self_check(page) == "true"
    assert page.heard == []


@pytest.mark.parametrize("source", ["", "   ", "😀", "cat " * 500])
def test_an_address_with_a_sentence_that_cannot_be_read(open_page, small_page, source):
    page = open_page(small_page.html, f"#source={quote(json.dumps(source))}&layer=0")
    assert page.evaluate("attentionPage.state.source") == "a cat sleeps ."
    assert page.locator("#error").inner_text()
    assert page.heard == []


def test_a_new_address_brings_its_changes(page):
    edit = {"kind": "cross", "layer": 0, "head": 1, "row": 1, "column": 2, "weight": 0.5}
    state = {"source": "The old dog sleeps.", "edits": [edit], "row": 1, "column": 2}
    parts = "&".join(f"{name}={quote(json.dumps(value))}" for name, value in state.items())
    page.evaluate("(hash) => { location.hash = hash; }", parts)
    page.wait_for_function("() => attentionPage.state.row === 1")  # a string would be evaluated
    assert page.evaluate("attentionPage.state.edits") == [edit]
    assert page.locator("#changes li").count() == 1


def test_pictures_and_numbers_leave_the_page(page):
    for name, start in [
        ("map as SVG", b"<svg"),
        ("map as PNG", b"\x89PNG"),
        ("numbers as CSV", b"layer,head"),
        ("lines as SVG", b"<svg"),
    ]:
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        content = download.value.path().read_bytes()
        assert content.startswith(start), name
    lines = content.count(b"<line")
    assert lines > 0
    assert b"<title>" in content
    assert page.heard == []


def test_a_sentence_of_markup_is_text(page):
    page.locator("#sentence").fill(EVIL + " the dog")
    page.locator("#translate").click()
    settled(page)
    assert page.evaluate("attentionPage.state.source") == EVIL + " the dog"
    assert page.heard == []
    assert page.locator("#view script").count() == 0


def test_a_sentence_that_cannot_be_read_is_refused_and_the_old_one_stays(page):
    before = page.locator("#translation").inner_text()
    for text, error in [("   ", "empty"), ("", "empty"), ("dog " * 200, "positions end")]:
        page.locator("#sentence").fill(text)
        page.locator("#translate").click()
        settled(page)
        assert error in page.locator("#error").inner_text()
        assert page.locator("#translation").inner_text() == before
        assert page.locator("#sentence").input_value() == text  # what was typed is not lost


@pytest.mark.parametrize("name", ["transposed", "labels", "number", "norms", "weight"])
def test_the_self_check_turns_red(open_page, small_page, name):
    def change(data):
        view = data["sentences"][0]
        if name == "transposed":
            layers, heads, rows, columns = view["maps"]["cross"]["shape"]
            view["maps"]["cross"]["shape"] = [layers, heads, columns, rows]
        elif name == "labels":
            tokens = view["sourceTokens"]
            tokens[1], tokens[2] = tokens[2], tokens[1]
        elif name == "number":
            view["steps"][0]["logProb"] -= 1
        elif name == "norms":
            norms = view["valueNorms"]
            norms["decoder"] = {**norms["encoder"], "shape": norms["decoder"]["shape"]}
        else:
            data["weights"]["checksum"] ^= 1

    assert self_check(open_page(corrupted(small_page.html, change))) == "false"


def test_the_self_check_turns_red_when_the_data_cannot_be_read(open_page, small_page):
    def change(data):
        text = data["weights"]["data"]
        data["weights"]["data"] = f"{text[:500]}{'B' if text[500] == 'A' else 'A'}{text[501:]}"

    page = open_page(corrupted(small_page.html, change))
    assert self_check(page) == "false"
    assert "1 of 1 checks failed" in page.locator("#self-check").inner_text()


def test_the_self_check_sees_a_picture_that_is_wrong(page):
    assert self_check(page) == "true"
    page.evaluate("""() => {
        const [first, second] = document.querySelectorAll('#view tbody th');
        [first.textContent, second.textContent] = [second.textContent, first.textContent + 'x'];
    }""")
    page.evaluate("attentionPage.check()")
    assert self_check(page) == "false"


def test_themes(open_page, small_page):
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = open_page(small_page.html, color_scheme="dark")
    light = open_page(small_page.html, color_scheme="light")
    assert dark.evaluate(paper) != light.evaluate(paper)
    system = dark.evaluate(paper)
    dark.select_option("#theme", "light")
    assert dark.evaluate(paper) == light.evaluate(paper)
    light.select_option("#theme", "dark")
    assert light.evaluate(paper) == system


def test_texts_can_be_read_on_every_cell(open_page, small_page):
    """A contrast of 4.5 to 1 in both themes, whatever the weight."""
    script = """() => {
        const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        const light = (color) => {
            const [r, g, b] = color.match(/[\\d.]+/g).map((v) => linear(v / 255));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        return [...document.querySelectorAll('#view td[data-weight]:not(.masked)')].map((cell) => {
            const style = getComputedStyle(cell);
            const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
            return (a + 0.05) / (b + 0.05);
        });
    }"""
    for scheme in ("light", "dark"):
        page = open_page(small_page.html, color_scheme=scheme)
        assert min(page.evaluate(script)) >= 4.5


def test_forced_colours_and_less_motion(open_page, small_page):
    page = open_page(small_page.html, forced_colors="active", reduced_motion="reduce")
    cell = page.locator("#view td[data-weight]").first
    assert cell.evaluate("(td) => parseFloat(getComputedStyle(td).fontSize)") > 5
    assert cell.inner_text().isdigit()
    page.locator("#tab-steps").click()
    settled(page)
    duration = page.locator(".bar").first.evaluate(
        "(bar) => getComputedStyle(bar).transitionDuration"
    )
    assert duration == "0s"
    page.evaluate("attentionPage.set({ view: 'heads', kind: 'decoder' })")
    masked = page.locator("#view td.masked").first
    assert "gradient" in masked.evaluate("(td) => getComputedStyle(td).backgroundImage")


def test_paper_is_light(open_page, small_page):
    """Whatever the system and the reader's choice; afterwards the page is dark again."""
    page = open_page(small_page.html, color_scheme="dark")
    look = """() => [document.body, document.querySelector('#view td[data-weight]')]
        .map((one) => getComputedStyle(one).backgroundColor)"""
    dark = page.evaluate(look)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(look) == open_page(small_page.html, color_scheme="light").evaluate(look)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(look) == dark


def test_paper_says_what_it_shows(page):
    page.emulate_media(media="print")
    text = page.locator(".on-paper").inner_text()
    page.emulate_media(media="screen")
    source = page.evaluate("attentionPage.state.source")
    assert text == f"“{source}”; cross-attention, layer 1, head 1, percent"
    assert not page.locator(".on-paper").is_visible()


def test_the_focus_ring_is_seen_on_every_cell(open_page, small_page):
    """Inner and outer ring differ by 3 to 1, so that one of them stands out from any neighbour."""
    for scheme in ("light", "dark"):
        page = open_page(small_page.html, color_scheme=scheme)
        cell = page.locator("#view td[tabindex='0']")
        cell.focus()
        page.keyboard.press("ArrowRight")
        colors = page.evaluate("""() => {
            const { outlineColor, boxShadow } = getComputedStyle(document.activeElement);
            return [outlineColor, boxShadow.match(/rgb[^)]*./)[0]];
        }""")
        assert contrast(*colors) >= 3


def contrast(*colors):
    """Of two colours "rgb(…)", as WCAG defines it."""

    def light(color):
        channels = np.array([int(part) for part in re.findall(r"\d+", color)][:3]) / 255
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    lights = [light(color) for color in colors]
    return max(lights) / min(lights)


def test_a_narrow_screen_does_not_scroll_sideways(page):
    page.set_viewport_size({"width": 360, "height": 800})
    for tab in page.locator("[role=tab]").all():
        tab.click()
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, tab.inner_text()


def test_hovering_answers_within_50_ms_at_60_tokens(page):
    page.evaluate(
        """(source) => attentionPage.set({
            source, kind: 'encoder', heads: [0, 1, 2, 3], threshold: 0,
        })""",
        LONG,
    )
    assert page.evaluate("attentionPage.display.rows.length") >= 60
    times = page.evaluate("""() => [...document.querySelectorAll('[data-token]')].map((token) => {
        const start = performance.now();
        token.dispatchEvent(new MouseEvent('mouseenter'));
        document.querySelector('.lines').getBoundingClientRect();
        return performance.now() - start;
    })""")
    assert np.median(times) < 50


def test_without_javascript_it_says_so(open_page, small_page):
    page = open_page(small_page.html, ready=False, java_script_enabled=False)
    assert "Turn it on" in page.locator("body").inner_text()
    assert not page.locator("#main").is_visible()
    assert not page.locator("#theme").is_visible()  # it would do nothing


def test_a_page_without_the_model_shows_the_given_sentences(open_page, small, monkeypatch):
    monkeypatch.setattr("tf_models.tasks.translation.page.page.MAX_LIVE_MODEL", 0)
    page = open_page(make_page(small, ["a cat sleeps .", "a dog sleeps ."]).html)
    assert self_check(page) == "true"
    page.select_option("#given", "1")
    settled(page)
    assert page.evaluate("attentionPage.analysis.source") == "a dog sleeps ."
    for tab in page.locator("[role=tab]").all():
        tab.click()
        settled(page)
    assert page.locator("#tab-beam").count() == 0
    assert page.heard == []


def test_one_attribution_method_is_not_shown(open_page, small_page):
    """As on the page of a recurrent model, which has its alignment alone."""

    def take_attribution(data):
        for view in data["sentences"]:
            del view["gradientTimesInput"]

    page = open_page(corrupted(small_page.html, take_attribution))
    assert page.locator("#tab-pair").count() == 1
    assert page.locator("#tab-attributions").count() == 0


def test_maps_of_each_epoch(open_page, small_page):
    def add_epochs(data):
        maps = {name: data["sentences"][0][name] for name in ("maps", "valueNorms")}
        data["epochs"] = [{"epoch": 3, **maps}, {"epoch": 7, **maps}]

    page = open_page(corrupted(small_page.html, add_epochs))
    page.locator("#tab-training").click()
    settled(page)
    assert "epoch 7" in page.locator("#view").inner_text()
    page.locator("#epoch").press("ArrowLeft")
    assert "epoch 3" in page.locator("#view").inner_text()
    assert page.evaluate("document.activeElement.id") == "epoch"
    page.locator("#values").click()
    settled(page)
    assert "Kobayashi et al. 2020" in page.locator("#view").inner_text()
    assert page.heard == []


def test_a_frame_as_in_a_notebook(open_page, small_page):
    html = f"<!doctype html><meta charset=utf-8><body>{small_page._repr_html_()}"
    page = open_page(html, ready=False)
    frame = page.frame_locator("iframe")
    frame.locator("#view td[data-weight]").first.wait_for()
    assert frame.locator("#self-check").get_attribute("data-good") == "true"
    assert page.heard == []
