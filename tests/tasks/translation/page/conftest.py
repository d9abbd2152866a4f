"""A small translator, its page, and a browser to open it in."""

from pathlib import Path

import pytest

from tests.support.attention_page import data_of
from tests.support.chromium import chromium
from tf_models.tasks.translation.page.document import make_document
from tf_models.tasks.translation.page.packed import rounded
from tf_models.tasks.translation.page.page import Page, make_page
from tf_models.tasks.translation.ready_made import ready_made
from tf_models.tasks.translation.transformer_model import TransformerModel
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.model import Transformer

SENTENCES = ["a cat sleeps .", "a dog sleeps ."]
LONGEST = 24  # tokens: a model that has learnt nothing never comes to an end
COMMITTED = Path(__file__).parents[4] / "docs" / "attention-page.html"


@pytest.fixture(scope="session")
def small(random_translator):
    """Has learnt nothing, is done quickly, and has three tables: its source, its target, its
    output layer. Its weights are rounded, as its page has them.
    """
    network = random_translator.model.network
    sizes = {"pe_input": LONGEST, "pe_target": LONGEST}
    copy = Transformer.from_config({**network.get_config(), **sizes})
    copy.build()
    copy.set_weights(network.get_weights())
    with rounded(copy):
        yield Translator(TransformerModel(copy), random_translator.tokenizers, LONGEST)


@pytest.fixture(scope="session")
def small_page(small):
    return make_page(small, SENTENCES, name="small")


@pytest.fixture(scope="session")
def ready():
    """The translator of the package, rounded as its page has it."""
    translator = ready_made()
    with rounded(translator.model.network):
        yield translator


@pytest.fixture(scope="session")
def committed():
    """docs/attention-page.html; scripts/view_attention.py writes it."""
    return Page(COMMITTED.read_text(encoding="utf-8"), live=True, note="")


@pytest.fixture(scope="session")
def ready_page(committed):
    """The page of `ready`: what is committed (test_page.py compares), with the script as it is."""
    data = data_of(committed)
    return committed._replace(html=make_document(f"Inside {data['name']}", data))


@pytest.fixture(scope="session")
def open_page(chromium, tmp_path_factory):
    """open_page(html, hash="", **context): the page, computed and drawn, from the file system.

    ready: whether to wait until it is drawn; script: runs before its own. What it says on the
    console, and what it asks for, is in `heard` and `requested` of the result.
    """
    contexts = []

    def opened(html, fragment="", *, ready=True, script="", **options):
        path = tmp_path_factory.mktemp("page") / "page.html"
        path.write_text(html, encoding="utf-8")
        context = chromium.new_context(**options)
        contexts.append(context)
        context.add_init_script(script)
        page = context.new_page()
        page.heard, page.requested = [], []
        page.on("console", lambda message: page.heard.append(message.text))
        page.on("pageerror", lambda error: page.heard.append(str(error)))
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(path.as_uri() + fragment)
        if ready:
            page.locator("#self-check[data-good]").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def live(open_page, ready_page):
    return open_page(ready_page.html)


@pytest.fixture
def page(live):
    """The page as it is when it opens."""
    live.mouse.move(0, 0)  # a cell under it would be pointed at, whenever the page is drawn
    live.set_viewport_size({"width": 1280, "height": 900})
    live.evaluate("location.hash = ''")
    live.evaluate("""attentionPage.set({
        view: 'heads', kind: 'cross', layer: 0, head: 0, heads: [], row: null, column: null,
        source: attentionPage.sentences[0].source, target: null, prefix: '', chosen: [],
        second: '', words: false, marks: true, values: false, off: [], edits: [], step: 0,
        alpha: 0.6,
    })""")
    return live
