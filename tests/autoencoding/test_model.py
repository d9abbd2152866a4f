"""Models of images, made from settings."""

import pytest

from tf_models.autoencoding.model import build_model
from tf_models.autoencoding.settings import preset

LINEAR = preset("dense").changed(code_size=2, units=(), output_activation="linear", loss="mse")
SMALL_VAE = preset("vae").changed(latents=2, units=(6,))


@pytest.mark.parametrize("change", [{"network": "convolutional"}, {"code_activation": "tanh"}])
def test_only_a_dense_network_without_activations_is_linear(change):
    assert LINEAR.is_linear
    assert not LINEAR.changed(**change).is_linear
    assert not LINEAR.changed(units=(4,)).is_linear
    assert not SMALL_VAE.changed(units=()).is_linear


def test_a_vae_without_hidden_layers_is_linear():
    model = build_model(SMALL_VAE.changed(units=()), (4, 4, 1))

    shapes = [tuple(weight.shape) for weight in model.encoder.weights]
    assert shapes == [(16, 2), (2,), (16, 2), (2,)]  # mean and log-variance, nothing before them
    assert [tuple(weight.shape) for weight in model.decoder.weights] == [(2, 16), (16,)]


def test_the_warm_up_of_the_kl_term_counts_epochs():
    model = build_model(SMALL_VAE.changed(kl_warmup_epochs=1.5), (4, 4, 1), epoch_steps=5)
    assert model.kl_warmup_steps == 8
