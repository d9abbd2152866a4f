import json
import shutil

import numpy as np
import pytest
import tensorflow as tf

from tests.support import tiny
from tests.support.tiny_classifier import TINY
from tf_models.errors import InputError
from tf_models.tasks.classification import transfer as transfers
from tf_models.tasks.classification.settings import ClassifierSettings
from tf_models.tasks.classification.transfer import STARTS, compare_starts
from tf_models.tasks.classification.translator_encoder import TranslatorEncoder
from tf_models.training.checkpoints import save_model


def weights(layer):
    return [variable.numpy() for variable in layer.trainable_variables]


def same(one, other):
    return [np.array_equal(a, b) for a, b in zip(one, other, strict=True)]


@pytest.fixture(scope="module")
def translation(corpus, tmp_path_factory):
    """A translator that is as if trained, its checkpoint as an export has it."""
    training = tiny.in_folder(tmp_path_factory.mktemp("translators"), corpus)("translator")
    for variable in training.model.network.trainable_variables:
        variable.assign(variable + 0.1)
    save_model(training.model.network, training.run)
    return training


@pytest.fixture
def translator(translation):
    return TranslatorEncoder.find(str(translation.run.path))


@pytest.fixture
def transfer(prepare, translator):
    """transfer("run", …): a training that starts from the translator's encoder."""

    def make(name="run", **options):
        return prepare(name, **{**translator.sizes, "encoder_from": translator, **options})

    return make


def test_transferred_weights_are_the_translators(transfer, translation):
    encoder, theirs = transfer().model.encoder, translation.model.network.encoder
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
    # What has begun needs the translator no more.
    gone = TranslatorEncoder(translator.name, None, translator.model, translator.tokenizer, 0)
    again = transfer(freeze=True, epochs=1, encoder_from=gone)
    assert all(same(again.model.get_weights(), training.model.get_weights()))


def test_random_weights_beside_it_have_the_same_sizes(transfer, translation):
    random = weights(transfer(random_weights=True).model.encoder)
    theirs = weights(translation.model.network.encoder)
    assert [one.shape for one in random] == [one.shape for one in theirs]
    assert not all(same(random, theirs))


def test_what_stands_in_config_json(transfer, translator):
    run = transfer(freeze=True).run
    config = json.loads(run.config_file.read_text())

    assert config["kind"] == "classifier"
    assert config["data"]["classes"] == ["falling", "rising"]
    assert config["encoder_from"] == translator.name
    assert config["training"]["freeze"] is True
    with pytest.raises(InputError, match="of kind classifier, not translator"):
        TranslatorEncoder.find(str(run.path))


def test_each_start_with_each_number_of_labels(texts, translator, tmp_path, monkeypatch):
    assert STARTS == {
        "random": (True, False), "frozen": (False, True), "fine-tuned": (False, False)
    }  # fmt: skip
    monkeypatch.setattr(transfers, "STARTS", {"frozen": STARTS["frozen"]})
    settings = TINY.changed(**translator.sizes, epochs=1)
    said = []

    def compare(counts):
        arguments = tmp_path / "runs", texts, settings, translator, counts
        return compare_starts(*arguments, report=said.append)

    found = compare([4, 30])["frozen"]
    assert found.shape == (2, 1)
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {"4-frozen-0", "30-frozen-0"}
    assert len(said) == 2
    config = json.loads((tmp_path / "runs" / "4-frozen-0" / "config.json").read_text())
    assert config["data"]["training_texts"] == 32  # four, so often as to be about thirty
    checkpoints = list(tmp_path.glob("runs/*/checkpoints/*.index"))
    before = [path.stat().st_mtime_ns for path in checkpoints]
    assert compare([4, 30])["frozen"].tolist() == found.tolist()  # nothing is left to train
    assert [path.stat().st_mtime_ns for path in checkpoints] == before
    with pytest.raises(InputError, match="must be 2 .one a class. to 64; received 65"):
        compare([65])


def test_a_translator_that_does_not_fit(translator, prepare):
    given = {"d_model": 32}
    with pytest.raises(InputError, match="has d_model=16; received 32: leave --d-model out"):
        translator.settings_for(ClassifierSettings(), given)
    assert translator.settings_for(ClassifierSettings(), {"dff": 32}).model.dff == 32
    with pytest.raises(InputError, match="reads en, and the texts are de"):
        translator.check_language("de")
    with pytest.raises(InputError, match="a frozen encoder must have been trained"):
        prepare(freeze=True)


def test_translators_that_are_none_or_damaged(tmp_path, translation):
    with pytest.raises(InputError, match="no run directory at"):
        TranslatorEncoder.find(str(tmp_path / "nowhere"))
    copy = tmp_path / "copy"
    shutil.copytree(translation.run.path, copy)
    config = json.loads((copy / "config.json").read_text())
    for change, message in (
        ({"architecture": "rnn"}, "a translator of architecture rnn"),
        ({"model": {**config["model"], "d_model": "wide"}}, "damaged: d_model is 'wide'"),
        ({"model": {}}, "damaged: 'num_layers' is missing"),
        ({"tokenizer": None}, "is damaged"),
    ):
        (copy / "config.json").write_text(json.dumps({**config, **change}))
        with pytest.raises(InputError, match=message):
            TranslatorEncoder.find(str(copy))
    wider = {**config["model"], "d_model": 32}
    (copy / "config.json").write_text(json.dumps({**config, "model": wider}))
    with pytest.raises(InputError, match="was trained with model.d_model 16"):
        TranslatorEncoder.find(str(copy)).encoder  # noqa: B018
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "tokenizer" / "source.model").write_bytes(b"no model")
    with pytest.raises(InputError, match="source.model is not a sentencepiece model"):
        TranslatorEncoder.find(str(copy))
