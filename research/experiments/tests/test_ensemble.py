import shutil
from types import SimpleNamespace

import keras
import numpy as np
import pytest
import tensorflow as tf

from research.experiments.ensemble_model import Ensemble, together
from tf_models.errors import InputError
from tf_models.tasks.translation.recurrent_model import build_recurrent
from tf_models.tasks.translation.settings import RecurrentSettings
from tf_models.tasks.translation.translator import Translator

GERMAN = "Der Hund sieht den Fuchs.\nDer Mann.\n"
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


def test_all_read_what_the_shortest_can(random_translator, other):
    both = together({"one": random_translator, "two": other})

    assert both.max_length == 32
    assert both.beam_size == random_translator.beam_size
    assert len(both.translate(SENTENCES, beam_size=2)) == 3


def test_other_tokenizers_are_refused(random_translator):
    swapped = SimpleNamespace(
        source=random_translator.tokenizers.target, target=random_translator.tokenizers.source
    )
    with pytest.raises(InputError, match="the tokenizers of one and two differ"):
        together({"one": random_translator, "two": SimpleNamespace(tokenizers=swapped)})


@pytest.fixture
def ensemble(run_dir, experiment, tmp_path):
    """ensemble(…): the recipe for two copies of a tiny run."""
    paths = [shutil.copytree(run_dir, tmp_path / name) for name in ("one", "two")]
    for name, text in {"en": "The dog sees the fox.\nThe man.\n", "de": GERMAN}.items():
        (tmp_path / name).write_text(text)
    pair = tmp_path / "en", tmp_path / "de"
    return lambda *words: experiment("ensemble", "--run-dir", *paths, "--test", *pair, *words)


@pytest.mark.slow
def test_a_run_with_itself_scores_as_itself(ensemble):
    lines = ensemble("--beam-size", 2).out.splitlines()
    one, two = (line.split()[1:] for line in lines if line.startswith(("one", "two")))
    assert len(one) == 3  # BLEU, lowercased, chrF
    assert one == two


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seeds", "0,1"], "leave --seeds out"),
        (["--label", "one", "ensemble"], "must give different names"),
    ],
)
def test_what_makes_no_sense_is_refused(ensemble, words, message):
    assert message in ensemble(*words).complaint
