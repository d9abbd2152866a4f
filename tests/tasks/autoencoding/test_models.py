import numpy as np
import pytest

from tf_models.autoencoders.codes import softplus_log_variance
from tf_models.tasks.autoencoding.models import build_model, trainable
from tf_models.tasks.autoencoding.settings import VAE_MODELS
from tf_models.training.optimizers import FusedAdam, FusedAdamax

SHAPE = (8, 8, 1)
SMALL = {
    "vae": {"units": (4,), "latents": 2},
    "hierarchical": {"groups": (1,), "channels": 4},
}


@pytest.mark.parametrize(
    ("name", "changes", "optimizer", "clip_norm", "epsilon"),
    [
        ("vae", {}, FusedAdam, 200.0, 1e-7),
        ("vae", {"clip_norm": 0.0, "epsilon": 1e-4}, FusedAdam, None, 1e-4),
        ("hierarchical", {"clip_norm": 5.0}, FusedAdamax, 5.0, 1e-3),
    ],
)
def test_the_optimizer_is_that_of_the_settings(name, changes, optimizer, clip_norm, epsilon):
    settings = VAE_MODELS[name].changed(**SMALL[name], **changes)
    model = build_model(settings, SHAPE, 0, 1)
    trainable(model, settings, 1)

    assert type(model.optimizer) is optimizer
    assert (model.optimizer.global_clipnorm, model.optimizer.epsilon) == (clip_norm, epsilon)


def test_the_deviation_is_that_of_the_settings():
    settings = VAE_MODELS["vae"].changed(**SMALL["vae"])
    exp, softplus = (
        build_model(settings.changed(deviation=name), SHAPE, 0, 1) for name in ("exp", "softplus")
    )
    softplus.set_weights(exp.get_weights())
    x = np.ones((1, *SHAPE), np.float32)

    log_variance = exp.encoder(x)[1]
    np.testing.assert_allclose(softplus.encoder(x)[1], softplus_log_variance(log_variance), 1e-5)
