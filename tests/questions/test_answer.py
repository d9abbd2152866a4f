from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from tests.support.eager import eagerly
from tf_models.data.stories import Question
from tf_models.errors import InputError
from tf_models.questions.answer import Answerer, build_model
from tf_models.questions.evaluate import evaluate_answerer
from tf_models.questions.figures import draw_answer, draw_kinds
from tf_models.questions.settings import preset

KITCHEN = ("Anna went to the kitchen.",)


@pytest.fixture(scope="module", autouse=True)
def _eagerly():
    with eagerly():
        yield


@pytest.fixture(scope="module")
def answerer(tiny_run):
    return Answerer.load(tiny_run("questions"))


@pytest.fixture(scope="module")
def evaluation(answerer, questions):
    return evaluate_answerer(answerer, questions.test)


def test_alone_or_together_the_answers_are_the_same(answerer, evaluation, questions):
    alone = [answerer.answer(one) for one in questions.test[:8]]

    assert [one.text for one in alone] == evaluation.answers[:8]
    assert len(set(evaluation.answers)) > 1
    for one, question in zip(alone, questions.test, strict=False):
        assert one.steps == ["hop 1", "hop 2", *(one.text.split() or ["<end>"])]
        assert one.weights.shape == (len(one.steps), len(question.facts))
        np.testing.assert_allclose(one.weights.sum(axis=1), 1, atol=1e-5)
        (first, weight), *_ = one.most_read()
        assert weight == pytest.approx(one.weights[:, first].mean())
        assert weight == max(w for _, w in one.most_read())


def test_the_right_answer_is_not_read(answerer, questions):
    one = questions.test[0]
    other = replace(one, answer="at school" if one.answer != "at school" else "nobody")
    assert answerer.answer(other).text == answerer.answer(one).text


def test_scores_are_those_of_the_answers(evaluation, questions):
    right = [a == q.answer for a, q in zip(evaluation.answers, questions.test, strict=True)]
    assert evaluation.exact.tolist() == right
    by_kind = evaluation.by_kind()
    assert by_kind.keys() == {one.kind for one in questions.test}
    assert sum(count for _, count in by_kind.values()) == 30
    by_facts = evaluation.by_facts()
    assert list(by_facts) == sorted(by_facts, key=lambda row: int(row.split("-")[0]))
    for rows in (by_kind, by_facts):
        total = sum(share * count for share, count in rows.values())
        assert total == pytest.approx(sum(right))
    assert by_facts["1-3 facts"][1] == sum(len(one.facts) <= 3 for one in questions.test)


def test_a_model_without_attention_answers_and_has_nothing_to_draw(answerer, questions):
    settings = preset("lstm").changed(units=4)
    model = build_model(settings, answerer.vocabulary)
    plain = Answerer(model, answerer.vocabulary, answerer.limits)
    answers = [plain.answer(one) for one in questions.test[:3]]
    assert [one.text for one in answers] == evaluate_answerer(plain, questions.test[:3]).answers
    assert answers[0].weights is None
    with pytest.raises(InputError, match="a model without attention has no weights to draw"):
        draw_answer(questions.test[0], answers[0])


def test_any_number_of_facts_and_an_answer_that_training_has_not(answerer, questions):
    strange = replace(questions.test[0], answer="in Timbuktu", kind="strange")
    long = replace(questions.train[1], facts=KITCHEN * 101)
    found = evaluate_answerer(answerer, [strange, long])
    assert not found.exact[0]
    assert found.answers == [answerer.answer(one).text for one in (strange, long)]


def test_the_title_of_a_figure_says_what_would_have_been_right(answerer, questions):
    question = questions.test[0]
    answer = answerer.answer(question)
    titles = {}
    for right in (answer.text, "on the moon"):
        figure = draw_answer(replace(question, answer=right), answer)
        titles[right] = " ".join(text.get_text() for text in figure.findobj(Text))
    assert "(right:" not in titles[answer.text]
    assert "(right: on the moon)" in titles["on the moon"].replace("\n", " ")


def test_a_figure_for_each_kind(answerer, questions):
    odd = replace(questions.test[0], kind="qa1/two facts?")
    assert set(draw_kinds(answerer, [*questions.test, odd])) == {
        *("attention-where-is", "attention-who-has", "attention-yes-or-no", "attention-how-many"),
        *("attention-before-and-after", "attention-qa1-two-facts-"),
    }


@pytest.mark.parametrize(
    ("facts", "asked", "message"),
    [
        ((), "Where is Anna?", "there are no facts"),
        (KITCHEN, "Wo ist Berta?", "knows no word of the question"),
        (KITCHEN, "", "knows no word of the question"),
    ],
)
def test_what_cannot_be_answered(facts, asked, message, answerer):
    with pytest.raises(InputError, match=message):
        answerer.answer(Question(facts, asked, ""))


def test_words_never_read(answerer):
    question = Question((*KITCHEN, "Berta slept."), "Is Berta in the kitchen?", "")
    found = answerer.answer(question)
    without = answerer.answer(Question(KITCHEN, "Is in the kitchen?", ""))
    assert found.text == without.text
    np.testing.assert_allclose(found.weights[:, :-1], without.weights, atol=1e-6)
    np.testing.assert_array_equal(found.weights[:, -1], 0)

    nothing = answerer.answer(Question(("Berta slept.",), "Is Berta in the kitchen?", ""))
    assert np.isfinite(nothing.weights).all()


def test_runs_that_are_no_answerers(tiny_run):
    with pytest.raises(InputError, match="holds a run of kind vae, not question answering"):
        Answerer.load(tiny_run("vae"))
