"""The models of MNIST that come with the package, on the digits that come with them."""

import numpy as np
import pytest
from sklearn.svm import SVC

from tf_models.autoencoding.model import ImageModel, reconstruction_errors


@pytest.mark.parametrize("name", ["autoencoder", "vae", "conditional", "hierarchical"])
def test_digits_come_back(name):
    model = ImageModel.ready_made(name)
    images = model.origin.load_kept()
    tests = images.pixels(images.test)[:100]
    back = model.reconstruct(tests, images.test.labels)
    blank = reconstruction_errors(tests, np.zeros_like(tests)).mean()
    assert reconstruction_errors(tests, back).mean() < 0.2 * blank


def test_the_digit_that_is_asked_for_is_drawn():
    model = ImageModel.ready_made("conditional")
    images = model.origin.load_kept()
    reader = SVC(C=10.0).fit(images.pixels(images.train).reshape(500, -1), images.train.labels)
    assert reader.score(model.generate(300).reshape(300, -1), np.arange(300) % 10) > 0.7
