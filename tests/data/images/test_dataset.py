from dataclasses import replace

import numpy as np
import pytest

from tf_models.data.images import ImageSplit, load_images, read_npz
from tf_models.errors import InputError


@pytest.fixture(scope="module")
def digits():
    return load_images("digits")


def test_classes_are_called_by_their_names_or_numbers(digits):
    assert digits.class_number("8") == 8
    assert digits.class_name(8) == "8"
    named = replace(digits, class_names=tuple("abcdefghij"))
    assert named.class_number("c") == 2
    assert named.class_name(2) == "c"
    assert named.number_of_classes("a classifier") == 10
    with pytest.raises(InputError, match="digits has no class '2'; its classes: a, b, c"):
        named.class_number("2")


def test_images_without_labels(digits):
    parts = ("train", "validation", "test")
    unlabelled = {name: ImageSplit(getattr(digits, name).images, None) for name in parts}
    images = replace(digits, **unlabelled)
    with pytest.raises(InputError, match="no labels"):
        images.class_number("3")
    with pytest.raises(InputError, match="a classifier needs images with labels"):
        images.number_of_classes("a classifier")
    with pytest.raises(InputError, match="digits has no labels, so no class can be left out"):
        images.without_class(3)


def test_one_class_cannot_be_left_out_of_one(digits):
    parts = {name: getattr(digits, name) for name in ("train", "validation", "test")}
    threes = replace(digits, **{name: split[split.labels == 3] for name, split in parts.items()})
    with pytest.raises(InputError, match="without class 3 digits has 0 training and 0 validation"):
        threes.without_class(3)


def test_a_class_that_no_test_image_has_comes_from_the_training_images(digits):
    without = replace(digits, test=digits.test[digits.test.labels != 3])
    left_out = without.without_class(3)
    threes = digits.train.images[digits.train.labels == 3]

    assert left_out.left_out == 3
    assert len(left_out.test) == len(without.test) + len(threes)
    np.testing.assert_array_equal(left_out.test.images[left_out.test.labels == 3], threes)
    assert 3 not in left_out.train.labels
    assert len(digits.without_class(3).test) == len(digits.test)  # which has some


def test_a_set_is_kept_in_a_file_evenly_spaced_where_it_is_large(digits, tmp_path):
    digits = replace(digits, class_names=tuple("abcdefghij"))
    digits.save(tmp_path / "all.npz")
    digits.save(tmp_path / "some.npz", 20 * 64)
    (whole, names), (some, _) = (read_npz(tmp_path / f"{n}.npz") for n in ("all", "some"))

    assert names == digits.class_names
    for part in ("train", "test"):
        split, there = getattr(digits, part), whole[part]
        np.testing.assert_array_equal(there.images, split.images)
        np.testing.assert_array_equal(there.labels, split.labels)
        assert len(some[part]) == 20
        np.testing.assert_array_equal(some[part].images[-1], split.images[-1])
