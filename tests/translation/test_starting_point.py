"""A training that starts with the weights of another one."""

import json
import shutil

import numpy as np
import pytest

from tests.support.language import PAIRS
from tests.support.tiny import in_folder
from tf_models.data.corpora import Corpus
from tf_models.errors import InputError
from tf_models.translation.translate import Translator

OWN = Corpus("own", "en", "de", PAIRS[100:130], PAIRS[130:135], PAIRS[135:])


@pytest.fixture
def trained(uninterrupted, tmp_path):
    """A run directory."""
    return shutil.copytree(uninterrupted.run.path, tmp_path / "trained")


@pytest.fixture
def further(trained, tmp_path):
    """further("name"): a training on other pairs that starts from the trained run."""

    def make(name="further", corpus=OWN, **changes):
        options = {"dropout": 0.3, "epochs": 2, "start_from": str(trained), "seed": 1}
        return in_folder(tmp_path, corpus)(name, **{**options, **changes})

    return make


def weights(model):
    return [variable.numpy() for variable in model.trainable_variables]


def assert_same(one, other):
    for a, b in zip(weights(one), weights(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_it_has_the_weights_and_the_tokenizers(further, trained):
    """And nothing else: dropout may be another, and the optimizer starts anew."""
    training = further()

    assert_same(training.model, Translator.load(trained).model.network)
    assert int(training.model.optimizer.iterations) == 0
    for name in ("source.model", "target.model"):
        copied = training.run.tokenizers / name
        assert copied.read_bytes() == (trained / "tokenizer" / name).read_bytes()
    assert json.loads(training.run.config_file.read_text())["start_from"] == str(trained)


@pytest.mark.slow
def test_it_goes_on_to_the_bit_without_the_trained_run(further, trained):
    whole = further("whole")
    whole.fit()
    part = further("parts")
    part.epochs = 1  # as if killed behind the first epoch
    part.fit()
    shutil.rmtree(trained)
    resumed = further("parts")
    resumed.fit()

    assert_same(resumed.model, whole.model)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 32}, "keeps its model and its tokenizer"),
        ({"pieces": 70}, "keeps its model and its tokenizer"),
        ({"tokenizer": "joint"}, "keeps its model and its tokenizer"),
        (
            {"corpus": Corpus("back", "de", "en", OWN.train, OWN.validation, OWN.test)},
            "translates from en to de, and the corpus goes from de to en",
        ),
    ],
)
def test_another_model_or_other_languages(further, tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        further(**changes)
    assert not (tmp_path / "further").exists()
