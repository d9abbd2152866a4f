import numpy as np
import pytest
from PIL import Image

from tf_models.data.images.loading import load_images, read_image_folder
from tf_models.errors import InputError


def save(path, shape=(4, 3), value=7, mode=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.fromarray(np.full(shape, value, np.uint8))
    (image.convert(mode) if mode else image).save(path)


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
    for name in ("cats/1.jpg", "cats/2.jpg", "dogs/1.jpeg"):
        save(tmp_path / name, shape=(4, 3, 3))
    (tmp_path / "empty").mkdir()
    splits, names = read_image_folder(tmp_path)

    assert splits.keys() == {"train"}
    assert splits["train"].images.shape == (3, 4, 3, 3)
    assert names == ("cats", "dogs")
    assert splits["train"].labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("validation", ["val", "valid", "validation", "Validation"])
def test_subfolders_of_splits_with_classes_and_without(tmp_path, validation):
    for number, name in enumerate(
        ("train/cats/1.png", "train/dogs/1.png", "train/dogs/2.png", "Test/birds/1.png")
    ):
        save(tmp_path / name, value=number)
    save(tmp_path / validation / "1.png", value=9)
    (tmp_path / "notes" / "of mine").mkdir(parents=True)
    splits, names = read_image_folder(tmp_path)

    assert names == ("birds", "cats", "dogs")
    found = {
        split: (
            one.images[:, 0, 0, 0].tolist(),
            one.labels if one.labels is None else [*one.labels],
        )
        for split, one in splits.items()
    }
    assert found == {"train": ([0, 1, 2], [1, 2, 2]), "test": ([3], [0]), "validation": ([9], None)}


def test_given_splits_stay_and_the_missing_one_is_held_out(tmp_path):
    for split, first, count in (("train", 0, 20), ("test", 100, 3)):
        for value in range(first, first + count):
            save(tmp_path / split / f"{value}.png", value=value)
    images = load_images(tmp_path, seed=3)

    assert images.test.images[:, 0, 0, 0].tolist() == [100, 101, 102]
    assert [len(images.train), len(images.validation)] == [18, 2]
    assert images.class_names == ()


def test_a_class_may_be_called_train(tmp_path):
    for name in ("bus/1.png", "train/1.png"):
        save(tmp_path / name)
    splits, names = read_image_folder(tmp_path)

    assert names == ("bus", "train")
    assert splits["train"].labels.tolist() == [0, 1]
    save(tmp_path / "test" / "1.png")
    with pytest.raises(InputError, match="beside others, or one of them twice: bus, test, train"):
        read_image_folder(tmp_path)
    save(tmp_path / "again" / "train" / "1.png")
    save(tmp_path / "again" / "val" / "1.png")
    save(tmp_path / "again" / "validation" / "1.png")
    with pytest.raises(InputError, match="twice: train, val, validation"):
        read_image_folder(tmp_path / "again")


# What EXIF's orientation makes of the corner that is stored first (Pillow's own transpositions).
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("ending", ["png", "jpg"])
def test_images_are_turned_as_exif_says(tmp_path, orientation, ending):
    shown = np.zeros((16, 32), np.uint8)
    shown[:8, :8] = 255  # white at the top left, as every viewer shows it
    back = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[orientation]
    stored = Image.fromarray(shown)
    stored = stored if back is None else stored.transpose(Image.Transpose(back))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / f"photograph.{ending}", exif=exif, quality=95)
    image = read_image_folder(tmp_path)[0]["train"].images[0, :, :, 0]

    assert image.shape == shown.shape
    np.testing.assert_allclose(image.astype(int), shown, atol=30)


def test_black_and_white_and_palettes(tmp_path):
    save(tmp_path / "grey" / "a.png", value=255, mode="1")
    save(tmp_path / "colour" / "a.png", shape=(4, 3, 3), value=255, mode="P")

    grey, colour = (
        read_image_folder(tmp_path / name)[0]["train"].images for name in ("grey", "colour")
    )
    assert grey.shape == (1, 4, 3, 1)
    assert grey.max() == 255
    assert colour.shape == (1, 4, 3, 3)


def test_it_is_a_set_of_images_by_its_path(tmp_path):
    for i in range(10):
        save(tmp_path / "mine" / f"{i}.png", value=i)
    images = load_images(str(tmp_path / "mine"))

    assert images.name == "mine"
    assert [len(s) for s in (images.train, images.validation, images.test)] == [7, 1, 2]


