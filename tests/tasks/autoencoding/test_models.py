import pytest

from tf_models.tasks.autoencoding.models import build_model
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import trainable
from tf_models.training.optimizers import FusedAdam, FusedAdamax

SHAPE = (8, 8, 1)
SMALL = {"vae": {"units": (4,), "latents": 2}, "hierarchical": {"groups": (1,), "channels": 4}}


@pytest.mark.parametrize(
    ("name", "changes", "optimizer", "clip_norm", "epsilon"),
    [
        ("vae", {}, FusedAdam, 200.0, 1e-7),
        ("vae", {"clip_norm": 0.0}, FusedAdam, None, 1e-7),
        ("hierarchical", {"clip_norm": 5.0}, FusedAdamax, 5.0, 1e-3),
    ],
)
def test_the_optimizer_is_that_of_the_settings(name, changes, optimizer, clip_norm, epsilon):
    settings = preset(name).changed(**SMALL[name], **changes)
    model = build_model(settings, SHAPE, 0, 1)
    trainable(model, settings, 1)

    assert type(model.optimizer) is optimizer
    assert (model.optimizer.global_clipnorm, model.optimizer.epsilon) == (clip_norm, epsilon)
