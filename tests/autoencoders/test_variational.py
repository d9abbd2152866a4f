import keras
import numpy as np
import pytest
import scipy.special
import scipy.stats
import tensorflow as tf

from tf_models.autoencoders import variational
from tf_models.autoencoders.networks import dense_decoder, dense_encoder, normal_encoder
from tf_models.autoencoders.variational import TERMS, VAE
from tf_models.autoencoding.evaluate import active_units, log_likelihoods
from tf_models.errors import InputError

SHAPE, LATENTS = (4, 3, 1), 2


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


def make_vae(units=(8,), shape=SHAPE, latents=LATENTS, **options):
    body = dense_encoder(shape, 8, units, code_activation="relu")
    decoder = dense_decoder(shape, latents, units, output_activation="linear")
    return VAE(normal_encoder(body, latents), decoder, seed=1, **options)


def images(count=6, shape=SHAPE):
    random = np.random.default_rng(0)
    return tf.constant(random.random((count, *shape)) < 0.4, tf.float32)


def fitted(vae, data, epochs=3, rate=0.01, **options):
    vae.compile(keras.optimizers.Adam(rate))
    vae.fit(data, epochs=epochs, verbose=0, **options)
    return vae


def test_terms_are_summed_over_pixels_and_latents():
    """With all weights 0, a pixel costs log 2, and a latent's posterior is its prior."""
    vae = make_vae()
    vae.set_weights([np.zeros_like(weight) for weight in vae.get_weights()])
    terms = vae.terms(images(), images(), 1.0, training=False)

    np.testing.assert_allclose(terms["reconstruction"], 12 * np.log(2), rtol=1e-6)
    np.testing.assert_allclose(terms["kl"], 0)
    vae.encoder.get_layer("mean").bias.assign([1.0, 2.0])
    terms = vae.terms(images(), images(), 0.5, training=False)
    np.testing.assert_allclose(terms["kl"], (1 + 4) / 2)
    np.testing.assert_allclose(terms["loss"], 12 * np.log(2) + 0.5 * 2.5, rtol=1e-6)
    np.testing.assert_allclose(terms["elbo"], -12 * np.log(2) - 2.5, rtol=1e-6)


@pytest.mark.parametrize("likelihood", ["bernoulli", "gaussian"])
def test_fit_logs_all_terms_and_learns(likelihood):
    vae = make_vae(likelihood=likelihood)
    vae.compile(keras.optimizers.Adam(0.01))
    history = vae.fit(images(64), epochs=20, verbose=0).history

    assert set(history) == set(TERMS)
    assert history["loss"][-1] < history["loss"][0]
    np.testing.assert_allclose(
        history["elbo"], -np.add(history["reconstruction"], history["kl"]), rtol=1e-5
    )


def test_reconstruction_of_corrupted_inputs_aims_at_the_clean_ones():
    vae = make_vae()
    vae.compile(keras.optimizers.SGD(0.0))
    zeros = tf.zeros((6, *SHAPE))
    logs = vae.evaluate(zeros, images(), verbose=0, return_dict=True)
    expected = vae.terms(zeros, images(), 1.0, training=False)
    assert logs["reconstruction"] == pytest.approx(
        float(np.mean(expected["reconstruction"])), rel=0.2
    )
    other = vae.evaluate(zeros, verbose=0, return_dict=True)
    assert other["reconstruction"] != pytest.approx(logs["reconstruction"], rel=0.01)


@pytest.mark.parametrize("shards", [2, 4])
def test_shards_train_as_one(shards):
    """Without the noise, which each shard draws for itself."""
    found = []
    for count in (1, shards):
        keras.utils.set_random_seed(0)
        vae = make_vae()
        vae.sampling = lambda mean, log_variance: mean + 0 * log_variance
        vae.num_shards = count
        vae.compile(keras.optimizers.SGD(0.01))
        logs = vae.train_step((images(7),))  # shards of unlike size
        found.append([*vae.get_weights(), *logs.values()])
    for one, several in zip(*found, strict=True):
        np.testing.assert_allclose(one, several, rtol=1e-4, atol=1e-6)


def test_kl_weight_rises_in_training_only():
    vae = make_vae(beta=2.0, kl_warmup_steps=4)
    vae.compile(keras.optimizers.SGD(0.0))
    seen = []
    for _ in range(6):
        logs = {k: float(v) for k, v in vae.train_step((images(),)).items()}
        seen.append((logs["loss"] - logs["reconstruction"]) / logs["kl"])
        for metric in vae.metrics:
            metric.reset_state()
    np.testing.assert_allclose(seen, [0, 0.5, 1, 1.5, 2, 2], atol=1e-4)
    logs = make_vae(beta=2.0, kl_warmup_steps=4).test_step((images(),))
    assert float(logs["loss"] - logs["reconstruction"]) == pytest.approx(
        2 * float(logs["kl"]), rel=1e-4
    )


