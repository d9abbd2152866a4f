"""The page computes what the package computes: tokens, logits, translations, changed models."""

import numpy as np
import pytest
import tensorflow as tf

from tests.support.attention_page import TIRED, WIDE, self_check
from tf_models.data.annotated import embedded_file, read_annotated
from tf_models.translation.attention import attention_maps
from tf_models.word_attention import leave_out_marks

pytestmark = pytest.mark.browser

ODD = [
    "ﬁne  ２０ cafe\u0301", "Ünïcödé 你好 ok", "\u00a0there\tx", "😀😀 x 😀", "x\u0301\u0301 a",
    "“quoted” ‘text’ …", "'quoted' \"text\" (12,345.67)", "한국어 a", "</script><script>",
]  # fmt: skip


@pytest.fixture(scope="module")
def pairs():
    """300 that the translator of the package was not trained on."""
    everyday = read_annotated(embedded_file("everyday"))[1]
    return [pair for pair in everyday if pair.split == "test"][:300]


def test_nothing_is_said_and_nothing_is_asked_for(live):
    assert live.heard == []
    assert [url for url in live.requested if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in live.requested if url.startswith("file:")]) == 1


def test_tokens_of_sentences(live, ready, pairs):
    texts = [*(pair.source for pair in pairs), *ODD]
    script = """(texts) => texts.map((text) => {
        const { source } = attentionPage.tokenizers;
        const ids = attentionPage.translator.encodeSource(text);
        return [ids, source.decode(ids), source.tokens(ids)];
    })"""
    tokenizer = ready.tokenizers.source
    for text, found in zip(texts, live.evaluate(script, texts), strict=True):
        ids = ready.source.encode(text)
        assert found == [ids, tokenizer.decode(ids), tokenizer.tokens(ids)], text


@pytest.mark.parametrize("name", ["ready", "small"])
def test_logits_and_weights(request, open_page, live, name):
    """One table for both sides and the output layer in one model, three in the other."""
    translator = request.getfixturevalue(name)
    page = live if name == "ready" else open_page(request.getfixturevalue("small_page").html)
    source = TIRED if name == "ready" else "a cat sleeps ."
    found = page.evaluate(
        """(source) => {
            const { targetIds, steps, maps } = attentionPage.translator.analyse(source);
            const weights = Object.values(maps).map(({ kind, values }) => [kind, [...values]]);
            return [targetIds, steps.map(({ logits }) => [...logits]), Object.fromEntries(weights)];
        }""",
        source,
    )
    ids, page_logits, maps = found
    source_ids = translator.source.encode(source)
    assert ids == translator.target_ids(source_ids)
    logits, _ = translator.model.network(
        tf.constant([source_ids]), tf.constant([ids[:-1]]), training=False
    )
    np.testing.assert_allclose(page_logits, logits[0], atol=1e-3)
    for kind, weights in translator.weights(source_ids, ids[:-1]).items():
        np.testing.assert_allclose(np.reshape(maps[kind], weights.shape), weights, atol=1e-4)


@pytest.mark.parametrize(("beam", "alpha"), [(1, 0.0), (5, 0.6)])
def test_translations_of_100_sentences(live, ready, pairs, beam, alpha):
    texts = [pair.source for pair in pairs[:100]]
    script = """([texts, beam, alpha]) => texts.map((text) => {
        const { translator, tokenizers } = attentionPage;
        const ids = translator.encodeSource(text);
        if (beam > 1) {
            const [best] = translator.beam(ids, { beam, alpha, off: [] }).hypotheses;
            return [tokenizers.target.decode(best.ids), best.score];
        }
        const { text: translated, steps } = translator.analyse(text);
        return [translated, steps.reduce((sum, { logProb }) => sum + logProb, 0)];
    })"""
    found = live.evaluate(script, [texts, beam, alpha])
    options = {"beam_size": beam, "length_penalty": alpha}
    expected = [best for best, *_ in ready.translate(texts, **options)]

    assert [text for text, _ in found] == [one.text for one in expected]
    scores = [score for _, score in found]
    np.testing.assert_allclose(scores, [one.score for one in expected], atol=1e-3)


