import numpy as np
import pytest
from tests.support.interruption import curve, interrupt_after

from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.tasks.autoencoding import train
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.training.run_directory import RunDirectory

SETTINGS = preset("dense").changed(
    units=(6, 5),
    code_size=3,
    activation="sigmoid",
    code_activation="sigmoid",
    masking_noise=0.1,
    batch_size=8,
    epochs=2,
    pretrain_epochs=2,
)


@pytest.fixture
def images():
    random = np.random.default_rng(0)
    split = ImageSplit(random.integers(0, 17, (40, 3, 4, 1), np.uint8), None)
    half = np.arange(20)
    return ImageSet("noise", split, split[half], split[half], maximum=16)


@pytest.fixture
def prepare(images, tmp_path):
    def make(name="run", **changes):
        run, settings = RunDirectory(tmp_path / name), SETTINGS.changed(**changes)
        return prepare_image_training(run, images, settings, 0, report=silent)

    return make


def silent(line):
    pass


@pytest.mark.slow
def test_the_network_starts_from_its_layers(prepare, images):
    """Layer by layer through single-layer autoencoders is once through the whole network."""
    training = prepare()
    lines = []
    assert train.pretrain(training, images, 0, report=lines.append)

    layers = sorted((training.run.path / "layers").iterdir())
    assert [folder.name for folder in layers] == ["1", "2", "3"]
    assert [line for line in lines if line.startswith("layer")] == [
        "layer 1 of 3: (3, 4, 1) -> 6",
        "layer 2 of 3: (6,) -> 5",
        "layer 3 of 3: (5,) -> 3",
    ]
    models = [ImageModel.load(folder, "latest").model for folder in layers]
    code = x = images.pixels(images.test)
    for model in models:
        code = model.encoder(code)
    np.testing.assert_allclose(training.model.encoder(x), code, atol=1e-6)
    for model in reversed(models):
        code = model.decoder(code)
    np.testing.assert_allclose(training.model(x), code, atol=1e-6)
    # Codes differ in their last digits from machine to machine; a run must go on all the same.
    found = {RunDirectory(f).read_config("autoencoder")["data"]["fingerprint"] for f in layers}
    assert found == {images.fingerprint()}


def test_each_layer_learns_the_codes_below_it(images):
    from tf_models.autoencoders.networks import dense_encoder

    encoder = dense_encoder((3, 4, 1), 6, code_activation="sigmoid")
    codes = train.codes_as_images(encoder, images)

    assert codes.shape == (6,)
    assert codes.maximum == 1
    np.testing.assert_allclose(
        codes.validation.images, encoder(images.pixels(images.validation)), atol=1e-6
    )


@pytest.mark.slow
def test_interrupted_and_resumed_is_uninterrupted(prepare, images, monkeypatch):
    """Ctrl-C in the second layer."""
    whole = prepare("whole")
    train.pretrain(whole, images, 0, report=silent)
    whole.loop.fit(2)

    prepared = train.prepare_image_training

    def interrupted(run, *rest, **options):
        training = prepared(run, *rest, **options)
        if run.path.name == "2":
            interrupt_after(training, 7)  # of five batches an epoch
        return training

    first = prepare("parts")
    with monkeypatch.context() as patch:
        patch.setattr(train, "prepare_image_training", interrupted)
        assert not train.pretrain(first, images, 0, report=silent)
    second = prepare("parts")
    assert train.pretrain(second, images, 0, report=silent)
    second.loop.fit(2)

    assert curve(second) == curve(whole)
    for a, b in zip(whole.model.get_weights(), second.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_network_that_learns_already_keeps_its_weights(prepare, images):
    training = prepare()
    training.loop.fit(1)
    before = training.model.get_weights()
    again = prepare()
    assert train.pretrain(again, images, 0, report=silent)

    for a, b in zip(before, again.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert not (training.run.path / "layers").exists()


@pytest.mark.parametrize(
    "changes", [{"network": "convolutional", "filters": (2,)}, {"activation": "relu"}]
)
def test_only_dense_sigmoid_layers_are_stacked(changes):
    with pytest.raises(InputError, match="layers trained one by one are dense and sigmoid"):
        SETTINGS.changed(**changes)


@pytest.mark.slow
def test_a_time_limit_holds_for_each_layer(prepare, images):
    training = prepare()
    assert train.pretrain(training, images, 0, minutes=1e-9, report=silent)

    histories = list((training.run.path / "layers").glob("*/history.csv"))
    assert len(histories) == len(SETTINGS.model.units) + 1
    for history in histories:
        assert len(history.read_text().splitlines()) == 2  # the header and one epoch
