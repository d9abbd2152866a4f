"""Trained models of images, put to use and measured."""

import functools

import numpy as np
import pytest
from sklearn.decomposition import PCA

from tf_models.autoencoding.evaluate import compare_with_pca, report_likelihood
from tf_models.autoencoding.model import ImageModel
from tf_models.autoencoding.settings import preset
from tf_models.autoencoding.train import train_image_model
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.training import image_origin

MODELS = {
    "linear": preset("dense").changed(
        code_size=2, units=(), output_activation="linear", loss="mse", epochs=1
    ),
    "vae": preset("vae").changed(latents=2, units=(6,), epochs=1),
}


@pytest.fixture(scope="module")
def images():
    """Two directions that vary, and a little noise."""
    random = np.random.default_rng(0)
    planes = np.array([[60, 60, 0, 0, 0, 0], [0, 0, 0, 30, 30, 30]])
    pixels = 128 + random.uniform(-1, 1, (200, 2)) @ planes + 10 * random.normal(size=(200, 6))
    split = ImageSplit(pixels.reshape(200, 2, 3, 1).astype(np.uint8), None)
    return ImageSet("planes", split[np.arange(120)], split[:20], split[np.arange(140, 200)])


@pytest.fixture(scope="module")
def train(images, tmp_path_factory):
    """train("vae"): a trained model; its run directory is made once."""

    @functools.cache
    def run_dir(name):
        folder = tmp_path_factory.mktemp("run")
        options = {"evaluates": False, "report": lambda line: None}
        train_image_model(folder, images, MODELS[name], **options)
        return folder

    return lambda name: ImageModel.load(run_dir(name))


def test_a_linear_model_beside_pca(train, images):
    model = train("linear")
    before = compare_with_pca(model, images)
    pixels = images.pixels(images.train).reshape(120, 6)
    pca = PCA(2).fit(pixels)
    mixed = np.array([[1.0, 2.0], [0.5, -1.0]])  # any basis of the same plane
    encoder, decoder = np.linalg.inv(mixed).T @ pca.components_, mixed @ pca.components_
    model.model.encoder.set_weights([encoder.T, -encoder @ pca.mean_])
    model.model.decoder.set_weights([decoder, pca.mean_])
    after = compare_with_pca(model, images)

    assert model.has_pca(images)
    assert before.error > before.pca_error == after.pca_error
    assert before.angle > 1 > 0.01 > after.angle
    assert after.error == pytest.approx(after.pca_error, rel=1e-4)
    back = model.reconstruct(images.pixels(images.test))
    np.testing.assert_allclose(back, after.pca_reconstructions, atol=1e-4)


def test_codes_and_back(train, images):
    model = train("vae")
    tests = images.pixels(images.test)

    codes = model.encode(tests)
    assert codes.shape == (60, 2)
    np.testing.assert_allclose(model.code_encoder()(tests), codes, atol=1e-6)
    np.testing.assert_allclose(model.reconstruct(tests), model.decode(codes), atol=1e-6)
    assert model.generate(5).shape == (5, 2, 3, 1)


def test_evaluation_is_the_models_own(train, images):
    """With one sample the estimate is one draw of the bound; with many it lies above."""
    model = train("vae")
    one, many, few = (
        report_likelihood(model, images, lambda line: None, **sampling)
        for sampling in (
            {"importance_samples": 1},
            {"importance_samples": 200},
            {"importance_samples": 5, "max_images": 8},
        )
    )

    bound, estimate = "elbo (nats)", "log-likelihood (nats)"
    assert one[estimate] == pytest.approx(one[bound], abs=0.5)
    assert one[bound] == pytest.approx(-one["reconstruction (nats)"] - one["kl (nats)"])
    assert many[estimate] > many[bound]
    assert many["active latents"].endswith(" of 2")
    assert few["images"] == 8


def test_other_images_of_the_same_size(train, images, monkeypatch):
    model = train("vae")
    with pytest.raises(InputError, match="one-hot has images of 1 x 4 x 1, not 2 x 3"):
        model.origin.load("one-hot")
    monkeypatch.setattr(image_origin, "load_images", lambda name, **options: images)
    assert model.origin.load("planes") is images
