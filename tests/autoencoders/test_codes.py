import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.codes import normal_encoder, softplus_log_variance
from tf_models.errors import InputError


def test_softplus_grows_no_faster_than_its_input():
    deviation = np.exp(softplus_log_variance(tf.constant([-200.0, 0.0, 30.0])) / 2)

    np.testing.assert_allclose(deviation, [1e-6, 1.0, 30.541], rtol=1e-4)


def test_softplus_has_a_gradient_far_below_zero():
    x = tf.constant([-200.0, -5.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        log_variance = softplus_log_variance(x)
    gradient = tape.gradient(log_variance, x).numpy()

    assert np.isfinite(gradient).all()
    assert gradient[1] == pytest.approx(2, abs=0.05)  # as exp has


def test_the_deviation_is_saved_with_the_encoder(tmp_path):
    body = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
    encoder = normal_encoder(body, 2, "softplus")
    encoder.save(tmp_path / "encoder.keras")
    x = tf.ones((1, 3))
    for ours, loaded in zip(
        encoder(x), keras.saving.load_model(tmp_path / "encoder.keras")(x), strict=True
    ):
        np.testing.assert_array_equal(ours, loaded)


def test_an_unknown_deviation_is_refused():
    body = keras.Sequential([keras.Input((3,))])
    with pytest.raises(InputError, match="one of exp, softplus; received 'relu'"):
        normal_encoder(body, 2, "relu")
