import numpy as np
import pytest

from benchmarks.vae_comparison import OURS, PYTORCH, compare_vaes, report_vaes
from benchmarks.vae_systems import VaeTask
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.tasks.autoencoding.vae_settings import VAESettings


@pytest.fixture
def task(tmp_path):
    random = np.random.default_rng(0)
    split = ImageSplit(random.integers(0, 17, (50, 4, 3, 1), np.uint8), None)
    images = ImageSet("noise", split, split, split, maximum=16)
    return VaeTask(images, VAESettings(latents=2, units=(5,), batch_size=8), tmp_path)


def test_both_train_the_same(task, plan, in_this_process):
    pytest.importorskip("torch", reason="PyTorch is an optional rival")
    results = compare_vaes(task, [OURS, PYTORCH], plan)

    for rival in results["rivals"].values():
        assert rival["epoch_seconds"]["lowest"] > 0
        assert set(rival["start_up_seconds"]) == {"import", "prepare", "first epoch"}
    for rival in results["rivals"].values():
        assert 0 < rival["loss_nats"] < 12 * np.log(2) + 1
    text = report_vaes(results)
    for part in ("tf-models", "pytorch", "x PyTorch", "50 images of noise"):
        assert part in text


def test_without_pytorch(task, plan, in_this_process):
    results = compare_vaes(task, [OURS], plan)
    assert "pytorch" not in report_vaes(results)


def test_the_rivals_loss_is_ours(task):
    """The same weights and no noise: the same negative ELBO."""
    torch = pytest.importorskip("torch", reason="PyTorch is an optional rival")
    import tensorflow as tf

    from benchmarks.pytorch_vae import Vae
    from tf_models.tasks.autoencoding.vae_family import build_vae

    ours = build_vae(task.settings, task.images.shape)
    theirs = Vae(12, task.settings)
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
    _, log_variance = ours.encoder.outputs[0], ours.encoder.get_layer("log_variance")
    log_variance.set_weights([spread.numpy().T, spread_bias.numpy()])
    x = (task.images.pixels(task.images.train) > 0.5).astype(np.float32)

    terms = ours.terms(tf.constant(x), tf.constant(x), 1.0, training=False)
    loss = theirs(torch.from_numpy(x.reshape(len(x), -1)))
    assert float(loss) == pytest.approx(float(tf.reduce_mean(terms["loss"])), rel=1e-4)
