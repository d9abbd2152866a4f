"""The whole model in one picture: every number against Keras."""

import numpy as np
import pytest
import tensorflow as tf

from tests.support.attention_page import TIRED, self_check, settled

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def states(ready):
    """Rows of every decoder layer and of the last encoder layer, as Keras computes them."""
    network = ready.model.network
    source = ready.source.encode(TIRED)
    target = [*ready.greedy_ids(source), ready.tokenizers.target.end_id]
    read = tf.constant([source])
    encoded, _ = network.encoder(read)
    decoder, length = network.decoder, len(target) - 1
    x = decoder.embed(tf.constant([target[:-1]]), decoder.pos_encoding[:, :length])
    rows = [x[0].numpy()]
    for layer in decoder.dec_layers:
        x, *_ = layer(x, encoded, look_ahead_mask=1 - np.tri(length), padding_mask=None)
        rows.append(x[0].numpy())
    return target, encoded[0].numpy(), rows


@pytest.fixture
def model_view(page):
    page.evaluate(
        "(source) => attentionPage.set({ source, view: 'model', step: 8, token: 2 })", TIRED
    )
    return page


def opened(page, name):
    """The vectors of a part, by their names."""
    page.locator(f"#part-{name}").click()
    settled(page)
    return page.evaluate("""() => Object.fromEntries(
        [...document.querySelectorAll('#part details')].map((one) => [
            one.querySelector('b').textContent,
            one.querySelector('p').textContent.replaceAll('−', '-').split(/\\s+/).map(Number),
        ]))""")


def test_rows_of_every_layer_are_those_of_keras(model_view, states):
    _, encoded, rows = states
    np.testing.assert_allclose(
        opened(model_view, "decoder-embedding")["sum"], rows[0][8], atol=0.006
    )
    for layer, row in enumerate(rows[1:]):
        found = opened(model_view, f"decoder-{layer}-norm3")
        np.testing.assert_allclose(found["normalised"], row[8], atol=0.007)
        np.testing.assert_allclose(
            np.add(found["came in"], found["added"]), found["sum"], atol=0.02
        )
    found = opened(model_view, "encoder-3-norm2")
    np.testing.assert_allclose(found["normalised"], encoded[2], atol=0.007)
    assert self_check(model_view) == "true"


def test_what_the_decoder_would_say_after_each_layer(model_view, ready, states):
    target, _, rows = states
    found = model_view.evaluate("attentionPage.lens()")
    tokenizer = ready.tokenizers.target
    for layer, row in enumerate(rows[1:]):
        logits = ready.model.network.final_layer(row[np.newaxis])[0].numpy()
        logits[:, [0, tokenizer.start_id]] = -1e9  # what cannot be written
        log_probs = tf.nn.log_softmax(logits).numpy()
        for step, line in enumerate(found):
            one = line[layer]
            assert one["writtenLogProb"] == pytest.approx(
                log_probs[step, target[step + 1]], abs=2e-3
            )
            assert one["logProb"] == pytest.approx(log_probs[step].max(), abs=2e-3)
            assert log_probs[step, one["id"]] == pytest.approx(one["logProb"], abs=2e-3)
    drawn = model_view.locator("#lens tbody tr").nth(8).locator("td").all_inner_texts()
    assert len(drawn) == len(rows) - 1
    assert drawn[-1].startswith("_es ")
    assert model_view.locator("#lens tbody tr").count() == len(target) - 1


def test_the_self_check_reads_the_lens(model_view):
    assert self_check(model_view) == "true"
    model_view.evaluate("""() => {
        const found = attentionPage.lens();
        found[3].at(-1).writtenLogProb -= 1;
        attentionPage.check();
    }""")
    assert self_check(model_view) == "false"
    model_view.evaluate("attentionPage.lens()[3].at(-1).writtenLogProb += 1")


def test_a_box_is_opened_and_leads_to_its_heads(model_view):
    boxes = model_view.locator(".stack button")
    assert boxes.count() == 1 + 4 * 4 + 1 + 4 * 6 + 1
    model_view.locator("#part-decoder-2-cross").click()
    settled(model_view)
    assert model_view.locator("#part h2").inner_text() == "Cross-attention, layer 3"
    assert model_view.locator("#part-decoder-2-cross").get_attribute("aria-pressed") == "true"
    model_view.locator("#open-heads").click()
    settled(model_view)
    state = model_view.evaluate("attentionPage.state")
    assert (state["view"], state["kind"], state["layer"]) == ("heads", "cross", 2)
    model_view.evaluate("attentionPage.set({ view: 'model' })")
    model_view.locator("#part-logits").click()
    settled(model_view)
    assert model_view.locator("#part ol li").first.inner_text().startswith("_es ")


def test_a_head_that_is_off_changes_the_rows_behind_it(model_view):
    before = opened(model_view, "decoder-2-cross")["output, times W^O"]
    earlier = opened(model_view, "decoder-1-norm3")["normalised"]
    model_view.evaluate("attentionPage.set({ off: ['cross 2 7'] })")
    assert opened(model_view, "decoder-2-cross")["output, times W^O"] != before
    assert opened(model_view, "decoder-1-norm3")["normalised"] == earlier
    model_view.evaluate("attentionPage.set({ off: [] })")
