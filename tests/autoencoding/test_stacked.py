"""Layers that are trained one by one, then together."""

import numpy as np
import pytest

from tf_models.autoencoders.networks import dense_encoder
from tf_models.autoencoding import train
from tf_models.autoencoding.models import ImageModel
from tf_models.autoencoding.settings import preset
from tf_models.autoencoding.train import prepare_image_training, train_autoencoder
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.training.loop import TrainingLoop
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


def silent(line):
    pass


@pytest.mark.slow
def test_the_network_starts_from_its_layers(images, tmp_path):
    """Layer by layer through single-layer autoencoders is once through the whole network."""
    run = RunDirectory(tmp_path / "run")
    training = prepare_image_training(run, images, SETTINGS, 0, report=silent)
    assert train.pretrain(training, images, SETTINGS, 0, minutes=1e-9, report=silent)

    layers = sorted((run.path / "layers").iterdir())
    assert [folder.name for folder in layers] == ["1", "2", "3"]
    for folder in layers:  # an epoch each within the time, and a header
        assert len((folder / "history.csv").read_text().splitlines()) == 2
    models = [ImageModel.load(folder, "latest").model for folder in layers]
    code = x = images.pixels(images.test)
    for model in models:
        code = model.encoder(code)
    np.testing.assert_allclose(training.model.encoder(x), code, atol=1e-6)
    for model in reversed(models):
        code = model.decoder(code)
    np.testing.assert_allclose(training.model(x), code, atol=1e-6)


def test_each_layer_learns_the_codes_below_it(images):
    encoder = dense_encoder((3, 4, 1), 6, code_activation="sigmoid")
    codes = train.codes_as_images(encoder, images)

    assert codes.shape == (6,)
    assert codes.maximum == 1
    np.testing.assert_allclose(
        codes.validation.images, encoder(images.pixels(images.validation)), atol=1e-6
    )


@pytest.mark.slow
def test_interrupted_and_resumed_is_uninterrupted(images, tmp_path, monkeypatch):
    """Ctrl-C before the second layer."""
    whole = train_autoencoder(tmp_path / "whole", images, SETTINGS, 0, report=silent)
    fit = TrainingLoop.fit

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLoop, "fit", lambda self: self.run.path.name != "2" and fit(self))
        assert train_autoencoder(tmp_path / "parts", images, SETTINGS, 0, report=silent) is None
    parts = train_autoencoder(tmp_path / "parts", images, SETTINGS, 0, report=silent)

    for a, b in zip(whole.model.get_weights(), parts.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "changes", [{"network": "convolutional", "filters": (2,)}, {"activation": "relu"}]
)
def test_only_dense_sigmoid_layers_are_stacked(changes):
    with pytest.raises(InputError, match="layers trained one by one are dense and sigmoid"):
        SETTINGS.changed(**changes)
