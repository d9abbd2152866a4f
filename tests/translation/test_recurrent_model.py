"""Recurrent translators in training and search."""

import numpy as np
import pytest
import tensorflow as tf

from tests.support import tiny
from tests.support.tiny import tokenizers_of
from tf_models.errors import InputError
from tf_models.translation.attention import attention_maps
from tf_models.translation.model import RecurrentModel
from tf_models.translation.settings import preset
from tf_models.translation.train import train_translator
from tf_models.translation.translate import Translator

ALIKE = ("pieces", "positions", "batch_size", "max_lengths", "padded")
CHANGES = {
    **{name: tiny.TINY.flat()[name] for name in ALIKE},
    "units": 16,
    "d_model": 16,
    "dropout": 0.1,
    "epochs": 2,
    "optimizer": "muon",
    "schedule": "cosine",
    "peak": 0.01,
    "warmup_steps": 10,
}


@pytest.fixture(scope="module")
def prepare(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("recurrent")

    def make(name, model="rnn-attention", **changes):
        settings = preset("article", model).changed(**{**CHANGES, **changes})
        silent = {"report": lambda line: None}
        return train_translator(folder / name, corpus, settings, fit=False, **silent)

    return make


@pytest.fixture(scope="module")
def recurrent_training(prepare):
    training = prepare("whole")
    training.fit()
    return training


@pytest.mark.slow
def test_it_learns(recurrent_training):
    losses = [row["val_loss"] for row in recurrent_training.history.rows]
    assert losses[-1] < losses[0]


@pytest.mark.slow
@pytest.mark.parametrize("model", ["rnn", "rnn-attention"])
def test_padded_batches_of_known_shape_can_be_learnt(prepare, model):
    """In a graph a loop over words keeps the shapes that it begins with."""
    padded = {"padded": True, "max_lengths": (30, 30)}
    prepare(f"padded-{model}", model, epochs=1, **padded).fit()


@pytest.mark.slow
def test_interrupted_and_resumed_is_as_uninterrupted(recurrent_training, prepare):
    first = prepare("resumed")
    first.epochs = 1  # as if killed behind the first epoch
    first.fit()
    second = prepare("resumed")
    second.fit()

    for ours, theirs in zip(
        second.model.variables, recurrent_training.model.variables, strict=True
    ):
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy(), err_msg=ours.path)


def test_greedy_search_takes_the_likeliest_word_each_time(tiny_run):
    translator = Translator.load(tiny_run("recurrent"))
    source = translator.source.encode("The dog sees the fox.")
    written = translator.greedy_ids(source)
    logits, weights = translator.model.network(tf.constant([source]), tf.constant([written]))
    assert tf.argmax(logits[0], axis=-1).numpy()[:-1].tolist() == written[1:]
    assert weights.shape == (1, len(written), len(source))


def test_without_attention_there_is_nothing_to_draw(prepare):
    training = prepare("rnn", "rnn")
    translator = Translator(RecurrentModel(training.model), tokenizers_of(training), 30)
    assert translator.translate(["The dog sees the fox."])
    with pytest.raises(InputError, match="no cross attention"):
        attention_maps(translator, "The dog sees the fox.")