def attention_of(translator, kind, layer):
    network = translator.model.network
    if kind == "encoder":
        return network.encoder.enc_layers[layer].mha
    decoder = network.decoder.dec_layers[layer]
    return decoder.mha1 if kind == "decoder" else decoder.mha2


@pytest.fixture
def without(ready):
    """without(name, compute): what Keras computes with this head's rows of W^O at zero."""

    def computed(name, compute):
        kind, layer, head = name.split()
        block = attention_of(ready, kind, int(layer))
        kernel = block.dense.kernel.numpy()
        changed = kernel.copy()
        changed[int(head) * block.depth : (int(head) + 1) * block.depth] = 0
        block.dense.kernel.assign(changed)
        try:
            return compute()
        finally:
            block.dense.kernel.assign(kernel)

    return computed


@pytest.mark.parametrize("name", ["encoder 1 1", "decoder 1 3", "cross 0 1"])
def test_a_head_off_is_keras_with_its_rows_of_w_o_at_zero(live, ready, without, name):
    script = """([source, off]) => {
        const { targetIds, maps } = attentionPage.translator.analyse(source, { off });
        return [targetIds, [...maps.cross.values]];
    }"""
    ids, cross = live.evaluate(script, [TIRED, [name]])
    _, unchanged = live.evaluate(script, [TIRED, []])
    source_ids = ready.source.encode(TIRED)
    expected = without(name, lambda: ready.target_ids(source_ids))
    weights = without(name, lambda: ready.weights(source_ids, expected[:-1])["cross"])

    assert ids == expected
    np.testing.assert_allclose(np.reshape(cross, weights.shape), weights, atol=1e-4)
    assert np.max(np.abs(np.subtract(cross, unchanged[: len(cross)]))) > 0.01


def test_an_edited_row_is_what_numpy_makes_of_it(live, ready):
    """The first encoder layer with one row overridden, and its output by hand."""
    layer, head, row, column, weight = 0, 2, 3, 1, 0.75
    edit = {"kind": "encoder", "layer": layer, "head": head, "row": row, "column": column}
    script = """([source, edits]) =>
        [...attentionPage.translator.analyse(source, { edits }).records.encoder[0][3].output]"""
    found = live.evaluate(script, [TIRED, [{**edit, "weight": weight}]])

    encoder = ready.model.network.encoder
    source_ids = ready.source.encode(TIRED)
    x = encoder.embed(tf.constant([source_ids]), encoder.pos_encoding[:, : len(source_ids)])
    block = encoder.enc_layers[layer].mha
    _, weights = block(x, x, x)
    rows = weights[0, :, row].numpy()
    rest = np.delete(np.arange(len(source_ids)), column)
    rows[head, rest] *= (1 - weight) / (1 - rows[head, column])
    rows[head, column] = weight
    _, values = (part[0].numpy() for part in block.keys_and_values(x, x))  # (heads, len, depth)
    mixed = np.einsum("hk,hkd->hd", rows, values).reshape(-1)
    expected = mixed @ block.dense.kernel.numpy() + block.dense.bias.numpy()

    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_rows_and_lens_of_every_layer_are_those_of_keras(live, ready):
    """What the decoder would say after each layer, and the rows that it says it of."""
    script = """(source) => {
        const analysis = attentionPage.translator.analyse(source);
        const { cross, encoder } = analysis.records;
        const outs = (layers) => layers.map((rows) => rows.map(({ out }) => [...out]));
        return [analysis.targetIds, outs(encoder), outs(cross),
            attentionPage.translator.lens(analysis)];
    }"""
    target, read, written, lens = live.evaluate(script, TIRED)
    network, tokenizer = ready.model.network, ready.tokenizers.target
    encoded, _ = network.encoder(tf.constant([ready.source.encode(TIRED)]))
    np.testing.assert_allclose(read[-1], encoded[0], atol=1e-3)
    decoder, length = network.decoder, len(target) - 1
    x = decoder.embed(tf.constant([target[:-1]]), decoder.pos_encoding[:, :length])
    for i, layer in enumerate(decoder.dec_layers):
        x, *_ = layer(x, encoded, look_ahead_mask=1 - np.tri(length), padding_mask=None)
        np.testing.assert_allclose(written[i], x[0], atol=1e-3)
        logits = network.final_layer(x)[0].numpy()
        logits[:, [0, tokenizer.start_id]] = -1e9  # what cannot be written
        log_probs = tf.nn.log_softmax(logits).numpy()
        for step, line in enumerate(lens):
            said = line[i]["writtenLogProb"], line[i]["logProb"]
            expected = log_probs[step, target[step + 1]], log_probs[step].max()
            assert said == pytest.approx(expected, abs=2e-3)


