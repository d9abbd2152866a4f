import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.hierarchical import (
    DecoderCell,
    EncoderCell,
    HierarchicalVAE,
    LatentGroup,
    SqueezeExcitation,
)
from tf_models.autoencoding.evaluate import log_likelihoods

SHAPE = (9, 10, 1)  # neither side can be halved twice without rounding up


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


def make_vae(**options):
    return HierarchicalVAE(
        SHAPE, options.pop("groups", (2, 1)), channels=4, latent_channels=2, seed=1, **options
    )


def images(count=8):
    random = np.random.default_rng(0)
    return tf.constant(random.random((count, *SHAPE)) < 0.4, tf.float32)


@pytest.mark.parametrize("cell", [EncoderCell(), DecoderCell()])
def test_cells_keep_the_shape_and_are_residual(cell):
    x = tf.random.stateless_normal((2, 5, 4, 8), (1, 2))
    assert cell(x, training=True).shape == x.shape
    last = [w for w in cell.trainable_variables if "project" in w.path or "second_conv" in w.path]
    for weight in last:
        weight.assign(tf.zeros_like(weight))
    np.testing.assert_allclose(cell(x, training=True), x, atol=1e-6)


@pytest.mark.parametrize(
    ("patch", "sizes"), [(2, [(3, 3), (5, 5)]), (3, [(2, 2), (3, 4)]), (4, [(2, 2), (3, 3)])]
)
def test_a_position_of_the_largest_scale_stands_for_a_patch(patch, sizes):
    """The pixels that change with one position are those of the patches around it."""
    vae = make_vae(patch=patch)
    features = vae.bottom_up(images())
    last = [f.shape[1:3] for f in features]
    h = np.zeros((1, *sizes[-1], 4), np.float32)
    image = vae.top_down.image
    image.kernel.assign(tf.ones_like(image.kernel))
    h[0, 0, 0] = 1
    seen = tf.nn.depth_to_space(image(h) - image(0 * h), patch)[0, :, :, 0]

    assert last == [sizes[0], sizes[0], sizes[1]]
    assert vae.top_down.positions == [np.prod(size) for size in (sizes[0], *sizes)]
    expected = np.zeros_like(seen)
    expected[: 2 * patch, : 2 * patch] = 4  # a kernel of 3 x 3 at the corner: two by two patches
    np.testing.assert_array_equal(seen, expected)
    assert vae(images()).shape == (8, *SHAPE)


def test_squeeze_and_excitation_is_one_gate_a_channel():
    layer = SqueezeExcitation()
    x = 1 + tf.random.stateless_uniform((2, 5, 4, 8), (1, 2))
    gates = layer(x) / x

    np.testing.assert_allclose(gates, np.broadcast_to(gates[:, :1, :1], x.shape), rtol=1e-4)
    assert 0 < np.min(gates) < np.max(gates) < 1


def test_an_untrained_posterior_is_its_prior():
    """Its last convolution starts at zero."""
    group = LatentGroup(3, is_first=True, seed=1)
    h = tf.random.stateless_normal((2, 4, 4, 8), (1, 2))
    draw = group(h, h)

    np.testing.assert_allclose(draw.kl, [0, 0])
    np.testing.assert_allclose(draw.log_ratio, [0, 0])
    assert draw.h.shape == h.shape


def test_kl_of_a_group_against_its_samples():
    group = LatentGroup(2, is_first=False, seed=1)
    h, features = tf.random.stateless_normal((2, 1, 3, 3, 4), (1, 2))
    group(h, features)
    for weight in group.trainable_variables:
        weight.assign(0.5 * tf.random.stateless_normal(weight.shape, (3, 4)))
    draw = group(tf.repeat(h, 3000, axis=0), tf.repeat(features, 3000, axis=0))
    kl, ratios = draw.kl.numpy(), draw.log_ratio.numpy()  # (3000,) each

    np.testing.assert_allclose(kl, kl[0], rtol=1e-4)
    assert kl[0] > 0.5
    assert ratios.mean() == pytest.approx(kl[0], abs=4 * float(ratios.std()) / 3000**0.5)


