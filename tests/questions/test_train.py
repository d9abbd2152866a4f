import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.questions.answer import Answerer
from tf_models.questions.evaluate import evaluate_answerer
from tf_models.questions.settings import preset
from tf_models.questions.train import prepare_question_training
from tf_models.training.run_directory import RunDirectory


@pytest.mark.slow
def test_it_learns_stories_by_heart(answer_training, questions):
    answerer = Answerer.load(answer_training.run.path, "latest")
    assert np.mean(evaluate_answerer(answerer, questions.train).exact) > 0.9


def test_questions_that_are_too_long_are_left_out(prepare_in, questions, tmp_path):
    training = prepare_in(tmp_path, max_facts=5)
    short = [one for one in questions.train if len(one.facts) <= 5]
    batches = list(training.batches.batches_from(0, 0, 1))
    assert sum(len(asked) for _, asked, *_ in batches) == len(short) < 40
    with pytest.raises(InputError, match="all 40 training questions are too long: the story has"):
        prepare_in(tmp_path, "none", max_facts=1)


@pytest.mark.slow
def test_lstms_are_trained_and_read_again(answer_training, questions, tmp_path):
    changes = {"embedding_dim": 8, "units": 32, "batch_size": 20, "learning_rate": 0.02}
    settings = preset("lstm").changed(**changes, epochs=100)
    run = RunDirectory(tmp_path / "lstm")
    training = prepare_question_training(run, questions, settings, 0, report=print)
    assert training.fit()
    answerer = Answerer.load(run.path, "latest")
    assert not answerer.model.attends
    assert np.mean(evaluate_answerer(answerer, questions.train).exact) > 0.9
    with pytest.raises(InputError, match="model.hops"):
        prepare_question_training(answer_training.run, questions, settings, 0, report=print)
