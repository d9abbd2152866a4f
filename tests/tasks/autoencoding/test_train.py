"""Autoencoders and VAEs in run directories."""

import functools
import shutil

import keras
import numpy as np
import pytest
from tests.support.interruption import curve, interrupt_after

from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.models import ImageModel, build_model
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.training.run_directory import RunDirectory

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
        groups=(1, 1), channels=4, latent_channels=1,
        kl_warmup_epochs=1.0, **COMMON,
    ),
}  # fmt: skip
QUICK = ("dense", "vae")
KINDS = [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in TINY if one not in QUICK)]


def make_images(count=40, shape=(5, 6, 1)):
    random = np.random.default_rng(0)
    images = random.integers(0, 17, (count, *shape), np.uint8)
    split = ImageSplit(images, None)
    half = np.arange(count // 2)
    return ImageSet("noise", split, split[half], split[half], maximum=16)


def prepared(folder, which, seed=0, start_from=None, report=lambda line: None, **changes):
    return prepare_image_training(
        RunDirectory(folder),
        make_images(),
        TINY[which].changed(**changes),
        seed,
        report=report,
        start_from=start_from,
    )


@pytest.fixture
def prepare(tmp_path):
    return lambda which, name="run", **options: prepared(tmp_path / name, which, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """whole("vae"): a training that has come to its end, and what it said; one for all tests."""

    @functools.cache
    def make(which):
        lines = []
        training = prepared(tmp_path_factory.mktemp("whole") / which, which, report=lines.append)
        assert training.loop.fit(EPOCHS)
        return training, lines

    return make


@pytest.fixture
def trained_vae(whole, tmp_path):
    """A run directory."""
    run = whole("vae")[0].run
    return RunDirectory(shutil.copytree(run.path, tmp_path / "trained"))


def weights(training):
    return [v.numpy() for v in (*training.model.variables, *training.model.optimizer.variables)]


@pytest.mark.parametrize("which", KINDS)
def test_interrupted_and_resumed_is_uninterrupted(prepare, whole, which):
    """Five batches an epoch: within the second one. To the bit, curve included."""
    whole, _ = whole(which)
    first = prepare(which, "parts")
    interrupt_after(first, 7)
    assert not first.loop.fit(EPOCHS)
    second = prepare(which, "parts")
    assert second.loop.fit(EPOCHS)

    for a, b in zip(weights(whole), weights(second), strict=True):
        np.testing.assert_array_equal(a, b)
    assert curve(whole) == curve(second)


@pytest.mark.parametrize("which", ["dense", "convolutional"])
def test_the_loop_does_what_fit_does(prepare, which):
    """The same weights from Keras' own fit on the same batches."""
    ours, theirs = prepare(which, "ours"), prepare(which, "theirs")
    ours.loop.fit(EPOCHS)
    for epoch in range(EPOCHS):
        theirs.model.fit(theirs.batches.epoch(epoch), verbose=0)

    for a, b in zip(ours.model.get_weights(), theirs.model.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


@pytest.mark.parametrize("which", KINDS)
def test_a_trained_model_is_loaded(whole, which):
    training, _ = whole(which)
    loaded = ImageModel.load(training.run.path, "latest")

    assert loaded.settings == TINY[which]
    for a, b in zip(training.model.get_weights(), loaded.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    loaded.origin.check(make_images())
    with pytest.raises(InputError, match="trained on images of 5 x 6 x 1; noise has 6 x 6 x 1"):
        loaded.origin.check(make_images(shape=(6, 6, 1)))


def test_training_starts_from_another_runs_weights(prepare, trained_vae):
    """From a VAE to the importance-weighted bound; a resumed run does not start again."""
    best = ImageModel.load(trained_vae.path).model
    options = {"start_from": trained_vae, "importance_samples": 5, "kl_warmup_epochs": 0.0}
    further = prepare("vae", "further", seed=1, **options)
    for a, b in zip(best.get_weights(), further.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    further.loop.fit(1)
    shutil.rmtree(trained_vae.path)  # which is not needed any more
    again = prepare("vae", "further", seed=1, **options)
    again.loop.fit(2)

    assert [row["epoch"] for row in again.loop.history.rows] == [1, 2]
    with pytest.raises(InputError, match="start_from was '.*trained' and is None now"):
        prepare("vae", "further", seed=1, **{**options, "start_from": None})


def test_another_seed_holds_out_other_images(prepare, trained_vae, monkeypatch):
    monkeypatch.setattr(ImageSet, "fingerprint", lambda self: "of another split")
    with pytest.raises(InputError, match="seed 1 holds out images .*; pass --seed 0"):
        prepare("vae", "further", seed=1, start_from=trained_vae)
    with pytest.raises(InputError, match="are no longer those"):
        prepare("vae", "further", start_from=trained_vae)


def test_starting_from_another_model_is_refused(prepare, trained_vae, tmp_path):
    with pytest.raises(InputError, match="trained holds another model: its latents is 2, and .* 3"):
        prepare("vae", "further", start_from=trained_vae, latents=3)
    with pytest.raises(InputError, match=r"its beta is 1\.0, and here it is 2\.0"):
        prepare("vae", "further", start_from=trained_vae, beta=2.0)
    with pytest.raises(InputError, match="its variant is 'vae', and here it is 'hierarchical'"):
        prepare("hierarchical", "further", start_from=trained_vae)
    with pytest.raises(InputError, match="its variant is 'vae', and here it is 'dense'"):
        prepare("dense", "further", start_from=trained_vae)
    assert not (tmp_path / "further").exists()


def test_history_has_the_terms_of_the_bound(whole):
    training, lines = whole("hierarchical")
    row, *_ = training.loop.history.rows

    assert {"loss", "reconstruction", "kl", "elbo", "kl_1", "kl_2", "val_kl_2"} < set(row)
    assert row["val_loss"] == pytest.approx(row["val_reconstruction"] + row["val_kl"], rel=1e-5)
    assert row["images_per_second"] > 0
    line, *_ = lines
    assert f"kl {row['kl']:.4f}, elbo {row['elbo']:.4f}, " in line
    assert f"val_elbo {row['val_elbo']:.4f}, " in line
    assert "kl_1" not in line  # one for each group would fill the screen


def test_runs_of_other_kinds_and_settings_are_refused(prepare):
    training = prepare("dense")
    training.loop.fit(1)
    with pytest.raises(InputError, match="holds a run of kind autoencoder, not vae"):
        prepare("vae")
    with pytest.raises(InputError, match="model.code_size was 3 and is 4 now"):
        prepare("dense", code_size=4)


def test_a_loss_that_is_no_number_ends_training(prepare):
    training = prepare("vae", learning_rate=0.99, schedule="constant", binarisation="none")
    kernel = training.model.trainable_variables[0]
    kernel.assign(np.full(kernel.shape, np.nan))
    with pytest.raises(InputError, match="no longer a number in epoch 1.*lower learning rate"):
        training.loop.fit(EPOCHS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("likelihood", "binarisation"), [("bernoulli", "dynamic"), ("gaussian", "none")]
)
def test_hundreds_of_steps_at_a_high_rate_stay_finite(prepare, likelihood, binarisation):
    training = prepare(
        "vae",
        batch_size=2,
        epochs=25,
        learning_rate=0.05,
        schedule="constant",
        likelihood=likelihood,
        binarisation=binarisation,
    )
    training.loop.fit(25)

    assert len(training.batches) * 25 == 500

    assert all(np.isfinite(row["loss"]) for row in training.loop.history.rows)
    assert all(np.isfinite(weight).all() for weight in training.model.get_weights())


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range(prepare, seed):
    with pytest.raises(InputError, match=f"the seed must be 0 to .* received {seed}"):
        prepare("dense", seed=seed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"units": (8, 0)}, "units.1: must be greater than or equal to 1; received 0"),
        ({"masking_noise": 1.5}, "masking_noise: must be less than or equal to 1; received 1.5"),
    ],
)
def test_autoencoder_settings_that_make_no_sense(change, message):
    with pytest.raises(InputError, match=message):
        preset("dense").changed(**change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"beta": -1}, "beta: must be greater than or equal to 0; received -1"),
        ({"likelihood": "gaussian"}, "pass --binarisation none; received dynamic"),
    ],
)
def test_vae_settings_that_make_no_sense(change, message):
    with pytest.raises(InputError, match=message):
        preset("vae").changed(**change)


def test_models_that_make_no_sense():
    message = r"groups must be 1 or more, then 0 or more .*; received \(0, 2\)"
    with pytest.raises(InputError, match=message):
        preset("hierarchical").changed(groups=(0, 2))
    with pytest.raises(InputError, match="no setting groups here"):
        preset("vae").changed(groups=(1, 2))


def test_the_loss_is_a_sum_over_pixels(prepare):
    """A compiled model's loss is the mean over images of sums over pixels."""
    training = prepare("dense", masking_noise=0.0)
    (x, target), *_ = training.batches.epoch(0)
    logs = training.model.test_step((x, target))
    expected = keras.ops.binary_crossentropy(target, training.model(x))
    assert float(logs["loss"]) == pytest.approx(float(np.sum(expected)) / len(x), rel=1e-5)


def test_a_vae_without_hidden_layers_is_linear():
    model = build_model(preset("vae").changed(units=(), latents=2, **COMMON), (4, 4, 1), 0, 1)

    shapes = [tuple(weight.shape) for weight in model.encoder.weights]
    assert shapes == [(16, 2), (2,), (16, 2), (2,)]  # mean and log-variance, nothing before them
    assert [tuple(weight.shape) for weight in model.decoder.weights] == [(2, 16), (16,)]
