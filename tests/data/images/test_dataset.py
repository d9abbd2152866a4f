from dataclasses import replace

import numpy as np
import pytest

from tf_models.data.images.dataset import ImageSplit
from tf_models.data.images.loading import load_images, read_npz
from tf_models.errors import InputError

PARTS = ("train", "validation", "test")


def test_classes_are_called_by_their_names_or_numbers():
    digits = load_images("digits")
    assert digits.class_number("8") == 8
    assert digits.class_name(8) == "8"
    named = replace(digits, class_names=("none", "one", "pair"))
    assert named.class_number("pair") == 2
    assert [named.class_name(number) for number in (2, 3, -1)] == ["pair", "3", "-1"]
    with pytest.raises(InputError, match="has the classes none, one, pair, 3, .*; received '2'"):
        named.class_number("2")


def test_what_has_no_labels_has_no_classes():
    digits = load_images("digits")
    parts = {name: ImageSplit(getattr(digits, name).images, None) for name in PARTS}
    with pytest.raises(InputError, match="digits has no labels, so none of class '3'"):
        replace(digits, **parts).class_number("3")


def test_a_class_that_is_all_or_nothing_cannot_be_left_out():
    threes = load_images("digits")
    threes = replace(
        threes, **{name: s[s.labels == 3] for name in PARTS for s in [getattr(threes, name)]}
    )
    with pytest.raises(InputError, match="without class 3 digits has 0 of"):
        threes.without_class(3)
    with pytest.raises(InputError, match=r"without class 4 digits has (\d+) of \1 training"):
        threes.without_class(4)


def test_the_fingerprint_is_of_images_and_their_order():
    digits = load_images("digits")
    turned = replace(digits, train=digits.train[np.arange(len(digits.train))[::-1]])

    assert digits.fingerprint() == load_images("digits").fingerprint()
    assert digits.fingerprint() != turned.fingerprint()
    assert replace(turned, made_from="the same").fingerprint() == "the same"


def test_a_class_that_no_test_image_has_comes_from_the_training_images():
    digits = load_images("digits")
    without = replace(digits, test=digits.test[digits.test.labels != 3])
    found = without.without_class(3)
    threes = digits.train.images[digits.train.labels == 3]

    assert len(found.test) == len(without.test) + len(threes)
    np.testing.assert_array_equal(found.test.images[found.test.labels == 3], threes)
    assert 3 not in found.train.labels
    assert len(digits.without_class(3).test) == len(digits.test)  # which has some


def test_what_tests_cannot_tell_apart_is_refused():
    digits = load_images("digits")
    unlabelled = replace(digits, test=ImageSplit(digits.test.images, None))
    with pytest.raises(InputError, match="has no labels of its test images"):
        unlabelled.without_class(3)
    only = replace(digits, test=digits.test[digits.test.labels == 3])
    with pytest.raises(InputError, match="all test images of digits are 3"):
        only.without_class(3)


def test_a_set_is_kept_in_a_file_evenly_spaced_where_it_is_large(tmp_path):
    digits = replace(load_images("digits"), class_names=tuple("abcdefghij"))
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
