import numpy as np
import pytest

from research.benchmarks.systems import VAE_SYSTEMS
from research.benchmarks.vae_comparison import compare_vaes
from research.benchmarks.vae_systems import VAETask
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.tasks.autoencoding.settings import preset


@pytest.fixture
def task(tmp_path):
    random = np.random.default_rng(0)
    split = ImageSplit(random.integers(0, 17, (50, 4, 3, 1), np.uint8), None)
    images = ImageSet("noise", split, split, split, maximum=16)
    return VAETask(images, preset("vae").changed(latents=2, units=(5,), batch_size=8), tmp_path)


def test_all_train_the_same(task, plan, in_this_process, report_of):
    pytest.importorskip("torch", reason="PyTorch is an optional system")
    results = compare_vaes(task, list(VAE_SYSTEMS), plan)

    for system in results["systems"].values():
        assert system["epoch_seconds"]["lowest"] > 0
        assert set(system["start_up_seconds"]) == {"import", "prepare", "first epoch"}
        assert 0 < system["loss_nats"] < 12 * np.log(2) + 1
    ours, *theirs = VAE_SYSTEMS
    seconds = {name: s["epoch_seconds"]["median"] for name, s in results["systems"].items()}
    assert results["systems"][ours]["times_as_fast_as"] == {
        name: seconds[name] / seconds[ours] for name in theirs
    }
    assert set(results["systems"]["pytorch"]["times_as_fast_as"]) == {"pytorch-compiled"}
    text = report_of("vae", results)
    for part in (*VAE_SYSTEMS, "x PyTorch", "50 images of noise", "pytorch: runs eagerly"):
        assert part in text


def test_without_pytorch(task, plan, in_this_process, report_of):
    results = compare_vaes(task, ["tf-models"], plan)
    assert "pytorch" not in report_of("vae", results)


def test_pytorch_has_the_same_loss(task):
    """The same weights and no noise: the same negative ELBO."""
    torch = pytest.importorskip("torch", reason="PyTorch is an optional system")
    import tensorflow as tf

    from research.benchmarks.pytorch_vae import VAE
    from tf_models.tasks.autoencoding.models import build_model

    ours = build_model(task.settings, task.images.shape)
    theirs = VAE(12, task.settings)
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
    assert loss.item() == pytest.approx(float(tf.reduce_mean(terms["loss"])), rel=1e-4)
