"""A model so small that it trains in a second, and stories for it."""

import pytest

from tf_models.data.stories import QuestionSet, embedded_questions
from tf_models.questions.settings import preset

SETTINGS = preset("attention").changed(
    embedding_dim=8, units=16, hops=2, dropout=0.05, batch_size=20, epochs=40, learning_rate=0.02
)


@pytest.fixture(scope="session")
def questions():
    """Few, so that they are learnt by heart."""
    every = embedded_questions(40)
    return QuestionSet("tiny", every.train, every.validation[:10], every.test[:30])


@pytest.fixture(scope="session")
def train(questions, tmp_path_factory):
    """train("run", **changes): a trained model's loop, in a run directory of that name."""
    from tf_models.questions.train import train_question_answering

    folder = tmp_path_factory.mktemp("answerers")

    def make(name, settings=SETTINGS, report=lambda line: None, **changes):
        options = {"evaluates": False, "report": report}
        changed = settings.changed(**changes)
        return train_question_answering(folder / name, questions, changed, **options)

    return make
