import keras
import numpy as np
import pytest

from tf_models.autoencoders.networks import dense_encoder
from tf_models.autoencoding import classification
from tf_models.autoencoding.classification import (
    accuracy,
    compare,
    fine_tune,
    labelled,
    svm_accuracy,
)
from tf_models.data.images import ImageSet, ImageSplit


@pytest.fixture
def images():
    """Class c has its ink in row c."""
    random = np.random.default_rng(0)

    def split(count):
        labels = np.arange(count) % 3
        pixels = random.integers(0, 60, (count, 3, 4, 1), np.uint8)
        pixels[np.arange(count), labels] += 150
        return ImageSplit(pixels, labels)

    return ImageSet("rows", split(90), split(30), split(60))


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(classification, "STEPS", 150)
    monkeypatch.setattr(classification, "LEARNING_RATE", 0.03)
    keras.utils.set_random_seed(0)


def test_as_many_of_each_class_as_of_another(images):
    for count in (3, 10, 90):
        known = labelled(images.train, count, seed=1)
        assert len(known) == count
        assert np.ptp(np.bincount(known.labels, minlength=3)) <= 1
    one, other = (labelled(images.train, 9, seed=seed) for seed in (1, 2))
    assert not np.array_equal(one.images, other.images)


def test_an_svm_learns_what_can_be_learnt():
    codes = np.random.default_rng(0).normal(size=(100, 2))
    labels = (codes[:, 0] > 0).astype(int)
    assert svm_accuracy(codes[:60], labels[:60], codes[60:], labels[60:]) > 0.8
    assert svm_accuracy(codes[:60], labels[:60], codes[60:], 1 - labels[60:]) < 0.2


def test_fine_tuning_leaves_the_encoder_alone(images):
    encoder = dense_encoder((3, 4, 1), 4)
    before = encoder.get_weights()
    model = fine_tune(encoder, images.pixels(images.train), images.train.labels, 3, seed=0)

    assert accuracy(model, images.pixels(images.test), images.test.labels) == 1
    for a, b in zip(before, encoder.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(model.trainable_variables) == len(encoder.trainable_variables) + 2  # both learn
    np.testing.assert_allclose(np.sum(model(images.pixels(images.test)), axis=-1), 1, rtol=1e-5)


def test_classes_that_nobody_could_know_do_not_count(images):
    encoder = dense_encoder((3, 4, 1), 4)
    two = images.without_class("2")
    results = compare(encoder, lambda: encoder, two, counts=[60])

    assert results["SVM on pixels"].tolist() == [[1.0]]


@pytest.mark.slow
def test_each_row_is_of_its_own_encoder(images):
    """One encoder sees everything, the other nothing: its units are off, which nothing mends."""
    blind = dense_encoder((3, 4, 1), 4, activation="relu", code_activation="relu")
    blind.set_weights(
        [np.zeros_like(weight) - (weight.ndim == 1) for weight in blind.get_weights()]
    )
    results = compare(dense_encoder((3, 4, 1), 4), lambda: blind, images, counts=[90])
    assert results["network from trained weights"][0] > 0.9
    assert results["network from random weights"][0] < 0.4
    results = compare(blind, lambda: dense_encoder((3, 4, 1), 4), images, counts=[90])
    assert results["network from trained weights"][0] < 0.4
    assert results["SVM on codes"][0] < 0.4


@pytest.mark.slow
def test_all_ways_at_all_numbers_of_labels(images):
    trained = dense_encoder((3, 4, 1), 4)
    results = compare(
        trained, lambda: dense_encoder((3, 4, 1), 4), images, counts=[3, 90], seeds=[0, 1]
    )

    assert set(results) == {
        *("SVM on pixels", "SVM on codes"),
        *("network from random weights", "network from trained weights"),
    }
    for accuracies in results.values():
        assert accuracies.shape == (2, 2)
        assert (accuracies >= 0).all()
        assert (accuracies <= 1).all()
    assert results["SVM on pixels"][1].tolist() == [1, 1]
    for column, seed in enumerate([0, 1]):
        known = labelled(images.train, 3, seed)
        share = svm_accuracy(
            known.images.reshape(3, -1) / np.float32(255), known.labels,
            images.test.images.reshape(60, -1) / np.float32(255), images.test.labels,
        )  # fmt: skip
        assert results["SVM on pixels"][0, column] == share
