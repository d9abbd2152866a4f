import numpy as np
import pytest
from PIL import Image

from tf_models.data.images.folder import read_image_folder
from tf_models.data.images.loading import load_images
from tf_models.errors import InputError


def save(path, shape=(4, 3), value=7, mode=None):
    path.parent.mkdir(exist_ok=True)
    image = Image.fromarray(np.full(shape, value, np.uint8))
    (image.convert(mode) if mode else image).save(path)


def test_files_beside_each_other_in_the_order_of_their_names(tmp_path):
    for name, value in (("b.png", 2), ("a.PNG", 1), ("c.png", 3)):
        save(tmp_path / name, value=value)
    (tmp_path / "notes.txt").write_text("no image")
    images, labels, names = read_image_folder(tmp_path)

    assert images.shape == (3, 4, 3, 1)
    assert names == ()
    assert images[:, 0, 0, 0].tolist() == [1, 2, 3]
    assert labels is None


def test_a_subfolder_for_each_class(tmp_path):
    for name in ("cats/1.jpg", "cats/2.jpg", "dogs/1.jpeg"):
        save(tmp_path / name, shape=(4, 3, 3))
    (tmp_path / "empty").mkdir()
    images, labels, names = read_image_folder(tmp_path)

    assert images.shape == (3, 4, 3, 3)
    assert names == ("cats", "dogs")
    assert labels.tolist() == [0, 0, 1]


def test_black_and_white_and_palettes(tmp_path):
    save(tmp_path / "grey" / "a.png", value=255, mode="1")
    save(tmp_path / "colour" / "a.png", shape=(4, 3, 3), value=255, mode="P")

    assert read_image_folder(tmp_path / "grey")[0].shape == (1, 4, 3, 1)
    assert read_image_folder(tmp_path / "grey")[0].max() == 255
    assert read_image_folder(tmp_path / "colour")[0].shape == (1, 4, 3, 3)


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
    assert read_image_folder(tmp_path)[0].shape == (1, 4, 3, 1)


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