@pytest.mark.slow
def test_bounds_rise_with_the_number_of_samples():
    vae = fitted(make_vae(), images(64), epochs=10)
    test = images(32)
    bounds = [log_likelihoods(vae, [test] * 200, k).mean() for k in (1, 5, 50)]
    elbo = -np.mean(
        [np.mean(vae.terms(test, test, 1.0, training=False)["loss"]) for _ in range(200)]
    )

    assert bounds[0] == pytest.approx(elbo, abs=0.05)
    assert bounds[0] < bounds[1] - 0.02
    assert bounds[1] < bounds[2]


class Counting:
    """Log-weights 0, 1, 2, … times x: the next ones at each call."""

    def __init__(self):
        self.done = tf.Variable(0)

    def log_weights(self, x, samples):
        numbers = tf.cast(self.done + tf.range(samples), tf.float32)
        self.done.assign_add(samples)
        return numbers[:, tf.newaxis] * x[tf.newaxis, :]  # (samples, batch)


@pytest.mark.parametrize("chunk", [1, 3, 7, 10, 100])
def test_chunks_change_nothing(chunk):
    x = tf.constant([0.0, 100.0, -100.0])
    expected = scipy.special.logsumexp(np.outer(np.arange(10), x), axis=0) - np.log(10)

    np.testing.assert_allclose(
        log_likelihoods(Counting(), [x], 10, chunk), expected, rtol=1e-6, atol=1e-6
    )


def test_importance_weighted_objective():
    """With one sample its formula is the ELBO's; with more, the loss is lower."""
    vae = make_vae(importance_samples=50)
    test = images(200)
    terms = vae.terms(test, test, 1.0, training=True)
    assert np.mean(terms["loss"]) < np.mean(-terms["elbo"])
    estimate = log_likelihoods(vae, [test], 50, chunk=50)
    assert np.mean(terms["loss"]) == pytest.approx(-np.mean(estimate), abs=0.05)

    losses = fitted(make_vae(importance_samples=3), images(64), epochs=20).history.history["loss"]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("gradient_samples", [0, 3])
def test_the_decoder_gets_samples_in_chunks_which_change_nothing(monkeypatch, gradient_samples):
    vae = make_vae(importance_samples=10, gradient_samples=gradient_samples)
    log_p_x, sizes, found = vae._log_p_x, [], []

    def counting(target, z, training):
        sizes.append(len(z))
        return log_p_x(target, z, training)

    vae._log_p_x = counting
    for chunk in (4, 10):
        monkeypatch.setattr(variational, "SAMPLES_TOGETHER", chunk)
        vae.reseed(3)
        with tf.GradientTape() as tape:
            terms = vae.terms(images(), images(), 1.0, training=True)
            loss = tf.reduce_sum(terms["loss"])
        found.append([*terms.values(), *tape.gradient(loss, vae.trainable_variables)])
    for in_chunks, at_once in zip(*found, strict=True):
        np.testing.assert_allclose(in_chunks, at_once, rtol=1e-4, atol=1e-5)
    drawn = [gradient_samples] if gradient_samples else []
    assert sizes == [4, 4, 2, *drawn, 10, *drawn]


def test_gradient_of_samples_drawn_by_their_weights_is_that_of_the_bound():
    """On average: so many are drawn here that the mean stands. The loss is that of all samples."""
    vae, test = make_vae(importance_samples=5), images(4)
    noise = 2 * tf.random.stateless_normal((5, 4, LATENTS), [1, 2])
    vae._samples = lambda mean, log_variance, count: mean + tf.exp(log_variance / 2) * noise
    found = []
    for gradient_samples in (0, 20_000):
        vae.gradient_samples = gradient_samples
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(vae.terms(test, test, 1.0, training=True)["loss"])
        gradients = tape.gradient(loss, vae.trainable_variables)
        found.append((loss, np.concatenate([np.ravel(gradient) for gradient in gradients])))
    (loss, exact), (same_loss, drawn) = found

    np.testing.assert_allclose(same_loss, loss, rtol=1e-6)
    assert np.linalg.norm(drawn - exact) < 0.02 * np.linalg.norm(exact)


