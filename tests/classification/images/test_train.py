import numpy as np
import pytest

from tests.support.images import noise
from tf_models.classification.images.classifier import ImageClassifier
from tf_models.classification.images.settings import preset
from tf_models.classification.images.train import prepare_image_classifier_training
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 16, "patch": 2}
TINY = preset("digits").changed(**SIZES, dropout=0.1, shift=1, batch_size=8, epochs=3)


def quarters():
    """Noise of 4 x 4 pixels with ink in one of four quarters, which is the class."""
    random = np.random.default_rng(0)
    labels = np.arange(40) % 4
    images = random.integers(0, 4, (40, 2, 2, 2, 2, 1), np.uint8)
    images[np.arange(40), labels // 2, :, labels % 2] += 12
    split = ImageSplit(images.reshape(40, 4, 4, 1), labels)
    return ImageSet("quarters", split, split, split, maximum=16)


@pytest.fixture
def prepare(tmp_path):
    def make(name="run", **changes):
        run, settings = RunDirectory(tmp_path / name), TINY.changed(**changes)
        return prepare_image_classifier_training(
            run, quarters(), settings, 0, report=lambda line: None
        )

    return make


@pytest.mark.slow
def test_it_learns_and_is_loaded_as_it_was_trained(prepare):
    training = prepare(epochs=30, learning_rate=0.01, shift=0, dropout=0.0)
    assert training.fit()
    loaded = ImageClassifier.load(training.run.path, "latest")
    kept = loaded.origin.load_kept()

    predicted = loaded.probabilities(kept.pixels(kept.test)).argmax(axis=-1)
    assert np.mean(predicted == kept.test.labels) > 0.9
    pixels = kept.pixels(kept.test)
    np.testing.assert_array_equal(loaded.model(pixels)[0], training.model(pixels)[0])


def test_images_without_labels(tmp_path):
    with pytest.raises(InputError, match="a classifier needs images with labels, and noise has no"):
        prepare_image_classifier_training(RunDirectory(tmp_path / "run"), noise(20), TINY, 0)
