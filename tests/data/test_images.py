"""Sets of images: embedded, of files, of folders, of TFDS; classes; what a run keeps of them."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from tf_models.data.images import load_images, read_image_folder, read_npz
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
        ({"x_train": np.full((20, 6, 5), 256)}, "whole numbers from 0 to 255"),
        ({"x_train": np.zeros((20, 30))}, "received shape (20, 30)"),
        ({"x_train": np.full((20, 6, 5), np.nan)}, "whole numbers from 0 to 255"),
        ({"y_train": np.eye(20)}, "each of 20 images needs a class number"),
        ({"y_train": np.full(20, 0.5)}, "each of 20 images needs a class number"),
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


def save(path, shape=(4, 3), value=7, mode=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.fromarray(np.full(shape, value, np.uint8))
    (image.convert(mode) if mode else image).save(path)


def train_images(folder, size=None):
    return read_image_folder(folder, size)[0]["train"].images


def test_files_beside_each_other_in_the_order_of_their_names(tmp_path):
    for name, value in (("b.png", 2), ("a.PNG", 1), ("c.png", 3)):
        save(tmp_path / name, value=value)
    (tmp_path / "notes.txt").write_text("no image")
    splits, names = read_image_folder(tmp_path)

    assert splits.keys() == {"train"}
    assert names == ()
    assert splits["train"].images.shape == (3, 4, 3, 1)
    assert splits["train"].images[:, 0, 0, 0].tolist() == [1, 2, 3]
    assert splits["train"].labels is None


def test_a_subfolder_for_each_class(tmp_path):
    for name in ("cats/1.jpg", "cats/2.jpg", "train/1.jpeg"):
        save(tmp_path / name, shape=(4, 3, 3))
    (tmp_path / "empty").mkdir()
    splits, names = read_image_folder(tmp_path)

    assert splits.keys() == {"train"}
    assert splits["train"].images.shape == (3, 4, 3, 3)
    assert names == ("cats", "train")
    assert splits["train"].labels.tolist() == [0, 0, 1]


def test_subfolders_of_splits_with_classes_and_without(tmp_path):
    for number, name in enumerate(
        ("train/cats/1.png", "train/dogs/1.png", "train/dogs/2.png", "Test/birds/1.png")
    ):
        save(tmp_path / name, value=number)
    save(tmp_path / "val" / "1.png", value=9)
    splits, names = read_image_folder(tmp_path)

    assert names == ("birds", "cats", "dogs")
    pixels = {split: one.images[:, 0, 0, 0].tolist() for split, one in splits.items()}
    assert pixels == {"train": [0, 1, 2], "test": [3], "validation": [9]}
    assert splits["train"].labels.tolist() == [1, 2, 2]
    assert splits["test"].labels.tolist() == [0]
    assert splits["validation"].labels is None


def test_black_and_white_and_palettes(tmp_path):
    save(tmp_path / "grey" / "a.png", value=255, mode="1")
    save(tmp_path / "colour" / "a.png", shape=(4, 3, 3), value=255, mode="P")

    grey, colour = (train_images(tmp_path / name) for name in ("grey", "colour"))
    assert grey.shape == (1, 4, 3, 1)
    assert grey.max() == 255
    assert colour.shape == (1, 4, 3, 3)
    save(tmp_path / "opaque" / "a.png", shape=(4, 3, 3), value=9, mode="RGBA")
    assert train_images(tmp_path / "opaque").tolist() == np.full((1, 4, 3, 3), 9).tolist()
    save(tmp_path / "colour" / "b.png", value=7)
    assert train_images(tmp_path / "colour")[1, 0, 0].tolist() == [7, 7, 7]


def test_images_of_any_sizes_are_brought_to_one(tmp_path):
    """The shorter side to the size wanted, the middle of the longer one."""
    wide = np.zeros((8, 24), np.uint8)
    wide[:, 8:16] = 200
    Image.fromarray(wide).save(tmp_path / "1.png")
    save(tmp_path / "2.png", shape=(20, 12), value=60)
    save(tmp_path / "3.png", shape=(16, 16, 3))
    images = train_images(tmp_path, (4, 4))

    assert images.shape == (3, 4, 4, 3)  # grey ones, too
    assert images[0, :, 1:3].min() > 190
    assert np.all(images[1] == 60)
    assert train_images(tmp_path, (3, 5)).shape == (3, 3, 5, 3)
    with pytest.raises(InputError, match="must be of one size, and --image-size N .* 8 x 24"):
        read_image_folder(tmp_path)


def write_broken(folder):
    save(folder / "a.png", shape=(40, 30))
    data = (folder / "a.png").read_bytes()
    (folder / "a.png").write_bytes(data[:-30])


def write_transparent_palette(folder):
    Image.new("P", (4, 3)).save(folder / "a.png", transparency=0)


def write_16_bits(folder):
    Image.fromarray(np.zeros((4, 3), np.uint16)).save(folder / "a.png")


def write_mixed(folder):
    save(folder / "a.png")
    save(folder / "class" / "b.png")


@pytest.mark.parametrize(
    ("write", "complaint"),
    [
        (lambda folder: None, r"holds no images \(.png, .jpg, .jpeg\)"),
        (lambda folder: save(folder / "a.png", shape=(4, 3, 4)), "mode RGBA or is transparent"),
        (write_transparent_palette, "mode P or is transparent; save it"),
        (write_16_bits, "the colour mode I;16 or is transparent; save"),
        (write_broken, "cannot read image"),
        (write_mixed, "some beside subfolders of others"),
    ],
)
def test_folders_that_are_wrong(tmp_path, write, complaint):
    write(tmp_path)
    with pytest.raises(InputError, match=complaint):
        read_image_folder(tmp_path)


def test_the_real_mnist(shared_data):
    assert sizes(load_images(shared_data / "mnist.npz")) == [58_000, 2_000, 10_000]


@pytest.fixture(scope="module")
def digits():
    return load_images("digits")


def test_names_of_classes(digits):
    assert digits.class_names == tuple("0123456789")
    named = replace(digits, class_names=tuple("abcdefghij"))
    assert named.classes(named.test)["c"] == 2
    with pytest.raises(InputError, match="digits has no class '2'; its classes: a, b, c"):
        named.without_class("2")


def test_other_images_get_the_numbers_of_a_model_by_name(tmp_path):
    for name in ("disc/1.png", "disc/2.png", "disc/3.png", "square/1.png", "square/2.png"):
        save(tmp_path / name, value=1)
    images = load_images(tmp_path)
    renumbered = images.renumbered(["cross", "disc", "square"])

    assert renumbered.class_names == ("cross", "disc", "square")
    np.testing.assert_array_equal(renumbered.train.labels, images.train.labels + 1)
    np.testing.assert_array_equal(renumbered.test.labels, images.test.labels + 1)
    with pytest.raises(InputError, match="has the class 'disc'; the model has square"):
        images.renumbered(["square"])


def test_a_class_is_left_out_of_training(digits):
    left = digits.without_class("3")

    assert left.left_out == 3
    assert 3 not in {*left.train.labels, *left.validation.labels}
    assert len(left.test) == len(digits.test)


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
