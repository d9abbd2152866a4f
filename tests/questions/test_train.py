import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.questions.answer import Answerer
from tf_models.questions.evaluate import exact_answers
from tf_models.questions.settings import preset

LSTM = preset("lstm").changed(embedding_dim=8, units=32, batch_size=20, learning_rate=0.02)


@pytest.mark.slow
def test_stories_are_memorised(train, questions):
    answerer = Answerer.load(train("whole").run.path, "latest")
    assert np.mean(exact_answers(answerer, questions.train)) > 0.9


@pytest.mark.slow
def test_lstms_are_trained_and_read_again(train, questions):
    training = train("lstm", LSTM, epochs=100)
    answerer = Answerer.load(training.run.path, "latest")
    assert not answerer.model.attends
    assert np.mean(exact_answers(answerer, questions.train)) > 0.9
    with pytest.raises(InputError, match="model.hops"):
        train("lstm")
