import numpy as np
import pytest
from sklearn.decomposition import PCA

from tf_models.autoencoding.evaluate import pca_errors, principal_angles
from tf_models.data.images import ImageSet, ImageSplit


@pytest.fixture
def vectors():
    """200 vectors that vary much in two directions, little in the other four."""
    random = np.random.default_rng(0)
    axes = np.linalg.qr(random.normal(size=(6, 6)))[0]
    return random.normal(size=(200, 6)) * [5, 3, 0.1, 0.1, 0.1, 0.1] @ axes + 1, axes


def test_angles_between_subspaces(vectors):
    x, _ = vectors
    components = PCA(2).fit(x).components_
    principal = np.linalg.svd(x - x.mean(axis=0))[2]
    turned = np.array([[2.0, 1.0], [0.5, -1.0]]) @ principal[:2]
    assert principal_angles(turned, components) == pytest.approx([0, 0], abs=1e-5)
    tilted = np.stack([principal[0], principal[1] + principal[2]])
    assert principal_angles(tilted, components) == pytest.approx([45, 0], abs=1e-5)
    assert principal_angles(principal[2:4], components) == pytest.approx([90, 90], abs=1e-5)


def test_errors_of_all_sizes_from_one_fit():
    random = np.random.default_rng(0)
    parts = (ImageSplit(random.integers(0, 256, (n, 3, 4, 1), np.uint8), None) for n in (40, 9, 20))
    images = ImageSet("noise", *parts)
    train, test = (
        images.pixels(split).reshape(len(split), -1) for split in (images.train, images.test)
    )
    expected = {}
    for size in (1, 5, 11):
        pca = PCA(size, svd_solver="full").fit(train)
        back = pca.inverse_transform(pca.transform(test))
        expected[size] = np.sum((test - back) ** 2) / len(test)
    assert pca_errors(images, [1, 5, 11, 12, 50]) == pytest.approx(expected, rel=1e-4)
