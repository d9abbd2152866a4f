"""The page as text; what it computes and shows is tested in a browser (test_in_browser_*.py)."""

import re
from importlib import resources

import numpy as np
import pytest

from tests.support.attention_page import data_of
from tf_models.errors import InputError
from tf_models.plotting.attention_lines import HEAD_COLORS
from tf_models.translation.page import page
from tf_models.translation.page.page import Page, make_page, named_weights

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
def test_size(ready, ready_page):
    size = len(ready_page.html.encode())
    assert size <= 2.8 * ready.model.network.count_params() + 900_000


def test_a_model_that_is_too_large_is_left_out(small, monkeypatch):
    monkeypatch.setattr(page, "MAX_LIVE_MODEL", 1000)
    made = make_page(small, [SENTENCE], TARGET)
    data = data_of(made)

    assert not made.live
    assert "MB" in made.note
    assert "weights" not in data
    assert data["sentences"][0]["source"] == SENTENCE
    assert all(step["candidates"] for step in data["sentences"][0]["steps"])


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


def test_a_notebook_shows_the_page_in_a_frame():
    shown = Page('<p title="a">', live=False, note="")._repr_html_()

    assert shown.startswith("<iframe")
    assert 'srcdoc="&lt;p title=&quot;a&quot;&gt;"' in shown


def test_measured_heads_of_a_run_directory(small, tmp_path):
    table = "kind,layer,head\nany,,none\n"
    (tmp_path / "heads.csv").write_text(table, encoding="utf-8")

    assert data_of(make_page(small, [SENTENCE], TARGET, run_dir=tmp_path))["heads"] == table
