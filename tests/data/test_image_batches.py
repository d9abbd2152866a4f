import itertools

import numpy as np
import pytest
import tensorflow as tf

from tf_models.data.image_batches import ImageBatches, LabelledBatches, shifted
from tf_models.data.images import Corruption

IMAGES = np.random.default_rng(0).integers(0, 17, (50, 8, 6, 1), np.uint8)


def batches(dataset):
    return [(x.numpy(), y.numpy()) for x, y in dataset]


def targets(dataset):
    return np.concatenate([y for _, y in batches(dataset)])


def test_every_image_once_scaled(tmp_path):
    data = ImageBatches(IMAGES, 16, 8, seed=0)
    found = targets(data.epoch(0))

    assert len(data) == len(batches(data.epoch(0))) == 7
    assert found.shape == (50, 8, 6, 1)
    assert found.dtype == np.float32
    expected = IMAGES.astype(np.float32) / 16
    np.testing.assert_array_equal(targets(data.in_order()), expected)
    assert not np.array_equal(found, expected)
    assert sorted(x.tobytes() for x in found) == sorted(x.tobytes() for x in expected)


@pytest.mark.parametrize("binarisation", ["none", "static", "dynamic"])
def test_an_epoch_is_a_function_of_seed_and_number(binarisation):
    options = {"binarisation": binarisation, "corruption": Corruption(0.2, 0.1)}
    one, other = (ImageBatches(IMAGES, 16, 8, seed=3, **options) for _ in range(2))

    epochs = {number: batches(one.epoch(number)) for number in (0, 5)}
    for number, found in epochs.items():
        for a, b in zip(found, batches(other.epoch(number)), strict=True):
            np.testing.assert_array_equal(a, b)
    skipped = batches(one.epoch(5).skip(3))
    np.testing.assert_array_equal(skipped[0][0], epochs[5][3][0])
    assert not np.array_equal(epochs[0][0][0], epochs[5][0][0])
    np.testing.assert_array_equal(targets(one.in_order()), targets(other.in_order()))
    left = batches(one.batches_from(4, 3, 6))
    expected = [*batches(one.epoch(4))[3:], *epochs[5]]
    assert len(left) == len(expected)
    for a, b in zip(left, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_binarisation_has_the_pixels_probabilities():
    bright = np.full((400, 8, 6, 1), 4, np.uint8)
    for binarisation in ("static", "dynamic"):
        found = targets(ImageBatches(bright, 16, 50, 0, binarisation=binarisation).in_order())
        assert set(np.unique(found)) == {0, 1}
        assert found.mean() == pytest.approx(0.25, abs=0.01)


def test_static_stays_and_dynamic_changes():
    def sorted_rows(data, epoch):
        return sorted(image.tobytes() for image in targets(data.epoch(epoch)))

    static = ImageBatches(IMAGES, 16, 8, 0, binarisation="static")
    dynamic = ImageBatches(IMAGES, 16, 8, 0, binarisation="dynamic")
    assert sorted_rows(static, 0) == sorted_rows(static, 1)
    assert sorted_rows(dynamic, 0) != sorted_rows(dynamic, 1)


def test_only_the_input_is_corrupted():
    white = np.full((200, 8, 6, 1), 16, np.uint8)
    for corruption, mean, deviation in (
        (Corruption(masking_noise=0.3), 0.7, 0.458),
        (Corruption(gaussian_noise_std=0.5), 1.0, 0.5),
        (Corruption(masking_noise=1.0), 0.0, 0.0),
    ):
        (inputs, outputs), *_ = batches(
            ImageBatches(white, 16, 200, 0, corruption=corruption).epoch(0)
        )
        assert np.all(outputs == 1)
        assert inputs.mean() == pytest.approx(mean, abs=0.02)
        assert inputs.std() == pytest.approx(deviation, abs=0.02)


def test_labels_stay_with_their_images():
    labels = np.arange(50)
    data = LabelledBatches(IMAGES, 16, 8, seed=0, labels=labels)
    for pixels, classes in batches(data.epoch(0)):
        np.testing.assert_array_equal(pixels, IMAGES[classes] / np.float32(16))
    moved = LabelledBatches(IMAGES, 16, 8, seed=0, labels=labels, shift=2)
    first, second = ({tuple(y): x for x, y in batches(moved.epoch(0))} for _ in range(2))
    for labels, pixels in first.items():
        np.testing.assert_array_equal(second[labels], pixels)
        assert not np.array_equal(pixels, IMAGES[list(labels)] / np.float32(16))


def test_shifted_images_move_by_whole_pixels_and_leave_zeros():
    images = np.zeros((200, 5, 7, 1), np.float32)
    images[:, 2, 3] = 1
    found = shifted(tf.constant(images), 2, tf.constant([0, 1])).numpy()
    places = np.argwhere(found)[:, 1:3]
    assert len(places) == 200
    assert set(map(tuple, places)) == set(itertools.product(range(5), range(1, 6)))
    other = shifted(tf.constant(images), 2, tf.constant([0, 2])).numpy()
    assert not np.array_equal(found, other)
