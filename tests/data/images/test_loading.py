from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import tf_models.data.tfds
from tf_models.data.images.loading import load_images
from tf_models.errors import InputError

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def total(images):
    return sum(len(split) for split in (images.train, images.validation, images.test))


def save_npz(path, **changes):
    random = np.random.default_rng(0)
    arrays = {
        "x_train": random.integers(0, 256, (20, 6, 5), np.uint8),
        "y_train": random.integers(0, 10, 20, np.uint8),
        "x_test": random.integers(0, 256, (4, 6, 5), np.uint8),
        "y_test": random.integers(0, 10, 4, np.uint8),
    }
    arrays.update(changes)
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return str(path)


def test_digits_come_with_the_project():
    digits = load_images("digits")

    assert digits.shape == (8, 8, 1)
    assert digits.maximum == digits.train.images.max() == 16
    assert total(digits) == 1797
    assert [len(s) for s in (digits.test, digits.validation)] == [359, 179]
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
    assert [len(s) for s in (images.train, images.validation, images.test)] == [18, 2, 4]
    assert images.maximum == 255


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x_test": None}, "has no x_test; expected x_train"),
        ({"x_test": np.zeros((4, 7, 5))}, "of one size and depth; mnist.npz has 6 x 5 x 1 and 7 x"),
        ({"x_train": np.full((20, 6, 5), 256)}, "must be 0 to 255; received 256 to 256"),
        ({"x_train": np.full((20, 6, 5), -1.0)}, "must be 0 to 255; received -1 to -1"),
        ({"x_train": np.full((20, 6, 5), np.nan)}, "must be 0 to 255; received nan to nan"),
        ({"x_train": np.full((20, 6, 5), 0.5)}, "must be whole numbers, 0 to 255"),
        ({"x_train": np.zeros((20, 30))}, "received shape (20, 30)"),
        ({"x_train": np.zeros((0, 6, 5))}, "received shape (0, 6, 5, 1)"),
        ({"y_train": np.zeros(19)}, "has 20 images and 19 labels"),
        ({"x_train": np.zeros((1, 6, 5)), "y_train": None}, "too few images to hold some out: 1"),
    ],
)
def test_a_keras_file_that_is_wrong(tmp_path, changes, message):
    with pytest.raises(InputError) as error:
        load_images(save_npz(tmp_path / "mnist.npz", **changes))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_no_keras_file(tmp_path):
    (tmp_path / "text.npz").write_text("no archive")
    for name, complaint in (("text.npz", "it is no .npz file"), ("missing.npz", "No such file")):
        with pytest.raises(InputError, match=f"cannot read .*{name}: .*{complaint}"):
            load_images(str(tmp_path / name))


def test_a_name_that_is_nothing():
    with pytest.raises(InputError, match=r"must be digits, mnist, .*received 'cifar'"):
        load_images("cifar")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real MNIST lies beside the project only in CI")
def test_the_real_mnist_both_ways(monkeypatch):
    """Of TFDS the first 2,000 of a split, or it takes half a minute."""
    read = tf_models.data.tfds.read_examples
    monkeypatch.setattr(tf_models.data.tfds, "read_examples", lambda *of: islice(read(*of), 2000))
    tfds, npz = load_images("mnist", data_dir=SHARED / "tfds"), load_images(SHARED / "mnist.npz")

    assert tfds.shape == npz.shape == (28, 28, 1)
    assert [len(s) for s in (npz.train, npz.validation, npz.test)] == [58_000, 2_000, 10_000]
    assert [len(s) for s in (tfds.train, tfds.validation, tfds.test)] == [1800, 200, 2000]
    labels = {i.tobytes(): label for i, label in zip(npz.test.images, npz.test.labels, strict=True)}
    assert [labels[image.tobytes()] for image in tfds.test.images] == list(tfds.test.labels)


def test_binarised_images_are_0_and_1(tmp_path):
    random = np.random.default_rng(0)
    ink = {f"x_{part}": random.integers(0, 2, (20, 6, 5)) for part in ("train", "test")}
    ink["y_test"] = np.arange(20)
    images = load_images(save_npz(tmp_path / "binarised.npz", **ink))

    assert images.maximum == images.pixels(images.train).max() == 1
