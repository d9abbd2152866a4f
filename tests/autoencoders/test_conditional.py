import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.networks import (
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
    with_classes,
)
from tf_models.autoencoders.variational import VAE, ConditionalVAE

SHAPE, LATENTS, CLASSES = (4, 3, 1), 2, 3
SEEN = (4, 3, 2)  # by the encoder's body: the class is a channel
LABELS = np.arange(6, dtype=np.int32) % CLASSES


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


def make(encoder=dense_encoder, **options):
    encoder = normal_encoder(with_classes(encoder(SEEN, 8, (8,)), CLASSES), LATENTS)
    decoder = dense_decoder(SHAPE, LATENTS + CLASSES, (8,), output_activation="linear")
    return ConditionalVAE(encoder, decoder, seed=1, **options)


@pytest.fixture
def images():
    return tf.constant(np.random.default_rng(0).random((6, *SHAPE)) < 0.4, tf.float32)


def test_a_class_that_no_weight_reads_leaves_a_vae(images):
    """The same terms and estimates as of a VAE with the other weights."""
    model = make()
    plain = VAE(
        normal_encoder(dense_encoder(SHAPE, 8, (8,)), LATENTS),
        dense_decoder(SHAPE, LATENTS, (8,), output_activation="linear"),
        seed=1,
    )
    class_channel, first = model.encoder.get_layer("class_channel"), model.encoder.layers[-3]
    class_channel.set_weights([np.zeros_like(w) for w in class_channel.get_weights()])
    kernel, *further = first.get_weights()
    of_pixels = kernel.reshape(4, 3, 2, -1)[..., 0, :].reshape(12, -1)
    heads = [w for name in ("mean", "log_variance") for w in model.encoder.get_layer(name).weights]
    plain.encoder.set_weights([of_pixels, *further, *[w.numpy() for w in heads]])
    from_z, *further = model.decoder.get_weights()
    from_z[LATENTS:] = 0
    model.decoder.set_weights([from_z, *further])
    plain.decoder.set_weights([from_z[:LATENTS], *further])

    for one in (model, plain):
        one.reseed(3)
    given, plainly = (
        one.loss_sums(images, *labels, training=False).metrics
        for one, labels in ((model, [LABELS]), (plain, []))
    )
    for name, value in given.items():
        assert float(value) == pytest.approx(float(plainly[name]), rel=1e-5)
    weights = model.log_weights((images, LABELS), 4), plain.log_weights(images, 4)
    np.testing.assert_allclose(*weights, rtol=1e-5)
    np.testing.assert_allclose(
        model.posterior_means((images, LABELS)), plain.posterior_means(images), rtol=1e-5
    )


@pytest.mark.parametrize("encoder", [dense_encoder, convolutional_encoder])
def test_the_class_decides_and_learns(encoder, images):
    model = make(encoder)
    z = tf.zeros((CLASSES, LATENTS))
    shown = model.decode(z, tf.range(CLASSES))
    assert np.abs(shown[0] - shown[1]).max() > 0.01
    np.testing.assert_allclose(shown[1], model.decode(z[:1], tf.constant([1]))[0], atol=1e-6)
    with tf.GradientTape() as tape:
        loss = model.loss_sums(images, LABELS, training=True).loss
    assert all(
        float(tf.norm(gradient)) > 0
        for gradient in tape.gradient(loss, [w.value for w in model.trainable_variables])
    )


def test_samples_are_of_each_class_in_turn():
    model = make()
    model.reseed(0)
    shown = model.generate(2 * CLASSES, temperature=0.0)
    np.testing.assert_allclose(shown[:CLASSES], shown[CLASSES:])
    np.testing.assert_allclose(shown[1], model.decode(tf.zeros((1, LATENTS)), [1])[0], atol=1e-6)


def test_it_learns_and_comes_back_from_a_file(images, tmp_path):
    model = make(importance_samples=3, gradient_samples=1)
    model.compile(keras.optimizers.Adam(0.03), run_eagerly=True)
    history = model.fit(images, LABELS, epochs=10, verbose=0).history
    assert history["loss"][-1] < history["loss"][0]
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.classes == CLASSES
    for one in (model, loaded):
        one.reseed(5)
    np.testing.assert_allclose(loaded(images, LABELS), model(images, LABELS), atol=1e-6)