@pytest.mark.parametrize("options", [{}, {"likelihood": "gaussian"}, {"groups": (1, 1, 1)}])
def test_terms_and_shapes(options):
    vae = make_vae(**options)
    terms = vae.terms(images(), images(), 1.0, training=False)
    kls = [terms[f"kl_{i + 1}"] for i in range(3)]

    assert all(term.shape == (8,) for term in terms.values())
    np.testing.assert_allclose(terms["kl"], np.sum(kls, axis=0), rtol=1e-5)
    np.testing.assert_allclose(terms["loss"], terms["reconstruction"] + terms["kl"], rtol=1e-5)
    assert vae(images()).shape == (8, *SHAPE)
    assert vae.generate(3).shape == (3, *SHAPE)
    assert vae.log_weights(images(), 4).shape == (4, 8)


@pytest.fixture(scope="module")
def trained_vae():
    """A model that has learnt a little, and the history of its training."""
    keras.utils.set_random_seed(0)
    vae = make_vae(kl_warmup_steps=4)
    vae.compile(keras.optimizers.Adamax(0.01))
    random = np.random.default_rng(0)
    halves = np.zeros((64, *SHAPE), np.float32)
    halves[random.random(64) < 0.5, :, :5] = 1  # the left half of some images is white
    return vae, vae.fit(halves, epochs=10, batch_size=16, verbose=0).history


@pytest.mark.slow
def test_fit_learns_and_logs_every_group(trained_vae):
    _, history = trained_vae
    assert {"kl_1", "kl_2", "kl_3"} < set(history)
    assert history["reconstruction"][-1] < 0.5 * history["reconstruction"][0]


@pytest.mark.slow
def test_bounds_rise_with_the_number_of_samples():
    """Of posteriors far from their priors, so that a wrong sign of a ratio would show."""
    vae = make_vae()
    for weight in vae.trainable_variables:
        if "posterior" in weight.path:
            weight.assign(0.1 * tf.random.stateless_normal(weight.shape, (3, 4)))
    x = images()
    log_weights = np.float64(vae.log_weights(x, 2000))  # (2000, batch)
    samples = [vae.terms(x, x, 1.0, training=False) for _ in range(50)]
    elbos = np.mean([draw["elbo"] for draw in samples], axis=1)  # (50,)

    assert np.mean([draw["kl"] for draw in samples]) > 3
    error = float(np.std(elbos)) / 50**0.5
    assert error < 0.5
    assert log_weights.mean() == pytest.approx(elbos.mean(), abs=4 * error)
    bounds = [
        np.mean(np.logaddexp.reduce(log_weights.reshape(k, -1, 8), axis=0) - np.log(k))
        for k in (1, 10, 100)
    ]
    assert bounds[0] < bounds[1] < bounds[2]
    streamed = log_likelihoods(vae, [x], 2000).mean()
    assert bounds[1] < streamed


def test_balancing_makes_large_groups_pay_more_during_warm_up():
    vae = make_vae(kl_warmup_steps=10)
    kls = tf.constant([[900.0, 900.0], [450.0, 450.0], [1250.0, 1250.0]])
    weights = vae._group_weights(kls, tf.constant(0.5)).numpy()

    # Two groups of 3 x 3 and one of 5 x 5: 100, 50 and 50 nats a position.
    np.testing.assert_allclose(weights, [1.5, 0.75, 0.75], rtol=1e-3)
    np.testing.assert_array_equal(vae._group_weights(kls, tf.constant(1.0)), [1, 1, 1])


def test_no_noise_is_drawn_twice():
    """Neither by another group nor later on."""
    vae = make_vae(groups=(3, 2))
    groups = [group for of_scale in vae.top_down.latents for group in of_scale]

    def seeds():
        return [
            tuple(np.array(group.sampling.seed_generator.next()).tolist())
            for _ in range(6)
            for group in groups
        ]

    vae.reseed(3)
    first = seeds()
    vae.reseed(3)
    assert seeds() == first
    vae.reseed(4)
    assert len({*first, *seeds()}) == 2 * 6 * len(groups)


def test_temperature_zero_is_one_image():
    cold = make_vae().generate(5, temperature=0.0)
    assert np.ptp(cold, axis=0).max() < 1e-6
