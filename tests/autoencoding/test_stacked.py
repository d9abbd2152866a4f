"""Layers that are trained one by one, then together."""

import numpy as np
import pytest

from tf_models.autoencoders.networks import dense_encoder
from tf_models.autoencoding.model import ImageModel, build_model
from tf_models.autoencoding.settings import preset
from tf_models.autoencoding.train import codes_as_images, pretrain, set_layers, train_image_model
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.errors import InputError, TrainingInterrupted
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
    model = build_model(SETTINGS, images.shape)
    set_layers(model, pretrain(run, images, SETTINGS, 0, 1e-9, silent))

    layers = sorted((run.path / "layers").iterdir())
    assert [folder.name for folder in layers] == ["1", "2", "3"]
    for folder in layers:  # an epoch each within the time, and a header
        assert len((folder / "history.csv").read_text().splitlines()) == 2
    models = [ImageModel.load(folder, "latest").model for folder in layers]
    code = x = images.pixels(images.test)
    for layer in models:
        code = layer.encoder(code)
    np.testing.assert_allclose(model.encoder(x), code, atol=1e-6)
    for layer in reversed(models):
        code = layer.decoder(code)
    np.testing.assert_allclose(model(x), code, atol=1e-6)


def test_each_layer_learns_the_codes_below_it(images):
    encoder = dense_encoder((3, 4, 1), 6, code_activation="sigmoid")
    codes = codes_as_images(encoder, images)

    assert codes.shape == (6,)
    assert codes.maximum == 1
    np.testing.assert_allclose(
        codes.validation.images, encoder(images.pixels(images.validation)), atol=1e-6
    )


@pytest.mark.slow
def test_interrupted_and_resumed_is_uninterrupted(images, tmp_path, monkeypatch):
    """Ctrl-C before the second layer."""
    options = {"evaluates": False, "report": silent}
    whole = train_image_model(tmp_path / "whole", images, SETTINGS, **options)
    fit = TrainingLoop.fit

    def interrupted(self):
        if self.run.path.name == "2":
            raise TrainingInterrupted(self.run.path)
        fit(self)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLoop, "fit", interrupted)
        with pytest.raises(TrainingInterrupted):
            train_image_model(tmp_path / "parts", images, SETTINGS, **options)
    parts = train_image_model(tmp_path / "parts", images, SETTINGS, **options)

    for a, b in zip(whole.model.get_weights(), parts.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "changes", [{"network": "convolutional", "filters": (2,)}, {"activation": "relu"}]
)
def test_only_dense_sigmoid_layers_are_stacked(changes):
    with pytest.raises(InputError, match="needs dense sigmoid layers"):
        SETTINGS.changed(**changes)