def linear_gaussian(data, latents, steps):
    """A VAE with linear encoder and decoder: probabilistic PCA, if it is trained to the end."""
    shape = data.shape[1:]
    inputs = keras.Input(shape)
    flat = keras.layers.Flatten()(inputs)
    encoder = keras.Model(inputs, flat)
    decoder = dense_decoder(shape, latents, output_activation="linear")
    vae = VAE(normal_encoder(encoder, latents), decoder, likelihood="gaussian", seed=1)
    steps = tf.data.Dataset.from_tensors(tf.constant(data)).repeat(steps)
    for rate in (0.05, 0.01, 0.002):
        fitted(vae, steps, epochs=1, rate=rate)
    return vae


@pytest.mark.slow
def test_linear_decoder_against_probabilistic_pca():
    """log p(x) is then exactly normal, with covariance W W^T + s^2 I."""
    random = np.random.default_rng(0)
    mixing = random.normal(size=(2, 6))
    data = (random.normal(size=(500, 2)) @ mixing + 0.3 * random.normal(size=(500, 6)) + 1).astype(
        np.float32
    )[:, :, None, None]
    vae = linear_gaussian(data, 2, steps=400)
    kernel, bias = vae.decoder.get_weights()
    variance = np.exp(float(vae.likelihood.log_variance.value))
    exact = scipy.stats.multivariate_normal(bias, kernel.T @ kernel + variance * np.eye(6))
    exact = exact.logpdf(data.reshape(-1, 6))

    estimated = log_likelihoods(vae, [data], 2000, chunk=500)
    np.testing.assert_allclose(estimated, exact, atol=0.05)

    # And the maximum of the likelihood is Tipping & Bishop's, from the eigenvalues.
    covariance = np.cov(data.reshape(-1, 6).T, bias=True)
    values, vectors = np.linalg.eigh(covariance)
    noise = values[:4].mean()
    weights = vectors[:, 4:] * np.sqrt(values[4:] - noise)
    best = scipy.stats.multivariate_normal(
        data.reshape(-1, 6).mean(axis=0), weights @ weights.T + noise * np.eye(6)
    )
    assert exact.mean() == pytest.approx(best.logpdf(data.reshape(-1, 6)).mean(), abs=0.02)


def test_generated_images():
    vae = make_vae()
    hot, cold = vae.generate(500), vae.generate(500, temperature=0.0)

    assert hot.shape == (500, *SHAPE)
    assert 0 < np.min(hot) < np.max(hot) < 1
    assert np.ptp(cold, axis=0).max() == 0
    assert np.ptp(hot, axis=0).max() > 0


@pytest.mark.parametrize(
    "options",
    [{"likelihood": "gaussian", "beta": 0.5}, {"importance_samples": 3, "gradient_samples": 1}],
)
def test_saved_and_loaded(tmp_path, options):
    vae = make_vae(**options)
    vae.compile(keras.optimizers.Adam(0.01))
    vae.train_step(images())
    vae.save(tmp_path / "vae.keras")
    loaded = keras.saving.load_model(tmp_path / "vae.keras")

    for name in (
        "beta",
        "kl_warmup_steps",
        "likelihood",
        "importance_samples",
        "gradient_samples",
        "seed",
    ):
        assert loaded.get_config()[name] == vae.get_config()[name]
    for ours, theirs in zip(vae.get_weights(), loaded.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    vae.decoder.save(tmp_path / "decoder.keras")
    vae.encoder.save(tmp_path / "encoder.keras")
    decoder = keras.saving.load_model(tmp_path / "decoder.keras")
    encoder = keras.saving.load_model(tmp_path / "encoder.keras")
    np.testing.assert_array_equal(
        decoder(encoder(images())[0]), vae.decoder(vae.encoder(images())[0])
    )


def test_active_units():
    means = np.random.default_rng(0).normal(size=(1000, 3)) * [1.0, 0.05, 0.2]
    assert active_units(means).tolist() == [True, False, True]


def test_the_importance_weighted_bound_has_no_kl_term():
    with pytest.raises(InputError, match="importance_samples=5 leave beta at 1"):
        make_vae(importance_samples=5, beta=2)


@pytest.mark.parametrize("of_dataset", [False, True])
def test_pixels_that_are_no_probabilities_are_refused(of_dataset):
    right = images().numpy()
    wrong = 2 * right - 1

    def fit(vae, x):
        data = tf.data.Dataset.from_tensors((x, x)) if of_dataset else x
        fitted(vae, data, epochs=1)

    with pytest.raises((InputError, tf.errors.InvalidArgumentError), match="from 0 to 1"):
        fit(make_vae(), wrong)
    fit(make_vae(), right)
    fit(make_vae(likelihood="gaussian"), wrong)
