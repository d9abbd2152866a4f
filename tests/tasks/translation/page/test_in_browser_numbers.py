"""The page computes what the package computes: tokens, logits, translations, changed models."""

import random

import numpy as np
import pytest
import tensorflow as tf

from tf_models.data.embedded.annotated_pairs import embedded_file, read_annotated
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.tasks.translation.attention import value_norms_of
from tf_models.tasks.translation.page.page import make_page
from tf_models.tasks.translation.transformer_model import TransformerModel
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.model import Transformer

pytestmark = pytest.mark.browser

SENTENCE = "The animal didn't cross the street because it was too tired."
ODD = [
    "ﬁne  ① ２０ cafe\u0301", "a▁b ▁", "Ünïcödé 你好 ok", "\u200bhi\u00a0there\tx", "… ™ ½ ﷺ ㍿",
    "😀😀 x 😀", "'quoted' \"text\" (12,345.67)", "x\u0301\u0301 ¨ a", "한국어", "\x07bell\x7f",
    "</script><script>alert(1)</script>", "¨a", "１２３ ٣٤", "Straße STRASSE ΑΣ",
]  # fmt: skip

ANALYSE = """async (source) => {
    const found = await attentionPage.asking.attempt(() => attentionPage.analyse(source));
    return {
        ids: found.targetIds,
        text: found.text,
        cross: [...found.maps.cross.values],
        decoder: [...found.maps.decoder.values],
        encoder: [...found.maps.encoder.values],
        norms: Object.values(found.valueNorms).map(({ kind, values }) => [kind, [...values]]),
    };
}"""


@pytest.fixture(scope="module")
def pairs():
    """300 that the translator of the package was not trained on."""
    everyday = read_annotated(embedded_file("everyday"))[1]
    return [pair for pair in everyday if pair.split == "test"][:300]


@pytest.fixture(scope="module")
def sentences(pairs):
    """2,000: of the corpus, cut and mixed, and some that no corpus has."""
    real = [text for pair in pairs for text in (pair.source, pair.target)]
    chooser = random.Random(0)
    letters = [c for text in ODD for c in text] + [chr(c) for c in range(33, 0x500, 7)]
    mixed = []
    while len(real) + len(ODD) + len(mixed) < 2000:
        text = list(chooser.choice(real))
        for _ in range(chooser.randint(1, 6)):
            text.insert(chooser.randrange(len(text)), chooser.choice(letters))
        mixed.append("".join(text))
    return [*real, *ODD, *mixed]


@pytest.fixture(scope="module")
def live(open_page, ready_page):
    return open_page(ready_page.html)


def translated(live, texts, beam):
    """Translations that the page finds, and their scores."""
    script = """async ([texts, beam]) => {
        const { translator, tokenizers, asking: { computer } } = attentionPage;
        const found = [];
        for (const text of texts) {
            const question = { ...translator.question(text), name: 'beam', beam, alpha: 0.6 };
            if (beam > 1) {
                const [best] = (await computer.ask(question)).hypotheses;
                found.push([tokenizers.target.decode(best.ids), best.score]);
            } else {
                const one = await attentionPage.asking.attempt(() => attentionPage.analyse(text));
                found.push([one.text, one.steps.reduce((sum, step) => sum + step.logProb, 0)]);
            }
        }
        return found;
    }"""
    return live.evaluate(script, [texts, beam])


def test_nothing_is_said_and_nothing_is_asked_for(live):
    assert live.heard == []
    own = ("file:", "data:", "blob:null/")  # a blob is the script itself, for the Worker
    assert [url for url in live.requested if not url.startswith(own)] == []
    assert len([url for url in live.requested if url.startswith("file:")]) == 1


def test_tokens_of_2000_sentences(live, ready, sentences):
    script = """(texts) => texts.map((text) => {
        const { source } = attentionPage.tokenizers;
        const ids = source.encode(text);
        return [ids, source.decode(ids), source.tokens(ids)];
    })"""
    tokenizer = ready.tokenizers.source
    expected = [tokenizer.encode(text) for text in sentences]

    assert len(sentences) == 2000
    for text, ids, found in zip(sentences, expected, live.evaluate(script, sentences), strict=True):
        assert found == [ids, tokenizer.decode(ids), tokenizer.tokens(ids)], text


def test_a_tokenizer_that_lowercases(open_page, small, sentences):
    side = small.tokenizers.source
    lowering = SubwordTokenizer(side.model_file, "en", lowercase=True)
    pair = TokenizerPair(lowering, lowering)
    translator = Translator(copy_of(small).model, pair, small.max_length)
    page = open_page(make_page(translator, ["a cat 42"]).html)

    texts = sentences[::20]
    found = page.evaluate(
        "(texts) => texts.map((t) => attentionPage.tokenizers.source.encode(t))", texts
    )
    assert found == [lowering.encode(text) for text in texts]


@pytest.mark.parametrize("name", ["ready", "small"])
def test_logits_and_weights(request, open_page, live, name):
    """One table for both sides and the output layer in one model, three in the other."""
    translator = request.getfixturevalue(name)
    page = live if name == "ready" else open_page(request.getfixturevalue("small_page").html)
    source = SENTENCE if name == "ready" else "a cat sleeps ."
    source_ids = translator.source.encode(source)
    target_ids = [*translator.greedy_ids(source_ids), translator.tokenizers.target.end_id]
    script = """async ([sourceIds, targetIds]) => {
        const forced = () => attentionPage.forced({ sourceIds, targetIds }, []);
        return (await attentionPage.asking.attempt(forced)).map(({ logits }) => [...logits]);
    }"""
    logits, _ = translator.model.network(
        tf.constant([source_ids]), tf.constant([target_ids[:-1]]), training=False
    )

    found = np.array(page.evaluate(script, [source_ids, target_ids]))
    np.testing.assert_allclose(found, logits[0], atol=1e-3)

    analysis = page.evaluate(ANALYSE, source)
    for kind, weights in translator.weights(source_ids, analysis["ids"][:-1]).items():
        np.testing.assert_allclose(np.reshape(analysis[kind], weights.shape), weights, atol=1e-4)
    norms = value_norms_of(translator, source_ids, analysis["ids"][:-1])
    assert norms.keys() == dict(analysis["norms"]).keys()
    for kind, found in analysis["norms"]:
        np.testing.assert_allclose(np.reshape(found, norms[kind].shape), norms[kind], rtol=1e-4)


