"""The page as text; what it computes and shows is tested in a browser (test_in_browser_*.py)."""

import json
import re

import pytest

from tf_models.errors import InputError
from tf_models.plotting.query import HEAD_COLORS
from tf_models.translation.page import page
from tf_models.translation.page.page import (
    WEB,
    Page,
    join_modules,
    make_document,
    make_page,
    named_weights,
    show_heads,
)

SENTENCE, TARGET = "a cat sleeps .", "eine Katze schläft ."  # so that none is searched
EVIL = "</script><script>alert(1)</script>"


def test_heads_have_the_colours_of_the_figures():
    script = (WEB / "page/colors.js").read_text("utf-8")
    listed = re.search(r"const HEADS = \[(.*?)\]", script, re.DOTALL)[1]
    assert tuple(re.findall(r"#\w{6}", listed)) == HEAD_COLORS


def test_every_weight_is_in_the_page_once(small):
    network = small.model.network
    named = dict(named_weights(network))

    assert sum(values.size for values in named.values()) == network.count_params()


def test_a_model_that_is_too_large_is_refused(small, monkeypatch):
    monkeypatch.setattr(page, "MAX_PAGE", 1000)
    with pytest.raises(InputError, match="MB of the page"):
        make_page(small, [SENTENCE], TARGET)


def test_wrong_input(small):
    with pytest.raises(InputError, match="--target needs one --sentence; received 2"):
        make_page(small, [SENTENCE, SENTENCE], "der Hund")
    with pytest.raises(InputError, match="empty"):
        make_page(small, [SENTENCE, " "])


def test_a_notebook_shows_the_page_in_a_frame():
    shown = Page('<p title="a">')._repr_html_()

    assert shown.startswith("<iframe")
    assert 'srcdoc="&lt;p title=&quot;a&quot;&gt;"' in shown


def test_a_cell_has_the_page_of_one_sentence(small):
    shown = show_heads(small, SENTENCE)

    assert '"inCell":true' in shown.html
    assert "height: 800px" in shown._repr_html_()


def test_data_cannot_end_its_element():
    html = make_document("a <title>", {"sentence": EVIL})

    assert EVIL not in html
    assert "content=\"default-src 'none'; script-src 'unsafe-inline'" in html
    assert "<title>a &lt;title&gt;</title>" in html
    assert json.loads(re.search(r'id="data">(.*?)</script>', html)[1]) == {"sentence": EVIL}


def test_a_module_comes_after_what_it_imports_and_once(tmp_path):
    modules = {
        "main": 'import { a } from "./one.js";\nimport { b } from "./two.js";\na(b);\n',
        "two": 'import { a } from "./one.js";\nexport const b = a;\n',
        "one": "export function a() {}\n",
    }
    for name, text in modules.items():
        (tmp_path / f"{name}.js").write_text(text)
    script = join_modules(tmp_path / "main.js")

    assert script.count("function a()") == 1
    assert script.index("module_one =") < script.index("module_two =") < script.index("a(b)")
    assert "import " not in script
    assert "export " not in script
    assert "const { a } = module_one;" in script
    assert "return { b };" in script


def test_no_module_lies_unused_and_none_reads_text_as_html():
    script = join_modules(WEB / "page" / "main.js")
    for path in WEB.rglob("*.js"):
        assert script.count(f"module_{path.stem} =") == 1
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in script
