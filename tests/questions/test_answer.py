from dataclasses import replace

import numpy as np
import pytest
import tensorflow as tf
from matplotlib.text import Text

from tf_models.data.stories import Question
from tf_models.errors import InputError
from tf_models.questions.answer import Answerer, build_model
from tf_models.questions.evaluate import exact_answers, shares_of
from tf_models.questions.figures import draw_answer, draw_kinds
from tf_models.questions.settings import preset

KITCHEN = ("Anna went to the kitchen.",)

pytestmark = pytest.mark.usefixtures("line_by_line")


@pytest.fixture(scope="module")
def answerer(tiny_run):
    return Answerer.load(tiny_run("questions"))


def test_alone_or_together_the_answers_are_the_same(answerer, questions):
    together = answerer.answers(questions.test)
    alone = [answerer.answer(one) for one in questions.test[:8]]

    assert [one.text for one in alone] == together[:8]
    assert len(set(together)) > 1
    for one, question in zip(alone, questions.test, strict=False):
        assert one.steps == ["hop 1", "hop 2", *(one.text.split() or ["<end>"])]
        assert one.weights.shape == (len(one.steps), len(question.facts))
        np.testing.assert_allclose(one.weights.sum(axis=1), 1, atol=1e-5)
        (first, weight), *_ = one.most_read()
        assert weight == pytest.approx(one.weights[:, first].mean())
        assert weight == max(share for _, share in one.most_read())


def test_the_right_answer_is_not_read(answerer, questions):
    one = questions.test[0]
    assert answerer.answer(replace(one, answer="nobody")).text == answerer.answer(one).text


def test_scores_are_those_of_the_answers(answerer, questions):
    exact = exact_answers(answerer, questions.test)
    written = zip(answerer.answers(questions.test), questions.test, strict=True)
    assert exact.tolist() == [answer == one.answer for answer, one in written]

    told = [(2, "a"), (9, "b"), (4, "a"), (3, "b"), (1, "a")]
    asked = [Question(KITCHEN * count, "?", "", kind=kind) for count, kind in told]
    assert shares_of(asked, np.array([1, 0, 1, 0, 0])) == {
        "a": (pytest.approx(2 / 3), 3),
        "b": (0, 2),
        "all": (pytest.approx(2 / 5), 5),
        "1-3 facts": (pytest.approx(1 / 3), 3),
        "4-6 facts": (1, 1),
        "7-9 facts": (0, 1),
    }


def test_a_model_without_attention_answers_and_has_nothing_to_draw(answerer, questions):
    model = build_model(preset("lstm").changed(units=4), answerer.vocabulary)
    plain = Answerer(model, answerer.vocabulary)
    answers = [plain.answer(one) for one in questions.test[:3]]
    assert [one.text for one in answers] == plain.answers(questions.test[:3])
    with pytest.raises(InputError, match="without attention"):
        draw_answer(questions.test[0], answers[0])


def test_figures_of_each_kind_say_what_would_have_been_right(answerer, questions):
    odd = replace(questions.test[0], kind="qa1/two facts?", answer="on the moon")
    figures = draw_kinds(answerer, [*questions.test, odd])
    assert set(figures) == {
        *("attention-where-is", "attention-who-has", "attention-yes-or-no", "attention-how-many"),
        *("attention-before-and-after", "attention-qa1-two-facts-"),
    }
    written = (text.get_text() for text in figures["attention-qa1-two-facts-"].findobj(Text))
    assert "(right: on the moon)" in " ".join(written).replace("\n", " ")


def test_no_facts(answerer):
    with pytest.raises(InputError, match="there are no facts"):
        answerer.answer(Question((), "Where is Anna?", ""))


def test_words_never_read(answerer):
    question = Question((*KITCHEN, "Berta slept."), "Is Berta in the kitchen?", "")
    found = answerer.answer(question)
    without = answerer.answer(Question(KITCHEN, "Is in the kitchen?", ""))
    assert found.text == without.text
    np.testing.assert_allclose(found.weights[:, :-1], without.weights, atol=1e-6)
    np.testing.assert_array_equal(found.weights[:, -1], 0)

    nothing = answerer.answer(Question(("Berta slept.",), "Wo?", ""))
    assert np.isfinite(nothing.weights).all()


def test_a_second_story_of_another_length_traces_nothing_new(answerer, questions, monkeypatch):
    traced, encode = [], answerer.model.encode
    monkeypatch.setattr(
        answerer.model, "encode", lambda *story: traced.append(story) or encode(*story)
    )
    fresh = Answerer(answerer.model, answerer.vocabulary)
    tf.config.run_functions_eagerly(False)
    try:
        alone = [fresh.answer(one).text for one in questions.test[:3]]
        together = fresh.answers(questions.test)
    finally:
        tf.config.run_functions_eagerly(True)
    assert together[:3] == alone
    assert len(traced) == 1
