"""Autoencoders and VAEs in run directories."""

import functools
import shutil
from pathlib import Path

import keras
import numpy as np
import pytest

from tf_models.autoencoding.model import ImageModel, build_model
from tf_models.autoencoding.settings import preset
from tf_models.autoencoding.train import make_batches, train_image_model
from tf_models.data.image_batches import TRAINING
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.training import devices
from tf_models.training.optimizers import FusedAdam, make_adam

EPOCHS = 2
COMMON = {"batch_size": 8, "epochs": EPOCHS, "masking_noise": 0.1}
TINY = {
    "dense": preset("dense").changed(code_size=3, units=(8,), **COMMON),
    "convolutional": preset("convolutional").changed(code_size=3, filters=(2, 3), **COMMON),
    "vae": preset("vae").changed(latents=2, units=(8,), kl_warmup_epochs=1.5, **COMMON),
    "convolutional vae": preset("vae").changed(
        network="convolutional", latents=2, filters=(2,), **COMMON
    ),
    "importance-weighted": preset("vae").changed(
        latents=2, units=(8,), importance_samples=3, gradient_samples=2, **COMMON
    ),
    "hierarchical": preset("hierarchical").changed(
        groups=(1, 1), channels=4, latent_channels=1, kl_warmup_epochs=1.0, **COMMON
    ),
}
QUICK = ("dense", "vae")
KINDS = [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in TINY if one not in QUICK)]


def make_images():
    random = np.random.default_rng(0)
    split = ImageSplit(random.integers(0, 17, (40, 5, 6, 1), np.uint8), None)
    half = np.arange(20)
    return ImageSet("noise", split, split[half], split[half], maximum=16)


def train_in(folder, which, start_from=None, report=lambda line: None, **changes):
    settings = TINY[which].changed(**changes)
    options = {"report": report, "start_from": start_from, "evaluates": False}
    return train_image_model(folder, make_images(), settings, **options)


