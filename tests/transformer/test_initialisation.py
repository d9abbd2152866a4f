import numpy as np

from tf_models.transformer.initialisation import initialise_mimetically, scale_residual_branches
from tf_models.transformer.model import Transformer


def build():
    model = Transformer(2, 16, 4, 32, 20, 30, 12, 13)
    model.build()
    return model


def test_what_is_shrunk_and_what_is_not():
    model = build()
    before = {weight.path: weight.numpy() for weight in model.trainable_variables}
    scale_residual_branches(model, 0.5)
    shrunk = 0
    for weight in model.trainable_variables:
        branch = weight.name == "kernel" and any(
            part in weight.path for part in ("/wv/", "/dense/", "sequential")
        )
        factor = 0.5 if branch else 1
        np.testing.assert_allclose(weight.numpy(), factor * before[weight.path])
        shrunk += branch
    assert shrunk == 2 * (2 + 2) + 2 * (4 + 2)  # encoder and decoder layers


def test_a_layer_with_no_gain_is_the_identity():
    """LayerNorm(x + 0) leaves what is normalised already."""
    model = build()
    scale_residual_branches(model, 0.0)
    x = np.random.default_rng(0).normal(size=(1, 5, 16)).astype(np.float32)
    x = (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)
    out, _ = model.encoder.enc_layers[0](x)

    np.testing.assert_allclose(out, x, atol=1e-4)


def test_a_copying_start_finds_the_equal_vector_and_passes_it_on():
    model = build()
    initialise_mimetically(model)
    vectors = 3 * np.random.default_rng(0).normal(size=(1, 6, 16)).astype(np.float32)
    for layer in model.decoder.dec_layers:
        _, weights = layer.mha2(vectors, vectors, vectors, mask=None)
        to_itself = np.trace(weights.numpy()[0].mean(0)) / 6  # mean over heads and vectors
        assert to_itself > 2 * (1 - to_itself) / 5  # than to each of the others
        values = layer.mha2.dense(layer.mha2.wv(vectors))
        np.testing.assert_allclose(values, vectors, atol=1e-4)
