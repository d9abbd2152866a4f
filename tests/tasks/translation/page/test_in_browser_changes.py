"""What a change does, and how a reader comes back from it."""

import numpy as np
import pytest
import tensorflow as tf

from tests.support.attention_page import TIRED, number, self_check, settled

pytestmark = pytest.mark.browser

OFF = ["cross 3 2"]  # the head that finds what "it" stands for


@pytest.fixture(scope="module")
def live(open_page, ready_page):
    return open_page(ready_page.html)


@pytest.fixture
def without(ready):
    """without(names): the log-probabilities of a translation with these heads of W^O at zero."""

    def log_probs(source_ids, target_ids, names):
        network = ready.model.network
        before = network.get_weights()
        for name in names:
            kind, layer, head = name.split()
            block = network.decoder.dec_layers[int(layer)].mha2
            assert kind == "cross"
            kernel = block.dense.kernel.numpy()
            kernel[int(head) * block.depth : (int(head) + 1) * block.depth] = 0
            block.dense.kernel.assign(kernel)
        logits, _ = network(
            tf.constant([source_ids]), tf.constant([target_ids[:-1]]), training=False
        )
        network.set_weights(before)
        return tf.nn.log_softmax(logits[0]).numpy()

    return log_probs


def test_log_probabilities_before_and_after(page, ready, without):
    """Of the words that the unchanged model writes, and of each pronoun in its place."""
    page.evaluate("([source, off]) => attentionPage.set({ source, off })", [TIRED, OFF])
    source = ready.source.encode(TIRED)
    target = page.evaluate("[...attentionPage.own.targetIds]")
    before, after = (without(source, target, names) for names in ([], OFF))
    rows = np.arange(len(target) - 1)
    drawn = [
        [number(text) for text in row.locator("td").all_inner_texts()]
        for row in page.locator("#effect tbody tr").all()
    ]
    for found, expected in zip(drawn, (before, after, after - before), strict=True):
        words = expected[rows, target[1:]]
        assert found[:-1] == pytest.approx(list(words), abs=0.011)
        assert found[-1] == pytest.approx(words.sum(), abs=0.02)

    tokenizer = ready.tokenizers.target
    tokens = tokenizer.tokens(target)
    place = tokens.index("▁es") - 1
    text = page.locator("#effect .pronouns").inner_text()
    for pronoun in ("er", "sie", "es"):
        (i,) = tokenizer.encode(pronoun)[1:-1]
        shares = [round(100 * float(np.exp(one[place, i]))) for one in (before, after)]
        shown = [f"{share} %" if share else "<1 %" for share in shares]
        assert f"“{pronoun}” {shown[0]} → {shown[1]}" in text


def test_nothing_lost_is_said(page):
    page.evaluate("attentionPage.set({ off: ['cross 0 2'] })")
    assert "No word loses anything to speak of." in page.locator("#effect").inner_text()
    page.evaluate("attentionPage.set({ off: [] })")
    assert page.locator("#effect").count() == 0


def test_a_reader_who_switches_heads_off_sees_another_translation(page):
    page.evaluate("([source, off]) => attentionPage.set({ source, off })", [TIRED, OFF])
    texts = page.locator("#translation output").all_inner_texts()
    assert [("es" in text.split(), "er" in text.split()) for text in texts] == [
        (True, False),
        (False, True),
    ]


def test_undo_takes_back_whatever_it_was(page):
    """A head, a cell, a sentence, a view, a candidate: one step each, to the very same state."""
    state = "JSON.stringify(attentionPage.state)"
    done = []
    page.evaluate("attentionPage.past.hashes = []")
    for action in (
        "attentionPage.switchOff([1], true)",
        "attentionPage.edit(3, 1, 0.5)",
        "attentionPage.set({ view: 'steps', step: 2 })",
        "document.querySelectorAll('#candidates button')[1].click()",
        "attentionPage.set({ source: 'I have a dog.' })",
    ):
        done.append(page.evaluate(state))
        page.evaluate(action)
        settled(page)
        assert page.evaluate(state) != done[-1], action
    for before in reversed(done):
        page.locator("#undo").click()
        settled(page)
        assert page.evaluate(state) == before
    assert page.locator("#undo").is_disabled()


def test_undo_by_key_but_not_while_typing(page):
    page.evaluate("attentionPage.switchOff([1], true)")
    page.locator("#sentence").focus()
    page.keyboard.press("Control+z")
    settled(page)
    assert page.locator("#changes li").count() == 1
    page.locator("#off-1").focus()
    page.keyboard.press("Control+z")
    settled(page)
    assert page.locator("#changes li").count() == 0


