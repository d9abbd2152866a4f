"""The page as text; what it does is tested in a browser (test_in_browser_*.py)."""

import re
from importlib import resources

import numpy as np
import pytest
import tensorflow as tf

from tests.support.attention_page import data_of
from tf_models.errors import InputError
from tf_models.plotting.attention_lines import HEAD_COLORS
from tf_models.tasks.translation.page import page, sentence_views
from tf_models.tasks.translation.page.document import make_document
from tf_models.tasks.translation.page.packed import named_weights
from tf_models.tasks.translation.page.page import Page, make_page
from tf_models.tasks.translation.page.sentence_views import gradient_times_input, spread
from tf_models.tasks.translation.ready_made import RUN_DIR
from tf_models.training.checkpoints import half_fingerprint

SENTENCE, TARGET = "a cat sleeps .", "eine Katze schläft ."  # so that none is searched


def test_heads_have_the_colours_of_the_figures():
    script = resources.files(page.__package__).joinpath("web", "colors.js").read_text("utf-8")
    listed = re.search(r"const HEADS = \[(.*?)\]", script, re.DOTALL)[1]
    assert tuple(re.findall(r"#\w{6}", listed)) == HEAD_COLORS


def test_every_weight_is_in_the_page_once(small):
    network = small.model.network
    named = dict(named_weights(network))

    assert sum(values.size for values in named.values()) == network.count_params()


@pytest.mark.slow
def test_size(ready, made_page):
    size = len(made_page.html.encode())
    assert size <= 2.8 * ready.model.network.count_params() + 900_000


def test_a_model_that_is_too_large_is_left_out(small, monkeypatch):
    monkeypatch.setattr("tf_models.tasks.translation.page.page.MAX_LIVE_MODEL", 1000)
    page = make_page(small, [SENTENCE], TARGET)

    assert not page.live
    assert "MB" in page.note
    assert "weights" not in data_of(page)
    assert data_of(page)["sentences"][0]["source"] == SENTENCE


