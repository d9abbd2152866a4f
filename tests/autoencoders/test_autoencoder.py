import keras
import numpy as np
import pytest

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.networks import (
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
)
from tf_models.errors import InputError

SHAPE = (5, 6, 1)
X = np.random.default_rng(0).random((7, *SHAPE), np.float32)
MAKE = {
    "dense": (dense_encoder, dense_decoder, (8,)),
    "convolutional": (convolutional_encoder, convolutional_decoder, (2, 3)),
}


@pytest.fixture(params=MAKE)
def model(request):
    keras.utils.set_random_seed(0)
    encoder, decoder, widths = MAKE[request.param]
    return Autoencoder(encoder(SHAPE, 3, widths), decoder(SHAPE, 3, widths))


def test_encoder_and_decoder_apart_are_the_whole(model, tmp_path):
    for part in ("encoder", "decoder"):
        getattr(model, part).save(tmp_path / f"{part}.keras")
    encoder, decoder = (
        keras.saving.load_model(tmp_path / f"{part}.keras") for part in ("encoder", "decoder")
    )
    codes = encoder(X)

    assert codes.shape == (7, 3)
    np.testing.assert_allclose(decoder(codes), model(X), atol=1e-6)


def test_losses_are_sums_over_pixels_and_means_over_images():
    x, back = X[:2], np.clip(X[2:4], 0.01, 0.99)
    squared = np.sum((x - back) ** 2) / 2
    assert float(ReconstructionLoss("mse")(x, back)) == pytest.approx(squared, rel=1e-5)
    cross_entropy = -np.sum(x * np.log(back) + (1 - x) * np.log(1 - back)) / 2
    assert float(ReconstructionLoss("bernoulli")(x, back)) == pytest.approx(cross_entropy, rel=1e-5)
    with pytest.raises(InputError, match="one of mse, bernoulli; received 'mae'"):
        ReconstructionLoss("mae")