def test_the_browser_s_back_and_forward(open_page, ready_page):
    page = open_page(ready_page.html, "#view=%22layers%22")
    page.evaluate("attentionPage.set({ view: 'heads', off: ['cross 3 5'] })")
    page.evaluate("attentionPage.set({ head: 3 })")
    page.go_back()
    page.wait_for_function("attentionPage.state.head === 0")
    assert page.locator("#changes li").count() == 1
    page.go_back()
    page.wait_for_function("attentionPage.state.view === 'layers'")
    assert page.locator("#undo").is_disabled()
    page.go_forward()
    page.wait_for_function("attentionPage.state.off.length === 1")
    page.locator("#undo").click()
    settled(page)
    assert page.evaluate("attentionPage.state.view") == "layers"
    assert page.heard == []


def test_what_stands_under_the_pointer_stays_there(page):
    """A head is switched off: the tile does not jump, though a panel opens."""
    page.evaluate("scrollTo(0, 200)")
    tile = page.locator("#off-1")
    before = tile.bounding_box()["y"]
    tile.click()
    settled(page)
    assert page.locator("#effect").is_visible()
    assert tile.bounding_box()["y"] == pytest.approx(before, abs=2)


DRAW = """async ([texts, { seed = 0, ...options }]) => {
    const { asking: { computer }, translator, tokenizers } = attentionPage;
    const drawn = [];
    for (const [i, text] of texts.entries()) {
        const question = { ...translator.question(text), ...options, name: 'sample' };
        const { ids } = await computer.ask({ ...question, seed: seed + i });
        drawn.push(tokenizers.target.decode(ids));
    }
    return drawn;
}"""


def test_sampling_is_greedy_search_where_one_piece_is_left(page, ready):
    texts = ["My name is Anna.", TIRED]
    greedy = [best.text for best, *_ in ready.translate(texts, beam_size=1)]
    assert page.evaluate(DRAW, [texts, {"temperature": 1, "count": 1}]) == greedy
    assert page.evaluate(DRAW, [texts, {"temperature": 0.01, "count": 50}]) == greedy


def test_sampling_is_seeded_and_hot_sampling_differs(page):
    draw = {"temperature": 2, "count": 100, "seed": 5}
    texts = ["My name is Anna."] * 6
    first = page.evaluate(DRAW, [texts, draw])
    assert page.evaluate(DRAW, [texts, draw]) == first
    assert len(set(first)) > 2
    assert page.evaluate(DRAW, [texts, {**draw, "seed": 50}]) != first


@pytest.mark.parametrize(("temperature", "count"), [(1.0, 5), (0.5, 5), (2.0, 3)])
def test_pieces_are_drawn_as_often_as_they_are_probable(page, temperature, count):
    """Against a softmax of log P / temperature over the likeliest, by numpy."""
    log_probs = np.log([0.02, 0.4, 0.3, 0.15, 0.08, 0.05])
    script = """([logProbs, options]) => {
        const choose = module_search.sampling({ ...options, seed: 3 });
        const found = logProbs.map(() => 0);
        for (let i = 0; i < 20000; i++) found[choose(logProbs)]++;
        return found;
    }"""
    options = {"temperature": temperature, "count": count}
    drawn = np.array(page.evaluate(script, [log_probs.tolist(), options])) / 20000
    powers = np.exp(log_probs / temperature)
    powers[np.argsort(log_probs)[:-count]] = 0
    np.testing.assert_allclose(drawn, powers / powers.sum(), atol=0.015)


def test_the_sampling_view_shows_all_three_and_looks_inside(page):
    page.evaluate("attentionPage.set({ source: 'My name is Anna.', view: 'sampling', seed: 1 })")
    page.evaluate("attentionPage.set({ temperature: 2, count: 100 })")
    how = page.locator("#drawn tbody th").all_inner_texts()
    drawn = page.locator("#drawn tbody td.words").all_inner_texts()
    assert len(set(drawn[2:])) > 1
    assert how == ["greedy", "beam of 5", *(f"by chance, seed {i}" for i in range(1, 6))]
    page.locator("#draw-again").click()
    settled(page)
    assert page.locator("#drawn tbody th").last.inner_text() == "by chance, seed 10"
    text = page.locator("#drawn tbody td.words").last.inner_text()
    log_prob = float(page.locator("#drawn [data-log-prob]").last.get_attribute("data-log-prob"))
    page.locator("#show-6").click()
    settled(page)
    assert page.locator("#translation output").last.inner_text() == text
    found = page.evaluate("attentionPage.analysis.steps.reduce((s, { logProb }) => s + logProb, 0)")
    assert found == pytest.approx(log_prob, abs=1e-4)
    page.evaluate("attentionPage.set({ temperature: 1, count: 10, seed: 1 })")


