from dataclasses import replace

import numpy as np
import pytest

from tf_models.classification.model import ImageClassifier
from tf_models.classification.settings import image_preset, text_preset
from tf_models.classification.train import TrainedEncoder, train_image_classifier
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.data.labelled import LabelledText
from tf_models.errors import InputError
from tf_models.translation.translate import source_encoder


def test_the_best_epoch_has_the_highest_validation_accuracy(train):
    whole = train("whole")
    (kept,) = (whole.run.checkpoints / "best").glob("ckpt-*.index")
    best = max(whole.history.rows, key=lambda row: (row["val_accuracy"], -row["val_loss"]))

    assert kept.stem == f"ckpt-{best['epoch']}"


def test_few_texts_have_more_epochs_and_resume_with_as_many(train, texts):
    few = replace(texts, train=texts.train[:24])
    changes = {"min_steps": 15, "learning_rate": 0.01, "fixed": frozenset()}
    loop = train("few", texts=few, **changes)
    training = loop.run.read_config("classifier")["training"]
    again = train("few", texts=few, **changes)

    assert (training["batch_size"], training["epochs"]) == (8, 5)
    assert again.history.rows == loop.history.rows


@pytest.mark.parametrize(
    ("name", "count", "changes", "pieces"),
    [
        ("own-texts", 10, {}, 3 + 64),  # 400 characters, of three kinds
        ("own-texts", 1_000, {}, 3 + 400),
        ("own-texts", 40_000, {}, 8_000),  # as the preset says
        ("own-texts", 10, {"pieces": 300}, 300),
        ("type", 10, {}, 2_000),  # its texts are many
    ],
)
def test_few_texts_have_few_subwords(name, count, changes, pieces):
    settings = text_preset(name).changed(**changes).for_texts(["ab b " * 8] * count)

    assert settings.text.pieces == pieces


def test_long_texts_are_cut(train, texts):
    long = replace(texts, train=[*texts.train, LabelledText("The dog " * 30, "rising")])
    loop = train("long", texts=long, max_length=12, epochs=1)

    assert max(ids.shape[1] for ids, _ in loop.batches.batches_from(0, 0, 1)) == 12


def values(layer):
    return [variable.numpy() for variable in layer.weights]


def same(one, other):
    return [np.array_equal(a, b) for a, b in zip(one, other, strict=True)]


@pytest.fixture(scope="module")
def translator(tiny_run):
    name = str(tiny_run("translator"))
    return TrainedEncoder(name, *source_encoder(name))


def test_a_frozen_encoder_is_the_translators(train, translator):
    loop = train("frozen", encoder_from=translator, freeze=True, epochs=1)
    assert loop.model.encoder.trainable_variables == []
    assert all(same(values(loop.model.encoder), values(translator.load())))
    mine = (loop.run.tokenizers / "text.model").read_bytes()
    assert mine == translator.tokenizer.model_file.read_bytes()
    config = loop.run.read_config("classifier")
    assert (config["encoder_from"], config["model"]["d_model"]) == (translator.name, 16)


def test_a_fine_tuned_encoder_moves(train, translator):
    loop = train("fine-tuned", encoder_from=translator, epochs=1, learning_rate=1e-6)
    encoders = values(loop.model.encoder), values(translator.load())
    assert not any(same(*encoders))
    for tuned, trained in zip(*encoders, strict=True):
        np.testing.assert_allclose(tuned, trained, atol=1e-4)


def quarters():
    """Noise of 4 x 4 pixels with ink in one of four quarters, which is the class."""
    random = np.random.default_rng(0)
    labels = np.arange(40) % 4
    images = random.integers(0, 4, (40, 2, 2, 2, 2, 1), np.uint8)
    images[np.arange(40), labels // 2, :, labels % 2] += 12
    split = ImageSplit(images.reshape(40, 4, 4, 1), labels)
    return ImageSet("quarters", split, split, split, maximum=16, class_names=tuple("0123"))


def test_a_run_without_such_an_encoder(tiny_run):
    with pytest.raises(InputError, match="--encoder-from needs"):
        source_encoder(str(tiny_run("recurrent")))


@pytest.mark.slow
def test_images_are_learnt_and_loaded_as_they_were_trained(tmp_path):
    sizes = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 16, "patch": 2}
    training = {"batch_size": 8, "shift": 0, "epochs": 30, "learning_rate": 0.01}
    settings = image_preset("digits").changed(**sizes, **training)
    loop = train_image_classifier(
        tmp_path, quarters(), settings, evaluates=False, report=lambda line: None
    )
    loaded = ImageClassifier.load(tmp_path, "latest")
    kept = loaded.origin.load_kept()
    pixels = kept.pixels(kept.test)

    assert np.mean(loaded.probabilities(pixels).argmax(axis=-1) == kept.test.labels) > 0.9
    np.testing.assert_array_equal(loaded.model(pixels)[0], loop.model(pixels)[0])
