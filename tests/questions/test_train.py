import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.questions.answer import Answerer
from tf_models.questions.evaluate import evaluate_answerer
from tf_models.questions.settings import preset

LSTM = preset("lstm").changed(embedding_dim=8, units=32, batch_size=20, learning_rate=0.02)


def test_questions_that_are_too_long_are_left_out(train, questions):
    lines = []
    training = train("short", max_facts=5, epochs=1, report=lines.append)
    short = [one for one in questions.train if len(one.facts) <= 5]
    batches = list(training.batches.batches_from(0, 0, 1))
    assert sum(len(asked) for _, asked, *_ in batches) == len(short) < 40
    assert f"{len(short)} of 40 questions are short enough" in lines
    with pytest.raises(InputError, match="all 40 questions are too long: the story has"):
        train("none", max_facts=1)


@pytest.mark.slow
def test_stories_are_memorised(train, questions):
    answerer = Answerer.load(train("whole").run.path, "latest")
    assert np.mean(evaluate_answerer(answerer, questions.train).exact) > 0.9


@pytest.mark.slow
def test_lstms_are_trained_and_read_again(train, questions):
    training = train("lstm", LSTM, epochs=100)
    answerer = Answerer.load(training.run.path, "latest")
    assert not answerer.model.attends
    assert np.mean(evaluate_answerer(answerer, questions.train).exact) > 0.9
    with pytest.raises(InputError, match="model.hops"):
        train("lstm")
