from types import SimpleNamespace

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.tasks.translation import ensemble
from tf_models.tasks.translation.ensemble import Ensemble, load_translators
from tf_models.tasks.translation.recurrent_model import build_recurrent
from tf_models.tasks.translation.settings import RecurrentSettings
from tf_models.tasks.translation.translator import Translator

SENTENCES = ["the dog sees the cat .", "a cat sleeps .", "the animal ."]


@pytest.fixture(scope="module")
def other(random_translator):
    """Another architecture with the same tokenizers."""
    keras.utils.set_random_seed(1)
    settings = RecurrentSettings(d_model=8, units=8, positions=32)
    model = build_recurrent(settings, random_translator.tokenizers, "float32", attends=True)
    for weight in model.network.trainable_variables:
        weight.assign(weight + 0.5 * np.random.default_rng(2).normal(size=weight.shape))
    return Translator(model, random_translator.tokenizers, 32)


def test_probabilities_are_averaged(random_translator, other):
    models = (random_translator.model, other.model)
    inp = tf.constant([random_translator.source.encode(SENTENCES[0])])
    ids = tf.constant([[random_translator.tokenizers.target.start_id, 7]])  # two hypotheses

    def probabilities(model):
        memory = model.encode(inp)
        logits, _ = model.step([0])(ids, memory, model.initial_state(memory, 2))
        return tf.nn.softmax(logits).numpy()

    expected = np.mean([probabilities(model) for model in models], axis=0)
    np.testing.assert_allclose(probabilities(Ensemble(models)), expected, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True])
def test_a_model_with_itself_is_itself(random_translator, compiled):
    twice = Translator(
        Ensemble([random_translator.model] * 2),
        random_translator.tokenizers,
        random_translator.max_length,
    )
    options = {"beam_size": 3, "compiled": compiled}
    for ours, single in zip(
        twice.translate(SENTENCES, **options), random_translator.translate(SENTENCES, **options),
        strict=True,
    ):  # fmt: skip
        assert ours[0].text == single[0].text
        assert ours[0].score == pytest.approx(single[0].score, abs=1e-4)


@pytest.fixture
def runs(random_translator, other, monkeypatch):
    """Runs by name, as if they had been trained."""
    found = {"one": random_translator, "two": other}
    monkeypatch.setattr(ensemble.Translator, "load", lambda path, checkpoint: found[path])
    return found


def test_runs_of_the_same_tokenizers(runs):
    assert load_translators(["one"]) is runs["one"]
    both = load_translators(["one", "two"])

    assert both.max_length == 32  # what both can read
    assert both.decoding == runs["one"].decoding
    assert len(both.translate(SENTENCES, beam_size=2)) == 3


def test_other_tokenizers_are_refused(runs, random_translator):
    swapped = SimpleNamespace(
        source=random_translator.tokenizers.target, target=random_translator.tokenizers.source
    )
    runs["two"] = SimpleNamespace(tokenizers=swapped)
    with pytest.raises(InputError, match="the tokenizers of one and two differ"):
        load_translators(["one", "two"])