@pytest.mark.parametrize("written_as", ["EPS", "GIF", "TIFF", "BMP"])
def test_the_content_counts_and_not_the_name(tmp_path, monkeypatch, written_as):
    """Pillow would give PostScript to another program, Ghostscript."""

    def start(*command, **options):
        raise AssertionError(f"started {command}")

    monkeypatch.setattr("subprocess.Popen", start)
    monkeypatch.setattr("PIL.EpsImagePlugin.gs_binary", "gs")
    Image.new("L", (3, 4)).save(tmp_path / "x.png", written_as)
    with pytest.raises(InputError, match="x.png: its content is neither PNG nor JPEG") as error:
        read_image_folder(tmp_path)
    assert "\n" not in str(error.value)

    Image.new("L", (3, 4)).save(tmp_path / "x.png", "JPEG")
    assert read_image_folder(tmp_path)[0]["train"].images.shape == (1, 4, 3, 1)


def test_folders_that_are_wrong(tmp_path):
    def complaint(name):
        with pytest.raises(InputError) as error:
            read_image_folder(tmp_path / name)
        assert "\n" not in str(error.value)
        return str(error.value)

    (tmp_path / "empty").mkdir()
    assert "holds no image (.png, .jpg, .jpeg)" in complaint("empty")
    assert "cannot read" in complaint("missing")

    save(tmp_path / "sizes" / "a.png")
    save(tmp_path / "sizes" / "b.png", shape=(5, 3))
    assert "a.png is 4 x 3 x 1 and" in complaint("sizes")
    assert "b.png is 5 x 3 x 1" in complaint("sizes")

    save(tmp_path / "depths" / "a.png")
    save(tmp_path / "depths" / "b.png", shape=(4, 3, 3))
    assert "is 4 x 3 x 3" in complaint("depths")

    save(tmp_path / "clear" / "a.png", shape=(4, 3, 4))
    assert "has the colour mode RGBA; save it as grey (L) or as RGB" in complaint("clear")

    save(tmp_path / "broken" / "a.png", shape=(40, 30))
    data = (tmp_path / "broken" / "a.png").read_bytes()
    (tmp_path / "broken" / "a.png").write_bytes(data[:-30])
    assert "cannot read image" in complaint("broken")
    (tmp_path / "broken" / "a.png").write_text("no image")
    assert "cannot read image" in complaint("broken")

    save(tmp_path / "mixed" / "a.png")
    (tmp_path / "mixed" / "class").mkdir()
    save(tmp_path / "mixed" / "class" / "b.png")
    assert "both beside its subfolders and in them" in complaint("mixed")


def test_images_of_any_sizes_are_brought_to_one(tmp_path):
    """The shorter side to the size wanted, the middle of the longer one; stripes become grey."""
    (tmp_path / "wide").mkdir()
    wide = np.zeros((8, 24), np.uint8)
    wide[:, 8:16] = 200
    Image.fromarray(wide).save(tmp_path / "wide" / "1.png")
    save(tmp_path / "wide" / "2.png", shape=(20, 12), value=60)
    stripes = np.zeros((16, 16, 3), np.uint8)
    stripes[:, ::2] = 255
    Image.fromarray(stripes).save(tmp_path / "wide" / "3.png")
    images = read_image_folder(tmp_path / "wide", (4, 4))[0]["train"].images

    assert images.shape == (3, 4, 4, 3)  # grey ones, too
    assert images[0, :, 1:3].min() > 190
    assert np.all(images[1] == 60)
    np.testing.assert_allclose(images[2, :, 1:3].astype(int), 127, atol=10)
    assert read_image_folder(tmp_path / "wide", (3, 5))[0]["train"].images.shape == (3, 3, 5, 3)
    with pytest.raises(InputError, match="8 x 24 x 1 and .*--image-size N brings all to one size"):
        read_image_folder(tmp_path / "wide")


def test_an_image_of_the_size_wanted_stays_as_it_is(tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (6, 5, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "1.png")
    read = [read_image_folder(tmp_path, size)[0]["train"].images for size in (None, (6, 5))]
    np.testing.assert_array_equal(*read)


def test_what_has_a_size_of_its_own():
    with pytest.raises(InputError, match="digits has 8 x 8 x 1, and 16 x 16 is asked for"):
        load_images("digits", image_size=(16, 16))
