import numpy as np
import pytest
from PIL import Image

from tf_models.data.images import load_images, read_image_folder
from tf_models.errors import InputError


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


def test_given_splits_stay_and_the_missing_one_is_held_out(tmp_path):
    for split, first, count in (("train", 0, 20), ("test", 100, 3)):
        for value in range(first, first + count):
            save(tmp_path / split / f"{value}.png", value=value)
    images = load_images(tmp_path, seed=3)

    assert images.name == tmp_path.name
    assert images.test.images[:, 0, 0, 0].tolist() == [100, 101, 102]
    assert [len(images.train), len(images.validation)] == [18, 2]
    assert images.class_names == ()


# What EXIF's orientation makes of the corner that is stored first (Pillow's own transpositions).
@pytest.mark.parametrize("orientation", range(1, 9))
def test_images_are_turned_as_exif_says(tmp_path, orientation):
    shown = np.zeros((16, 32), np.uint8)
    shown[:8, :8] = 255  # white at the top left, as every viewer shows it
    back = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[orientation]
    stored = Image.fromarray(shown)
    stored = stored if back is None else stored.transpose(Image.Transpose(back))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "photograph.jpg", exif=exif, quality=95)
    image = train_images(tmp_path)[0, :, :, 0]

    assert image.shape == shown.shape
    np.testing.assert_allclose(image.astype(int), shown, atol=30)


def test_black_and_white_and_palettes(tmp_path):
    save(tmp_path / "grey" / "a.png", value=255, mode="1")
    save(tmp_path / "colour" / "a.png", shape=(4, 3, 3), value=255, mode="P")

    grey, colour = (train_images(tmp_path / name) for name in ("grey", "colour"))
    assert grey.shape == (1, 4, 3, 1)
    assert grey.max() == 255
    assert colour.shape == (1, 4, 3, 3)
    save(tmp_path / "colour" / "b.png", value=7)
    assert train_images(tmp_path / "colour")[1, 0, 0].tolist() == [7, 7, 7]


def test_images_of_any_sizes_are_brought_to_one(tmp_path):
    """The shorter side to the size wanted, the middle of the longer one; stripes become grey."""
    wide = np.zeros((8, 24), np.uint8)
    wide[:, 8:16] = 200
    Image.fromarray(wide).save(tmp_path / "1.png")
    save(tmp_path / "2.png", shape=(20, 12), value=60)
    stripes = np.zeros((16, 16, 3), np.uint8)
    stripes[:, ::2] = 255
    Image.fromarray(stripes).save(tmp_path / "3.png")
    images = train_images(tmp_path, (4, 4))

    assert images.shape == (3, 4, 4, 3)  # grey ones, too
    assert images[0, :, 1:3].min() > 190
    assert np.all(images[1] == 60)
    np.testing.assert_allclose(images[2, :, 1:3].astype(int), 127, atol=10)
    np.testing.assert_array_equal(train_images(tmp_path, (16, 16))[2], stripes)
    assert train_images(tmp_path, (3, 5)).shape == (3, 3, 5, 3)
    with pytest.raises(InputError, match="images must be of one size; --image-size N .* 8 x 24"):
        read_image_folder(tmp_path)


def test_folders_that_are_wrong(tmp_path):
    def complaint(name):
        with pytest.raises(InputError) as error:
            read_image_folder(tmp_path / name)
        assert "\n" not in str(error.value)
        return str(error.value)

    (tmp_path / "empty").mkdir()
    assert "holds no images (.png, .jpg, .jpeg)" in complaint("empty")

    save(tmp_path / "clear" / "a.png", shape=(4, 3, 4))
    assert "has the colour mode RGBA; save it as grey (L) or as RGB" in complaint("clear")

    save(tmp_path / "broken" / "a.png", shape=(40, 30))
    data = (tmp_path / "broken" / "a.png").read_bytes()
    for content in (data[:-30], b"no image"):
        (tmp_path / "broken" / "a.png").write_bytes(content)
        assert "cannot read image" in complaint("broken")

    save(tmp_path / "mixed" / "a.png")
    save(tmp_path / "mixed" / "class" / "b.png")
    assert "some beside subfolders of others" in complaint("mixed")
