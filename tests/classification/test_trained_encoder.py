import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from tests.support import tiny
from tf_models.classification.text_classifier import TrainedEncoder
from tf_models.errors import InputError
from tf_models.recurrent.translator import RecurrentTranslator
from tf_models.translation.translate import Translator, source_encoder


def weights(layer):
    return [variable.numpy() for variable in layer.trainable_variables]


def same(one, other):
    return [np.array_equal(a, b) for a, b in zip(one, other, strict=True)]


@pytest.fixture(scope="module")
def translation(corpus, tmp_path_factory):
    """A translator of one epoch."""
    make = tiny.in_folder(tmp_path_factory.mktemp("translators"), corpus)
    training = make("translator", epochs=1)
    assert training.fit()
    return training


@pytest.fixture
def translator(translation):
    name = str(translation.run.path)
    return TrainedEncoder(name, *source_encoder(name))


@pytest.fixture
def transfer(prepare, translator):
    """transfer("run", …): a training that starts from the translator's encoder."""

    def make(name="run", **options):
        return prepare(name, **{**translator.sizes, "encoder_from": translator, **options})

    return make


def test_transferred_weights_are_the_translators(transfer, translation):
    encoder, theirs = transfer().model.encoder, translation.model.encoder
    assert all(same(weights(encoder), weights(theirs)))

    ids, mask = tf.constant([[60, 5, 6, 61, 0]]), tf.constant([[[[0.0, 0, 0, 0, 1]]]])
    outputs = (one(ids, training=False, padding_mask=mask)[0] for one in (encoder, theirs))
    np.testing.assert_array_equal(*outputs)


def test_the_tokenizer_is_the_translators(transfer, translation):
    mine, theirs = (
        (run.tokenizers / name).read_bytes()
        for run, name in ((transfer().run, "text.model"), (translation.run, "source.model"))
    )
    assert mine == theirs


def test_a_frozen_encoder_does_not_move(transfer, translator):
    training = transfer(freeze=True, epochs=1)
    encoder, final = weights(training.model.encoder), weights(training.model.final_layer)
    before = training.model.encoder.get_weights()
    assert training.fit()

    assert encoder == []  # nothing to train
    assert all(same(training.model.encoder.get_weights(), before))
    assert not any(same(weights(training.model.final_layer), final))


def test_random_weights_beside_it_have_the_same_sizes(transfer, translation):
    random = weights(transfer(random_weights=True).model.encoder)
    theirs = weights(translation.model.encoder)
    assert [one.shape for one in random] == [one.shape for one in theirs]
    assert not all(same(random, theirs))


def test_what_stands_in_config_json(transfer, translator):
    run = transfer(freeze=True).run
    config = json.loads(run.config_file.read_text())

    assert config["kind"] == "classifier"
    assert config["data"]["classes"] == ["falling", "rising"]
    assert config["encoder_from"] == translator.name
    assert config["training"]["freeze"] is True


def test_a_translator_that_does_not_fit(translator, transfer, prepare, texts):
    with pytest.raises(InputError, match="reads en, and the texts are de"):
        transfer(texts=replace(texts, language="de"))
    with pytest.raises(InputError, match="a frozen encoder must have been trained"):
        prepare(freeze=True)


def test_run_directories_without_such_an_encoder(tmp_path, transfer, monkeypatch):
    with pytest.raises(InputError, match="no run directory at"):
        source_encoder(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="of kind classifier, not translator"):
        source_encoder(str(transfer().run.path))
    network = RecurrentTranslator(9, 9, 4, 4, "gru", True, 0.0)
    recurrent = SimpleNamespace(model=SimpleNamespace(network=network))
    monkeypatch.setattr(Translator, "load", lambda *_: recurrent)
    with pytest.raises(InputError, match="--encoder-from needs"):
        source_encoder("rnn")
