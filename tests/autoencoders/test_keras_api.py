"""VAEs as Keras' users call them: decoders of their own, 16 bits, bad images, export."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.autoencoders.networks import (
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
)
from tf_models.autoencoders.variational import VAE
from tf_models.errors import InputError
from tf_models.layers.models import SummedLossModel
from tf_models.recurrent.question_answering import QuestionAnsweringModel
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder

SHAPE, LATENTS = (6, 5, 1), 2
IDS = np.random.default_rng(0).integers(1, 9, (8, 4))
layers = keras.layers


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


@pytest.fixture
def policy(request):
    keras.config.set_dtype_policy(request.param)
    yield request.param
    keras.config.set_dtype_policy("float32")


def images(count=8, shape=SHAPE):
    return np.random.default_rng(0).random((count, *shape)).astype(np.float32)


def dense_parts(**options):
    body = dense_encoder(SHAPE, 8, [8], code_activation="relu")
    return normal_encoder(body, LATENTS), dense_decoder(SHAPE, LATENTS, [8], **options)


def dense_vae(**options):
    return VAE(*dense_parts(output_activation="linear"), seed=1, **options)


def convolutional_vae():
    encoder = normal_encoder(convolutional_encoder(SHAPE, 8, [2, 3]), LATENTS)
    decoder = convolutional_decoder(SHAPE, LATENTS, [2, 3], output_activation="linear")
    return VAE(encoder, decoder, kl_warmup_steps=3, seed=1)


def hierarchical_vae():
    return HierarchicalVAE(SHAPE, (1, 1), 2, 1, seed=1)


VAES = {"dense": dense_vae, "convolutional": convolutional_vae, "hierarchical": hierarchical_vae}


def one_line(call):
    with pytest.raises(InputError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"], indirect=True)
@pytest.mark.parametrize("kind", VAES)
def test_a_vae_computes_in_16_bits_and_its_terms_in_32(policy, kind):
    vae = VAES[kind]()
    vae.compile(keras.optimizers.SGD(0.01), run_eagerly=True)
    history = vae.fit(images(), epochs=2, verbose=0).history

    assert np.isfinite([*history.values()]).all()
    assert vae.generate(3).dtype == tf.float32
    assert vae.log_weights(tf.constant(images()), 2).dtype == tf.float32
    assert {variable.dtype for variable in vae.trainable_variables} == {"float32"}


def moved(make, data) -> np.ndarray:
    """What a step of SGD adds to all weights together."""
    keras.utils.set_random_seed(0)
    model = make()
    before = np.concatenate([np.ravel(weight) for weight in model.trainable_variables])
    optimizer = keras.optimizers.SGD(0.01)
    if (
        keras.config.dtype_policy().name == "mixed_float16"
    ):  # a scale that no gradient is too large for
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, initial_scale=256)
    model.compile(optimizer, run_eagerly=True)
    model.train_on_batch(data) if isinstance(data, np.ndarray) else model.train_step(data)
    return np.concatenate([np.ravel(weight) for weight in model.trainable_variables]) - before


FACTS = (np.tile(IDS[:, np.newaxis], (1, 2, 1)), IDS, IDS, np.ones((8, 2), int))
FAMILIES = {
    **{name: (make, images()) for name, make in VAES.items() if name != "hierarchical"},
    "sentences": (lambda: SequenceAutoencoder(9, 4, 4), (IDS, IDS)),
    "questions": (lambda: QuestionAnsweringModel(9, 9, 4, 4, support_weight=1.0), FACTS),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_mixed_float16_learns_as_float32_does(name):
    make, data = FAMILIES[name]
    if not isinstance(data, np.ndarray):
        data = tuple(map(tf.constant, data))
    plain = moved(make, data)
    keras.config.set_dtype_policy("mixed_float16")
    try:
        half = moved(make, data)
    finally:
        keras.config.set_dtype_policy("float32")

    assert np.linalg.norm(plain) > 1e-4
    assert np.linalg.norm(half - plain) < 0.05 * np.linalg.norm(plain)


class Subclass(keras.Model):
    def __init__(self, activation):
        super().__init__()
        self.dense = layers.Dense(30, activation)

    def call(self, z):
        return tf.reshape(self.dense(z), (-1, *SHAPE))


def behind(*functions):
    z = x = keras.Input((LATENTS,))
    for function in functions:
        x = function(x)
    return keras.Model(z, x)


SQUASHED = {
    "the default": lambda: dense_parts()[1],
    "convolutional": lambda: convolutional_decoder(SHAPE, LATENTS, [2]),
    **{
        name: lambda name=name: dense_parts(output_activation=name)[1]
        for name in ("tanh", "relu", "softplus", "elu")
    },
    "before a reshape": lambda: behind(layers.Dense(30, "sigmoid"), layers.Reshape(SHAPE)),
    "an operation": lambda: behind(layers.Dense(30), keras.ops.sigmoid, layers.Reshape(SHAPE)),
    "a softmax": lambda: behind(layers.Dense(30), layers.Softmax(), layers.Reshape(SHAPE)),
    "nested": lambda: behind(dense_parts()[1], layers.Dropout(0.5)),
}
FREE = {
    "leaky": lambda: dense_parts(output_activation="leaky_relu")[1],
    "hidden": lambda: behind(layers.Dense(9, "sigmoid"), layers.Dense(30), layers.Reshape(SHAPE)),
    "normalised": lambda: behind(
        layers.Dense(30, "relu"), layers.Reshape(SHAPE), layers.BatchNormalization()
    ),
    "a sum": lambda: behind(
        layers.Dense(30), lambda x: x + layers.Dense(30)(x), layers.Reshape(SHAPE)
    ),
    "a subclass, of which nobody can tell": lambda: Subclass("sigmoid"),
}


@pytest.mark.parametrize("name", SQUASHED)
def test_a_decoder_that_squashes_its_logits_is_refused(name):
    encoder, decoder = dense_parts()[0], SQUASHED[name]()
    assert "must end in logits, and this one ends between" in one_line(
        lambda: VAE(encoder, decoder)
    )
    VAE(encoder, decoder, likelihood="gaussian")  # means may well be bounded


@pytest.mark.parametrize("name", FREE)
def test_a_decoder_of_any_numbers_is_taken(name):
    assert VAE(dense_parts()[0], FREE[name]())(images()).shape == (8, *SHAPE)


def with_pixel(value):
    x = images()
    x[5, 2, 2] = value
    return x


BAD_BATCHES = {
    "labels": ((images(), np.arange(8)), "leave labels out"),
    "one-hot labels": ((images(), np.eye(8)), "leave labels out"),
    "another size": ((images(shape=(5, 6, 1)),), "received (4, 5, 6, 1)"),
    "no channels": ((images()[..., 0],), "received (4, 6, 5)"),
    "bytes": (((255 * images()).astype(np.uint8),), "pixels must be floats; received uint8"),
    "booleans": ((images() > 0.5,), "received bool"),
    "bytes as floats": ((255 * images(),), "finite, from 0 to 1; received "),
    "below 0": ((2 * images() - 1,), "finite, from 0 to 1; received -0."),
    "no number": ((with_pixel(np.nan),), "pixels must be finite"),
    "infinite": ((with_pixel(np.inf),), "pixels must be finite"),
    "no number in the input": ((with_pixel(np.nan), images()), "pixels must be finite"),
    "weights": ((images(), images(), np.ones(8)), "takes no sample weights"),
}


@pytest.mark.parametrize("name", BAD_BATCHES)
@pytest.mark.parametrize("how", ["fit", "evaluate", "a data set"])
def test_what_are_no_images_for_a_vae_is_named_in_one_line(name, how):
    batch, message = BAD_BATCHES[name]
    vae = dense_vae()
    vae.compile("adam", run_eagerly=True)
    options = {"batch_size": 4, "verbose": 0}
    if how == "a data set":
        batch = (tf.data.Dataset.from_tensor_slices(batch).batch(4),)
        options = {"verbose": 0}
    names = ("x", "y", "sample_weight")
    data = dict(zip(names, batch, strict=False))
    assert message in one_line(
        lambda: vae.evaluate(**data, **options) if how == "evaluate" else vae.fit(**data, **options)
    )


@pytest.mark.slow
def test_pixels_are_checked_in_a_graph_too():
    vae = dense_vae()
    vae.compile("adam")
    assert "finite, from 0 to 1; received " in one_line(lambda: vae.fit(255 * images(), verbose=0))
    assert "no sample weights" in one_line(
        lambda: vae.fit(images(), sample_weight=np.ones(8), verbose=0)
    )


def test_a_gaussian_vae_takes_any_finite_numbers():
    vae = dense_vae(likelihood="gaussian")
    vae.compile("adam", run_eagerly=True)
    assert np.isfinite(vae.fit(100 * images() - 50, verbose=0).history["loss"]).all()
    assert "pixels must be finite" in one_line(lambda: vae.fit(with_pixel(np.nan), verbose=0))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*VAES, "autoencoder"])
def test_exported_it_gives_the_same_numbers(name, tmp_path):
    make = VAES.get(name, lambda: Autoencoder(dense_encoder(SHAPE, 3), dense_decoder(SHAPE, 3)))
    model = make()
    model.export(tmp_path / "model", verbose=False)
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    for count in (8, 3):
        np.testing.assert_allclose(loaded.serve(images(count)), model(images(count)), atol=1e-6)


def test_models_of_other_batches_are_not_asked_for_images():
    assert SummedLossModel(("loss",))._batch((1, 2, 3, 4)) == (1, 2, 3, 4)
    assert SummedLossModel(("loss",))._batch(1) == (1,)
