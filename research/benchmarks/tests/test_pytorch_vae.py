"""PyTorch computes the same: the same weights give the same negative ELBO."""

import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoding.model import build_model
from tf_models.autoencoding.settings import preset

torch = pytest.importorskip("torch", reason="PyTorch is an optional system")

from research.benchmarks.pytorch_vae import VAE  # noqa: E402 (it imports PyTorch)


def test_pytorch_has_the_same_loss():
    """Without noise: the standard deviation of a code is nearly zero."""
    settings = preset("vae").changed(latents=2, units=(5,), batch_size=8)
    ours, theirs = build_model(settings, (4, 3, 1)), VAE(12, settings)
    kernels = [torch.from_numpy(w.T.copy() if w.ndim == 2 else w) for w in ours.get_weights()
               if w.dtype == np.float32]  # fmt: skip
    hidden, hidden_bias, mean, mean_bias, spread, spread_bias, *decoder = kernels
    spread, spread_bias = 0 * spread, torch.full_like(spread_bias, -40.0)  # z is its mean
    weights = [
        *(hidden, hidden_bias),
        *(torch.cat([mean, spread]), torch.cat([mean_bias, spread_bias])),
        *decoder,
    ]
    with torch.no_grad():
        for parameter, weight in zip(theirs.parameters(), weights, strict=True):
            parameter.copy_(weight)
    ours.encoder.get_layer("log_variance").set_weights([spread.numpy().T, spread_bias.numpy()])
    x = np.random.default_rng(0).integers(0, 2, (50, 4, 3, 1)).astype(np.float32)

    terms = ours.terms(tf.constant(x), tf.constant(x), 1.0, training=False)
    loss = theirs(torch.from_numpy(x.reshape(len(x), -1)))
    assert loss.item() == pytest.approx(float(tf.reduce_mean(terms["loss"])), rel=1e-4)