def test_six_steps_of_a_masked_cell(page, ready):
    state = {"kind": "decoder", "layer": 0, "head": 2, "row": 1, "column": 3}
    page.evaluate("(state) => attentionPage.set({ view: 'cell', ...state })", state)
    values = dict(
        page.eval_on_selector_all(
            "#view [data-name]", "all => all.map((e) => [e.dataset.name, +e.dataset.value])"
        )
    )
    decoder = ready.model.network.decoder
    ids = page.evaluate("attentionPage.analysis.targetIds")
    x = decoder.embed(np.array([ids[:-1]]), decoder.pos_encoding[:, : len(ids) - 1])
    block = decoder.dec_layers[0].mha1
    q, k = (
        part(x).numpy()[0, :, 2 * block.depth : 3 * block.depth] for part in (block.wq, block.wk)
    )
    assert page.locator(".steps > li").count() == 6
    assert values["q · k"] == pytest.approx(q[1] @ k[3], abs=2e-3)
    assert values["score"] == pytest.approx(values["q · k"] / block.depth**0.5, abs=1e-4)
    assert values["masked score"] == pytest.approx(values["score"] - 1e9)
    assert values["weight"] == 0


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("marks", [True, False])
def test_drawn_maps_of_words_are_those_of_the_figures(page, ready, kind, marks):
    source = "He admired her as a great director."
    page.evaluate("(source) => attentionPage.set({ source, words: true })", source)
    target = page.evaluate("attentionPage.analysis.text")
    state = {"kind": kind, "target": target, "marks": marks, "layer": 1, "head": 3}
    page.evaluate("(state) => attentionPage.set(state)", state)
    weights, rows, columns = attention_maps(ready, source, target, kind=kind, words=True)
    if not marks:
        weights, rows, columns, left_out = leave_out_marks(weights, rows, columns)
        share = round(100 * left_out[1, 3])
        assert f"they had {share} % of" in page.locator("#note").inner_text()

    labels = "cells => cells.map((c) => c.textContent)"
    assert page.eval_on_selector_all("#view tbody th", labels) == list(rows)
    assert page.eval_on_selector_all("#view thead th.label", labels) == list(columns)
    drawn = page.eval_on_selector_all(
        "#view td[data-weight]", "cells => cells.map((c) => +c.dataset.weight)"
    )
    expected = weights[1, 3]
    np.testing.assert_allclose(np.reshape(drawn, expected.shape), expected, atol=1e-3, rtol=1e-3)
    assert self_check(page) == "true"


def test_two_sentences_differ_as_keras_says(page, ready):
    pair = {"view": "pair", "kind": "encoder", "marks": True, "source": TIRED, "second": WIDE}
    page.evaluate("(state) => attentionPage.set(state)", pair)
    tired, wide = (attention_maps(ready, s, kind="encoder", words=True) for s in (TIRED, WIDE))
    difference = (wide.weights - tired.weights)[:, :, 1:-1, 1:-1]  # without start and end
    change = np.abs(difference).mean(axis=(-2, -1))  # (layers, heads)
    layer, head = np.unravel_index(change.argmax(), change.shape)
    pressed = page.locator("#ranking .ranked[aria-pressed=true]")
    assert pressed.get_attribute("id") == f"change-{layer}-{head}"
    drawn = page.eval_on_selector_all(
        "#view td[data-difference]", "cells => cells.map((c) => +c.dataset.difference)"
    )
    np.testing.assert_allclose(drawn, difference[layer, head].flatten(), atol=1e-3)