def test_the_model_is_afterwards_what_it_was(random_translator):
    network = random_translator.model.network
    before = network.get_weights()
    make_page(random_translator, [SENTENCE], TARGET)

    for old, new in zip(before, network.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_wrong_input(small):
    with pytest.raises(InputError, match="--target needs one --sentence; received 2"):
        make_page(small, [SENTENCE, SENTENCE], "der Hund")
    with pytest.raises(InputError, match="empty"):
        make_page(small, [SENTENCE, " "])


def test_limits_are_said_before_the_first_sentence_is_computed(small, monkeypatch):
    monkeypatch.setattr(page, "sentence_view", pytest.fail)
    with pytest.raises(InputError, match="200 sentences at most; received 3,000"):
        make_page(small, [SENTENCE] * 3000)
    monkeypatch.setattr(page, "MAX_TOKENS", 6)
    for sentences, target in ([SENTENCE, "a cat sees the dog ."], None), ([SENTENCE], TARGET * 2):
        with pytest.raises(InputError, match="of 6 tokens at most; received one of"):
            make_page(small, sentences, target)


def test_rows_of_gradients_are_the_same_in_parts(small, monkeypatch):
    ids = small.source.encode(SENTENCE), small.target.encode(TARGET)
    whole = gradient_times_input(small.model.network, *ids)
    monkeypatch.setattr(sentence_views, "ROWS", 2)
    in_parts = gradient_times_input(small.model.network, *ids)

    assert len(whole) > 2
    np.testing.assert_allclose(in_parts, whole, rtol=1e-5, atol=1e-6)


def test_gradient_times_input_is_the_slope_when_an_embedding_shrinks(small):
    network = small.model.network
    source = small.source.encode(SENTENCE)
    target = small.target.encode("der Hund .")
    found = gradient_times_input(small.model.network, source, target)

    table = network.encoder.embedding.embeddings
    before = table.numpy()
    place = source.index(source[2])
    assert source.count(source[2]) == 1

    def log_prob(scale):
        scaled = before.copy()
        scaled[source[2]] *= scale
        table.assign(scaled)
        logits, _ = network(tf.constant([source]), tf.constant([target[:-1]]), training=False)
        return tf.nn.log_softmax(logits)[0, 1, target[2]].numpy()

    slope = (log_prob(1.01) - log_prob(0.99)) / 0.02
    table.assign(before)
    assert found.shape == (len(target) - 1, len(source))
    assert found[1, place] == pytest.approx(slope, abs=2e-2, rel=2e-2)


def test_a_notebook_shows_the_page_in_a_frame():
    shown = Page('<p title="a">', live=False, note="")._repr_html_()

    assert shown.startswith("<iframe")
    assert 'srcdoc="&lt;p title=&quot;a&quot;&gt;"' in shown
    assert "height: 900px" in shown


@pytest.fixture(scope="module")
def made_page(ready):
    return make_page(ready, name="ready-made translator", run_dir=RUN_DIR)


def test_the_committed_page_has_this_script_and_this_style(committed):
    data = data_of(committed)

    assert make_document(f"Inside {data['name']}", data) == committed.html
    assert len(committed.html.encode()) <= 9_000_000


@pytest.mark.slow
def test_the_committed_page_holds_the_translator_of_the_package(committed, made_page):
    """All that is no number with a fraction, which may differ in its last digit."""
    old, new = data_of(committed), data_of(made_page)
    assert old["weights"]["checksum"] == new["weights"]["checksum"]
    for name in ("kinds", "maxLength", "decoding", "tokenizers", "training", "heads", "model"):
        assert old[name] == new[name], name
    for before, after in zip(old["sentences"], new["sentences"], strict=True):
        for name in ("source", "target", "sourceIds", "targetIds", "sourceTokens", "text"):
            assert before[name] == after[name], name


def test_long_sentences_do_not_make_a_live_page_heavy(monkeypatch):
    """It computes maps and candidates itself, and keeps some to check itself by."""
    lengths = (10, 30, 60, 20)
    views = [
        {"maps": {"cross": {"data": "x" * length}}, "steps": [{"id": 7, "candidates": ["a cat"]}]}
        for length in lengths
    ]
    for room, kept in (
        (60, [True, True, False, True]),
        (0, [True, False, False, False]),  # the first sentence's always
    ):
        monkeypatch.setattr(sentence_views, "MAX_MAPS_BYTES", room)
        left = sentence_views.without_what_is_computed(views)
        assert [bool(view["maps"]) for view in left] == kept
        assert all(view["steps"] == [{"id": 7, "candidates": []}] for view in left)


@pytest.mark.slow
def test_only_a_page_that_computes_leaves_out_what_it_can_compute(small, small_page, monkeypatch):
    live = data_of(small_page)["sentences"][0]
    monkeypatch.setattr("tf_models.tasks.translation.page.page.MAX_LIVE_MODEL", 0)
    fixed = data_of(make_page(small, [SENTENCE], TARGET))["sentences"][0]

    assert not any(step["candidates"] for step in live["steps"])
    assert all(step["candidates"] for step in fixed["steps"])
    assert fixed["maps"]


def test_measured_heads_of_a_run_directory(small, tmp_path):
    """The page reads the table that research/heads writes, if it is of these weights."""
    network = small.model.network

    def heads_of(text):
        (tmp_path / "heads.csv").write_text(text, encoding="utf-8")
        page = make_page(small, [SENTENCE], TARGET, run_dir=tmp_path)
        return data_of(page)["heads"], "heads.csv" in page.note

    table = f"kind,layer,head,weights\nany,,none,{half_fingerprint(network)}\n"
    assert heads_of(table) == (table, False)
    assert heads_of("kind,layer,head\nany,,none\n") == ("", True)
    bias = network.final_layer.bias
    before = bias.numpy()
    bias.assign(before + 1)
    try:
        assert heads_of(table) == ("", True)
    finally:
        bias.assign(before)

    (tmp_path / "heads.csv").write_bytes(b"kind,layer,head\n\xff,,none\n")
    with pytest.raises(InputError, match="heads.csv"):
        make_page(small, [SENTENCE], TARGET, run_dir=tmp_path)


def test_epochs_are_spread_where_there_is_no_room_for_all():
    epochs = [{"epoch": i, "maps": {"cross": {"data": "x" * 100}}} for i in range(1, 12)]

    assert [one["epoch"] for one in spread(epochs, 10_000)] == list(range(1, 12))
    assert [one["epoch"] for one in spread(epochs, 350)] == [1, 6, 11]
    assert [one["epoch"] for one in spread(epochs, 10)] == [1, 11]
    assert spread([], 10) == []
