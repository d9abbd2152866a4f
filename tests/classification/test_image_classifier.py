import numpy as np
import pytest

from tf_models.classification import model as module
from tf_models.classification.figures import rollout
from tf_models.classification.model import ImageClassifier


@pytest.fixture(scope="module")
def classifier(tiny_run):
    return ImageClassifier.load(tiny_run("images"))


@pytest.fixture(scope="module")
def pixels(classifier):
    images = classifier.origin.load()
    return images.pixels(images.test)


def test_images_alone_and_together(classifier, pixels, monkeypatch):
    together = classifier.probabilities(pixels)
    attention = classifier.attention(pixels)

    assert classifier.classes == ("0", "1", "2")
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-6)
    assert attention.shape == (1, 30, 2, 31, 31)
    monkeypatch.setattr(module, "IMAGES_TOGETHER", 7)
    np.testing.assert_allclose(classifier.probabilities(pixels), together, atol=1e-6)


def test_rollout_multiplies_the_layers():
    weights = np.random.default_rng(0).dirichlet(np.ones(4), (3, 2, 5, 4))  # sums of rows are 1
    found = rollout(weights)

    assert found.shape == (2, 4)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    for image, shares in enumerate(found):
        product = np.eye(4)
        for of_layer in weights[:, image]:
            product = (0.5 * of_layer.mean(axis=0) + 0.5 * np.eye(4)) @ product
        np.testing.assert_allclose(shares, product[0])
