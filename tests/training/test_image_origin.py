import pytest

from tests.support.small_training import SETTINGS, small_training
from tf_models.data.images import load_images
from tf_models.errors import InputError
from tf_models.training.image_origin import describe


def test_images_may_lie_elsewhere_when_their_training_resumes(tmp_path):
    images = load_images("digits")
    images.save(tmp_path / "own.npz")
    own = describe(load_images(tmp_path / "own.npz"))
    run = small_training(tmp_path / "run", epochs=1)
    run.run.prepare("numbers", SETTINGS, own, 1)
    run.fit()
    (tmp_path / "own.npz").rename(tmp_path / "moved.npz")
    moved = describe(load_images(tmp_path / "moved.npz"))
    run.run.prepare("numbers", SETTINGS, moved, 1)

    assert run.run.read_config()["data"]["source"] == str(tmp_path / "moved.npz")
    changed = describe(load_images(tmp_path / "moved.npz", seed=2))
    with pytest.raises(InputError, match="data.fingerprint"):
        run.run.prepare("numbers", SETTINGS, changed, 1)
