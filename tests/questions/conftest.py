"""A model so small that it trains in a second, and stories for it."""

import pytest

from tf_models.data.stories import QuestionSet, embedded_questions
from tf_models.questions.settings import preset
from tf_models.training.run_directory import RunDirectory

SETTINGS = preset("attention").changed(
    embedding_dim=8, units=16, hops=2, dropout=0.05, batch_size=20, epochs=40, learning_rate=0.02
)


@pytest.fixture(scope="session")
def questions():
    """Few, so that they are learnt by heart."""
    every = embedded_questions(40)
    return QuestionSet("tiny", every.train, every.validation[:10], every.test[:30])


@pytest.fixture(scope="session")
def prepare_in(questions):
    """prepare_in(folder, name="run", **changes): a training in a run directory."""
    from tf_models.questions.train import prepare_question_training

    def make(folder, name="run", questions=questions, **changes):
        return prepare_question_training(
            RunDirectory(folder / name),
            questions,
            SETTINGS.changed(**changes),
            0,
            report=lambda line: None,
        )

    return make


@pytest.fixture(scope="session")
def answer_training(prepare_in, tmp_path_factory):
    """A training that has come to its end, without interruption."""
    training = prepare_in(tmp_path_factory.mktemp("runs"), "uninterrupted")
    assert training.fit()
    return training
