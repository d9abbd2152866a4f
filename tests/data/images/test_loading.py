from itertools import islice

import numpy as np
import pytest

import tf_models.data.tfds
from tf_models.data.images import load_images
from tf_models.errors import InputError


def save_npz(path, **changes):
    random = np.random.default_rng(0)
    arrays = {
        "x_train": random.integers(0, 256, (20, 6, 5), np.uint8),
        "y_train": random.integers(0, 10, 20, np.uint8),
        "x_test": random.integers(0, 256, (4, 6, 5), np.uint8),
        "y_test": random.integers(0, 10, (4, 1), np.uint8),
    }
    arrays.update(changes)
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return str(path)


def sizes(images):
    return [len(split) for split in (images.train, images.validation, images.test)]


def test_digits_come_with_the_project():
    digits = load_images("digits")

    assert digits.shape == (8, 8, 1)
    assert digits.maximum == digits.train.images.max() == 16
    assert sizes(digits) == [1259, 179, 359]
    assert set(digits.test.labels) == set(range(10))


def test_splits_are_disjoint_and_a_function_of_the_seed():
    def rows(split):
        return {image.tobytes() for image in split.images}

    digits = load_images("digits", seed=1)
    assert not rows(digits.train) & rows(digits.test)
    assert not rows(digits.train) & rows(digits.validation)
    np.testing.assert_array_equal(digits.test.images, load_images("digits", seed=1).test.images)
    assert not np.array_equal(digits.test.images, load_images("digits", seed=2).test.images)


def test_a_keras_file(tmp_path):
    images = load_images(save_npz(tmp_path / "mnist.npz"))

    assert images.name == "mnist.npz"
    assert images.shape == (6, 5, 1)
    assert sizes(images) == [18, 2, 4]
    assert images.test.labels.shape == (4,)
    assert images.maximum == 255


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x_test": None}, "x_test is not a file in the archive"),
        ({"x_test": np.zeros((4, 7, 5))}, "images must be of one size"),
        ({"x_train": np.full((20, 6, 5), 256)}, "whole numbers from 0 to 255; received 256 to 256"),
        ({"x_train": np.full((20, 6, 5), 0.5)}, "whole numbers from 0 to 255; received 0.5 to 0.5"),
        ({"x_train": np.zeros((20, 30))}, "received shape (20, 30)"),
        ({"y_train": np.eye(20)}, "a class number, 0, 1 …, for each of 20 images"),
        ({"x_train": np.zeros((1, 6, 5)), "y_train": None}, "too few images to hold some out: 1"),
    ],
)
def test_a_keras_file_that_is_wrong(tmp_path, changes, message):
    with pytest.raises(InputError) as error:
        load_images(save_npz(tmp_path / "mnist.npz", **changes))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_names_that_are_nothing(tmp_path):
    (tmp_path / "text.npz").write_text("no archive")
    for name in ("text.npz", "missing.npz"):
        with pytest.raises(InputError, match=f"cannot read .*{name}"):
            load_images(tmp_path / name)
    with pytest.raises(InputError, match=r"must be digits, mnist, .*received 'cifar'"):
        load_images("cifar")
    with pytest.raises(InputError, match="digits has images of 8 x 8 x 1, not 16 x 16"):
        load_images("digits", image_size=(16, 16))


def test_the_real_mnist_both_ways(shared_data, monkeypatch):
    """Of TFDS the first 2,000 of a split, or it takes half a minute."""
    read = tf_models.data.tfds.read_examples
    monkeypatch.setattr(tf_models.data.tfds, "read_examples", lambda *of: islice(read(*of), 2000))
    tfds = load_images("mnist", data_dir=shared_data / "tfds")
    npz = load_images(shared_data / "mnist.npz")

    assert tfds.shape == npz.shape == (28, 28, 1)
    assert sizes(npz) == [58_000, 2_000, 10_000]
    assert sizes(tfds) == [1800, 200, 2000]
    labels = {i.tobytes(): label for i, label in zip(npz.test.images, npz.test.labels, strict=True)}
    assert [labels[image.tobytes()] for image in tfds.test.images] == list(tfds.test.labels)


def test_binarised_images_are_0_and_1(tmp_path):
    random = np.random.default_rng(0)
    ink = {f"x_{part}": random.integers(0, 2, (20, 6, 5)) for part in ("train", "test")}
    ink["y_test"] = np.arange(20)
    images = load_images(save_npz(tmp_path / "binarised.npz", **ink))

    assert images.maximum == images.pixels(images.train).max() == 1