@pytest.mark.parametrize("beam", [1, 5])
def test_translations_of_100_sentences(live, ready, pairs, beam):
    texts = [pair.source for pair in pairs[:100]]
    expected = [best for best, *_ in ready.translate(texts, beam_size=beam, compiled=False)]
    found = translated(live, texts, beam)

    assert [text for text, _ in found] == [one.text for one in expected]
    np.testing.assert_allclose(
        [score for _, score in found], [one.score for one in expected], atol=1e-3
    )


def test_a_small_model_that_has_learnt_nothing_searches_alike(open_page, small, small_page):
    page = open_page(small_page.html)
    texts = ["a cat sleeps .", "a dog sleeps .", "the cat"]
    expected = [
        [(one.text, one.score) for one in best]
        for best in small.translate(texts, beam_size=3, n_best=3, length_penalty=1.0)
    ]
    script = """async (texts) => {
        const { asking: { computer }, translator, tokenizers } = attentionPage;
        const found = [];
        for (const text of texts) {
            const question = { ...translator.question(text), name: 'beam', beam: 3, alpha: 1.0 };
            const { hypotheses } = await computer.ask(question);
            found.push(hypotheses.map(({ ids, score }) => [tokenizers.target.decode(ids), score]));
        }
        return found;
    }"""
    for best, found in zip(expected, page.evaluate(script, texts), strict=True):
        assert [text for text, _ in found] == [text for text, _ in best]
        np.testing.assert_allclose([s for _, s in found], [s for _, s in best], atol=1e-3)


def copy_of(translator):
    network = Transformer.from_config(translator.model.network.get_config())
    network.build()
    network.set_weights(translator.model.network.get_weights())
    return Translator(TransformerModel(network), translator.tokenizers, translator.max_length)


@pytest.mark.parametrize(
    ("kind", "layer", "head"), [("encoder", 1, 1), ("decoder", 1, 3), ("cross", 0, 1)]
)
def test_a_head_off_is_keras_with_its_rows_of_w_o_at_zero(live, ready, kind, layer, head):
    block = attention_of(ready, kind, layer)
    kernel = block.dense.kernel.numpy()
    changed = kernel.copy()
    changed[head * block.depth : (head + 1) * block.depth] = 0
    state = {"source": SENTENCE, "off": [f"{kind} {layer} {head}"]}
    live.evaluate("(state) => attentionPage.set(state)", state)
    found = live.evaluate(
        """(() => {
            const { analysis, original } = attentionPage;
            const cross = (one) => [...one.maps.cross.values];
            return [analysis.targetIds, cross(analysis), cross(original)];
        })()"""
    )
    live.evaluate("attentionPage.set({ off: [] })")

    block.dense.kernel.assign(changed)
    source_ids = ready.source.encode(SENTENCE)
    expected = [*ready.greedy_ids(source_ids), ready.tokenizers.target.end_id]
    weights = ready.weights(source_ids, expected[:-1])["cross"]
    block.dense.kernel.assign(kernel)

    ids, cross, unchanged = found
    assert ids == expected
    np.testing.assert_allclose(np.reshape(cross, weights.shape), weights, atol=1e-4)
    assert np.max(np.abs(np.subtract(cross, unchanged[: len(cross)]))) > 0.01


def attention_of(translator, kind, layer):
    network = translator.model.network
    if kind == "encoder":
        return network.encoder.enc_layers[layer].mha
    decoder = network.decoder.dec_layers[layer]
    return decoder.mha1 if kind == "decoder" else decoder.mha2


def test_an_edited_row_is_what_numpy_makes_of_it(live, ready):
    """The first encoder layer with one row overridden, and its output by hand."""
    layer, head, row, column, weight = 0, 2, 3, 1, 0.75
    edit = {"kind": "encoder", "layer": layer, "head": head, "row": row, "column": column}
    state = {"source": SENTENCE, "edits": [{**edit, "weight": weight}]}
    live.evaluate("(state) => attentionPage.set(state)", state)
    found = live.evaluate(
        "[...module_rows.rowOf(attentionPage.analysis.records.encoder[0].rows, 3).output]"
    )
    live.evaluate("attentionPage.set({ edits: [] })")

    encoder = ready.model.network.encoder
    source_ids = ready.source.encode(SENTENCE)
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
    assert rows.sum(axis=1) == pytest.approx(1)


def test_a_sentence_is_translated_within_300_ms(live):
    text = (
        "The old dog sleeps because the little girl who lives in the house was too tired yesterday."
    )
    script = """async (text) => {
        const times = [];
        for (let i = 0; i < 10; i++) {
            const source = `${i} ${text}`; // none is known
            const start = performance.now();
            await attentionPage.asking.attempt(() => attentionPage.analyse(source));
            times.push(performance.now() - start);
        }
        return Math.min(...times);
    }"""
    assert live.evaluate("(t) => attentionPage.tokenizers.source.encode(t).length", text) >= 20
    assert live.evaluate(script, text) < 300
