"""A small translator and the ready-made one, their pages, and a browser to open them in."""

import pytest

from tests.support.chromium import chromium
from tf_models.transformer.model import Transformer
from tf_models.translation.model import TransformerModel
from tf_models.translation.page.page import make_page, rounded
from tf_models.translation.settings import RUN_DIR
from tf_models.translation.translate import Translator, ready_made

SENTENCES = ["a cat sleeps .", "a dog sleeps ."]
LONGEST = 24  # tokens: a model that has learnt nothing never comes to an end


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
def ready_page(ready):
    return make_page(ready_made(), name="ready-made translator", run_dir=RUN_DIR)


@pytest.fixture(scope="session")
def open_page(chromium, tmp_path_factory):
    """open_page(html, hash="", **context): the page, computed and drawn, from the file system.

    What it says on the console, and what it asks for, is in `heard` and `requested` of the result.
    """
    contexts = []

    def opened(html, fragment="", **options):
        path = tmp_path_factory.mktemp("page") / "page.html"
        path.write_text(html, encoding="utf-8")
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.heard, page.requested = [], []
        page.on("console", lambda message: page.heard.append(message.text))
        page.on("pageerror", lambda error: page.heard.append(str(error)))
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(path.as_uri() + fragment)
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
    """The page as it is when it opens, in a plain state."""
    live.mouse.move(0, 0)  # a cell under it would be pointed at, whenever the page is drawn
    live.evaluate("""attentionPage.set({
        view: 'heads', kind: 'cross', layer: 0, head: 0, heads: [], row: null, column: null,
        source: attentionPage.sentences[0].source, target: null, chosen: [], second: '',
        words: false, marks: true, off: [], edits: [], step: 0, alpha: 0.6,
    })""")
    return live
