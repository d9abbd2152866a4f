from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from tf_models.data.images import origin
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.tasks.autoencoding import evaluation
from tf_models.tasks.autoencoding import models as image_model
from tf_models.tasks.autoencoding.evaluation import ImportanceSampling, report_likelihood
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.autoencoding.pca import compare_with_pca
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.training.run_directory import RunDirectory

LINEAR = preset("dense").changed(
    code_size=2, units=(), output_activation="linear", loss="mse", epochs=1
)
SMALL_VAE = preset("vae").changed(latents=2, units=(6,), epochs=1)


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
    """train(settings): a trained model; its run directory is made once."""

    runs = {}

    def make(settings):
        what = repr(settings)
        if what not in runs:
            run = RunDirectory(tmp_path_factory.mktemp("run"))
            training = prepare_image_training(run, images, settings, 0, report=lambda line: None)
            training.loop.fit(settings.training.epochs)
            runs[what] = run.path
        return ImageModel.load(runs[what])

    return make


def test_a_linear_model_beside_pca(train, images):
    model = train(LINEAR)
    before = compare_with_pca(model, images)
    pixels = images.pixels(images.train).reshape(120, 6)
    pca = PCA(2).fit(pixels)
    mixed = np.array([[1.0, 2.0], [0.5, -1.0]])  # any basis of the same plane
    encoder, decoder = np.linalg.inv(mixed).T @ pca.components_, mixed @ pca.components_
    model.model.encoder.set_weights([encoder.T, -encoder @ pca.mean_])
    model.model.decoder.set_weights([decoder, pca.mean_])
    after = compare_with_pca(model, images)

    assert model.settings.is_linear
    assert model.code_size == 2
    assert model.has_pca(images)
    assert before.error > before.pca_error == after.pca_error
    assert before.angle > 1 > 0.01 > after.angle
    assert after.error == pytest.approx(after.pca_error, rel=1e-4)
    np.testing.assert_allclose(after.reconstructions, after.pca_reconstructions, atol=1e-4)
    assert str(after).endswith("0.00%); largest angle between the subspaces 0.00°")


def test_no_percentage_of_an_error_that_is_none(train, images):
    model = train(LINEAR)
    found = replace(compare_with_pca(model, images), pca_error=0.0)

    assert "PCA's 0; largest angle" in str(found)
    as_many_as_pixels = train(LINEAR.changed(code_size=6))
    assert not as_many_as_pixels.has_pca(images)


def test_a_linear_model_is_taken_as_it_was_at_the_end(train, monkeypatch):
    """Validation would choose an epoch by chance; PCA knows training images only."""
    taken = []

    def load_model(model, run, name):
        taken.append(name)
        return original(model, run, name)

    original = image_model.load_model
    monkeypatch.setattr(image_model, "load_model", load_model)
    train(LINEAR)
    train(LINEAR.changed(units=(4,)))
    train(SMALL_VAE)
    assert taken == ["latest", "best", "best"]


@pytest.mark.parametrize("change", [{"network": "convolutional"}, {"code_activation": "tanh"}])
def test_only_a_dense_network_without_activations_is_linear(change):
    assert LINEAR.is_linear
    assert not LINEAR.changed(**change).is_linear
    assert not LINEAR.changed(units=(4,)).is_linear
    assert not SMALL_VAE.changed(units=()).is_linear


def test_codes_and_back(train, images):
    model = train(SMALL_VAE)
    tests = images.pixels(images.test)

    codes = model.encode(tests)
    assert codes.shape == (60, 2)
    np.testing.assert_allclose(model.code_encoder()(tests), codes, atol=1e-6)
    np.testing.assert_allclose(model.reconstruct(tests), model.decode(codes), atol=1e-6)
    assert model.is_generative
    assert model.generate(5).shape == (5, 2, 3, 1)
    with pytest.raises(InputError, match="holds no linear autoencoder"):
        compare_with_pca(model, images)
    new = model.untrained().encode(tests)
    assert new.shape == codes.shape
    assert not np.allclose(new, codes)
    np.testing.assert_array_equal(model.encode(tests), codes)


def test_evaluation_is_the_models_own(train, images):
    """With one sample the estimate is one draw of the bound; with many it lies above."""
    model = train(SMALL_VAE)
    one, many, few = (
        report_likelihood(model, images, sampling, report=lambda line: None)
        for sampling in (
            ImportanceSampling(1),
            ImportanceSampling(200, chunk=7),
            ImportanceSampling(5, max_images=8),
        )
    )

    bound, estimate = "elbo (nats)", "log-likelihood (nats)"
    assert one[estimate] == pytest.approx(one[bound], abs=0.5)
    assert one[bound] == pytest.approx(-one["reconstruction (nats)"] - one["kl (nats)"])
    assert many[estimate] > many[bound]
    assert many["active latents"].endswith(" of 2")
    assert few["images"] == 8


@pytest.mark.parametrize("active", [0, 1, 2])
def test_latents_that_say_nothing_are_remarked(train, images, monkeypatch, active):
    monkeypatch.setattr(evaluation, "active_units", lambda means: np.arange(50) < active)
    lines = []
    report_likelihood(train(SMALL_VAE), images, ImportanceSampling(1, max_images=4), lines.append)
    line = {0: "none of 50 latents says", 1: "1 of 50 latents says", 2: "2 of 50 latents say"}
    assert lines[-1].startswith(f"posterior collapse: {line[active]} anything about the image")
    monkeypatch.setattr(evaluation, "active_units", lambda means: np.arange(50) < 9)
    lines.clear()
    report_likelihood(train(SMALL_VAE), images, ImportanceSampling(1, max_images=4), lines.append)
    assert not any("collapse" in line for line in lines)


def test_other_images_of_the_same_size(train, images, monkeypatch):
    model = train(SMALL_VAE)
    monkeypatch.setattr(origin, "load_images", lambda name, **options: images)
    assert model.origin.load("planes") is images
    with pytest.raises(InputError, match="trained on images of 2 x 3 x 1; one-hot has 1 x 4 x 1"):
        model.origin.load("one-hot")


@pytest.mark.parametrize("name", ["autoencoder", "vae", "hierarchical"])
def test_what_are_no_images_for_a_model(tiny_run, name):
    model = ImageModel.load(tiny_run(name))
    x = model.origin.load().pixels(model.origin.load().test)[:4]
    broken = x.copy()
    broken[2, 3, 3] = np.nan
    method = model.encode if model.has_codes else model.reconstruct
    for bad, message in (
        ((255 * x).astype(np.uint8), "pixels must be floats from 0 to 1; received uint8"),
        (x > 0.5, "received bool"),
        (255 * x, "pixels must be 0 to 1; received 0 to 2"),
        (x - 0.5, "received -0.5 to 0"),
        (broken, "received nan to nan"),
        (x[0], r"images must be \('n', 6, 5, 1\); received \(6, 5, 1\)"),
        (x[..., 0], r"received \(4, 6, 5\)"),
        (x[:, :4], r"received \(4, 4, 5, 1\)"),
    ):
        with pytest.raises(InputError, match=message):
            method(bad)
    np.testing.assert_allclose(method(x.astype(np.float64))[:0], method(x)[:0])
    assert method(x.tolist()).shape == method(x).shape