@pytest.fixture
def run(tmp_path):
    """run("vae", "name"): a training that has come to its end."""
    return lambda which, name="run", **options: train_in(tmp_path / name, which, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """whole("vae"): a training that has come to its end, and its lines; one for all tests."""

    @functools.cache
    def make(which):
        lines = []
        training = train_in(tmp_path_factory.mktemp("whole") / which, which, report=lines.append)
        return training, lines

    return make


@pytest.fixture
def trained_vae(whole, tmp_path):
    """A run directory."""
    return Path(shutil.copytree(whole("vae")[0].run.path, tmp_path / "trained"))


@pytest.mark.parametrize("which", KINDS)
def test_resumed_is_uninterrupted(run, which):
    """After the first epoch: to the bit, the optimizer included."""
    run(which, schedule="constant", epochs=1)
    resumed = run(which, schedule="constant")
    uninterrupted = run(which, "whole", schedule="constant")

    for one, other in zip(
        (*resumed.model.variables, *resumed.model.optimizer.variables),
        (*uninterrupted.model.variables, *uninterrupted.model.optimizer.variables),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_batch_normalisation_is_the_same_on_any_number_of_cores(run, monkeypatch):
    models = []
    for cores in (1, 2):
        monkeypatch.setattr(devices, "available_cores", lambda cores=cores: cores)
        models.append(run("hierarchical", str(cores), batch_size=40, epochs=1).model)

    for one, other in zip(*(model.get_weights() for model in models), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("which", ["dense", "convolutional"])
def test_the_loop_does_what_fit_does(run, which):
    """The same weights from Keras' own fit on the same batches."""
    ours, settings, images = run(which).model, TINY[which], make_images()
    batches = make_batches(images, images.train, settings, 0, TRAINING)
    keras.utils.set_random_seed(0)
    theirs = build_model(settings, images.shape)
    theirs.compile(make_adam(settings.optimizer, EPOCHS * len(batches)))
    theirs.fit(batches.batches_from(0, 0, EPOCHS), shuffle=False, verbose=0)

    for a, b in zip(ours.get_weights(), theirs.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


@pytest.mark.parametrize("which", KINDS)
def test_a_trained_model_is_loaded(whole, which):
    training, _ = whole(which)
    loaded = ImageModel.load(training.run.path, "latest")

    assert loaded.settings.model_dump() == TINY[which].model_dump()
    for a, b in zip(training.model.get_weights(), loaded.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_training_starts_from_another_runs_weights(run, trained_vae):
    """From a VAE to the importance-weighted bound; a resumed run does not start again."""
    best = ImageModel.load(trained_vae).model
    options = {"start_from": trained_vae, "importance_samples": 5, "kl_warmup_epochs": 0.0}
    options |= {"learning_rate": 1e-9, "schedule": "constant"}
    further = run("vae", "further", **options, epochs=1)
    for a, b in zip(best.trainable_variables, further.model.trainable_variables, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    shutil.rmtree(trained_vae)  # which is not needed any more
    again = run("vae", "further", **options)
    assert [row["epoch"] for row in again.history.rows] == [1, 2]


def test_starting_from_another_model_is_refused(run, trained_vae):
    with pytest.raises(InputError, match="trained holds another model"):
        run("vae", "further", start_from=trained_vae, latents=3)


def test_history_has_the_terms_of_the_bound(whole):
    training, lines = whole("hierarchical")
    row, *_ = training.history.rows

    assert {"loss", "reconstruction", "kl", "elbo", "kl_1", "kl_2", "val_kl_2"} < set(row)
    assert row["val_loss"] == pytest.approx(row["val_reconstruction"] + row["val_kl"], rel=1e-5)
    assert any(f"kl {row['kl']:.4f}, elbo {row['elbo']:.4f}, " in line for line in lines)
    assert "kl_1" not in lines[2]  # one for each group would fill the screen


@pytest.mark.parametrize(
    ("name", "changes", "optimizer", "clip_norm", "epsilon"),
    [
        ("vae", {}, FusedAdam, 200.0, 1e-7),
        ("vae", {"clip_norm": 0.0}, FusedAdam, None, 1e-7),
        ("hierarchical", {"clip_norm": 5.0}, keras.optimizers.Adamax, 5.0, 1e-3),
    ],
)
def test_the_optimizer_is_that_of_the_settings(run, name, changes, optimizer, clip_norm, epsilon):
    made = run(name, **changes, epochs=1).model.optimizer
    assert type(made) is optimizer
    assert (made.global_clipnorm, made.epsilon) == (clip_norm, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("likelihood", "binarisation"), [("bernoulli", "dynamic"), ("gaussian", "none")]
)
def test_hundreds_of_steps_at_a_high_rate_stay_finite(run, likelihood, binarisation):
    training = run(
        "vae",
        batch_size=2,
        epochs=25,
        learning_rate=0.05,
        schedule="constant",
        likelihood=likelihood,
        binarisation=binarisation,
    )

    assert all(np.isfinite(row["loss"]) for row in training.history.rows)
    assert all(np.isfinite(weight).all() for weight in training.model.get_weights())


def test_vae_settings_that_make_no_sense():
    with pytest.raises(InputError, match="groups"):
        preset("hierarchical").changed(groups=(0, 2))
    with pytest.raises(InputError, match="binarisation"):
        preset("vae").changed(likelihood="gaussian")


def test_binarisation_follows_the_likelihood():
    assert preset("vae", "bernoulli") == preset("vae")
    assert preset("vae", "gaussian").inputs.binarisation == "none"
    assert preset("photos", "bernoulli").inputs.binarisation == "dynamic"


def test_the_loss_is_a_sum_over_pixels():
    """A compiled model's loss is the mean over images of sums over pixels."""
    images, settings = make_images(), TINY["dense"]
    model = build_model(settings, images.shape)
    model.compile("adam")
    x = images.pixels(images.test)
    logs = model.test_step((x, x))
    expected = keras.ops.binary_crossentropy(x, model(x))
    assert float(logs["loss"]) == pytest.approx(float(np.sum(expected)) / len(x), rel=1e-5)
