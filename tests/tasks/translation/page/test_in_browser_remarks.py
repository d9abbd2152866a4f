"""What the page says of a sentence under its field is what the package says."""

import pytest
from tests.tasks.translation.test_remarks import SENTENCES, TRAINING
from tf_models.data.text.word_list import WordList
from tf_models.tasks.translation.remarks import TrainingSentences

from tf_models.tasks.translation.page.page import make_page
from tf_models.tasks.translation.translator import Translator

pytestmark = pytest.mark.browser

REMARK = """(texts) => {
    return texts.map((text) => attentionPage.training.remarks(text));
}"""


@pytest.fixture(scope="module")
def knowing(small):
    """The small translator, and what it was trained on."""
    training = TrainingSentences(20, WordList.of([*TRAINING, "a cat sleeps ."]))
    return Translator(small.model, small.tokenizers, small.max_length, training=training)


@pytest.fixture(scope="module")
def knowing_page(open_page, knowing):
    return open_page(make_page(knowing, ["a cat sleeps ."]).html)


def test_remarks_are_those_of_the_package(knowing_page, knowing):
    sentences = [*SENTENCES, "x² ½ ٣ 12:30 naïve don´t", "The \N{GRINNING FACE} “dog’s” ﬁsh"]
    found = knowing_page.evaluate(REMARK, sentences)

    assert found == [str(knowing.remarks(sentence)) for sentence in sentences]
    assert len(set(found)) > 10


def test_the_line_under_the_sentence_follows_what_is_typed(knowing_page):
    line = knowing_page.locator("#remarks")
    assert line.is_hidden()

    knowing_page.fill("#sentence", "a seat sleeps .")
    assert line.inner_text() == "not in the training sentences, so guessed: seat"
    assert knowing_page.evaluate("attentionPage.state.source") == "a cat sleeps ."

    knowing_page.fill("#sentence", "a cat sleeps .")
    assert line.is_hidden()


def test_typographic_marks_are_read_as_plain_ones(knowing_page, knowing):
    found = knowing_page.evaluate(
        "(texts) => texts.map((t) => attentionPage.translator.encode(t))",
        sentences := ["a cat’s ‘dog’ “sleeps” .", "a cat's 'dog' .", "the cat"],
    )
    assert found == [knowing.source.encode(sentence) for sentence in sentences]
    read = knowing_page.evaluate("attentionPage.training.alphabet.read('‘“a”’')")
    assert read == knowing.source.alphabet.read("‘“a”’") == "a"


def test_a_run_without_a_list(open_page, small_page, small):
    page = open_page(small_page.html)
    assert page.evaluate(REMARK, ["petrified", "I AM"]) == [
        str(small.remarks(sentence)) for sentence in ("petrified", "I AM")
    ]
    assert page.locator("#remarks").is_hidden()