LONG = " ".join(["the dog sees the cat and"] * 8) + " the old dog sleeps."


BEAM = """async (text) => {
    const { asking: { computer }, translator } = attentionPage;
    const question = { ...translator.question(text), name: 'beam', beam: 5, alpha: 0.6 };
    let [turns, last, longest] = [0, performance.now(), 0];
    const clock = setInterval(() => {
        turns += 1;
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
    });
    const start = performance.now();
    const { hypotheses } = await computer.ask(question);
    const whole = performance.now() - start;
    clearInterval(clock);
    const ids = hypotheses.map((one) => one.ids);
    return { isWorker: computer.port instanceof (globalThis.Worker ?? Array), ids, turns,
        share: longest / whole };
}"""


def test_the_page_answers_while_the_model_computes(page, open_page, ready_page):
    """In its own thread, or in slices where there is none: with the same result."""
    assert page.evaluate("(s) => attentionPage.tokenizers.source.encode(s).length", LONG) > 50
    in_worker = page.evaluate(BEAM, LONG)
    assert in_worker["isWorker"]
    refused = {
        "no Worker": "delete globalThis.Worker",
        "refused at once": "globalThis.Worker = class { constructor() { throw new Error(); } }",
    }
    for name, script in refused.items():
        other = open_page(ready_page.html, script=script)
        in_page = other.evaluate(BEAM, LONG)
        assert not in_page["isWorker"], name
        assert in_page["ids"] == in_worker["ids"]
        for found in (in_worker, in_page):
            # Of a few tenths of a second; a page that did not answer would have a share of 1.
            assert found["turns"] >= 3, name
            assert found["share"] < 1 / 2, name
        assert other.heard == []


def test_a_page_within_a_page_that_refuses_workers(open_page, small_page):
    """As some notebooks do: the browser says so later."""
    page = open_page(small_page.html.replace("worker-src blob:", "worker-src &#x27;none&#x27;"))
    assert not page.evaluate("attentionPage.asking.computer.port instanceof Worker")
    assert self_check(page) == "true"


def test_products_are_webassemblys_or_javascripts(open_page, small_page):
    """In the Worker, whose policy is the page's: with the same result."""
    policy = " &#x27;wasm-unsafe-eval&#x27;"
    assert policy in small_page.html
    allowed = open_page(small_page.html)
    refused = open_page(small_page.html.replace(policy, ""))
    room = "module_products.roomFor(1).buffer.byteLength"
    assert allowed.workers[0].evaluate(room) == 2**16
    assert refused.workers[0].evaluate(room) == 4
    texts = [one.locator("#translation output").inner_text() for one in (allowed, refused)]
    assert texts[0] == texts[1] != ""
    assert self_check(allowed) == self_check(refused) == "true"


def test_computing_is_said_and_a_newer_wish_wins(page):
    page.evaluate("(source) => void attentionPage.set({ source, view: 'attributions' })", LONG)
    assert page.locator("#main").get_attribute("aria-busy") == "true"
    page.locator("#computing").wait_for()
    page.evaluate("attentionPage.set({ source: 'I have a dog.', view: 'heads' })")
    assert not page.locator("#computing").is_visible()
    assert page.locator("#translation output").inner_text() == "Ich habe einen Hund."
    page.wait_for_timeout(300)
    assert page.evaluate("attentionPage.state.source") == "I have a dog."
    page.evaluate("(source) => attentionPage.set({ source })", LONG)  # waits for it
    assert page.evaluate("attentionPage.analysis.source") == LONG
    assert page.locator("#main").get_attribute("aria-busy") == "false"


def test_a_long_sentence_in_the_address(open_page, ready_page):
    source = LONG.replace(" ", "+")
    page = open_page(ready_page.html, f"#source=%22{source}%22&view=%22which%22")
    assert page.evaluate("attentionPage.analysis.source") == LONG
    assert page.heard == []
