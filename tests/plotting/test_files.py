import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from tf_models.errors import InputError
from tf_models.plotting.attention import plot_attention_side_by_side, plot_attention_weights
from tf_models.plotting.files import check_figure_path, save_animation, save_figure

BEGINNINGS = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


@pytest.fixture
def make_figure(attention):
    names = ["▁a", "ä", "<end>"]
    return lambda: plot_attention_weights(attention(2, 3, 3), names, names, title="attention")


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_the_suffix_chooses_the_format(make_figure, tmp_path, suffix):
    path = save_figure(make_figure(), tmp_path / "new" / "folder" / f"map.{suffix}")
    assert path.read_bytes().startswith(BEGINNINGS[suffix])
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_the_same_figure_gives_the_same_bytes(make_figure, tmp_path, suffix, monkeypatch):
    first = save_figure(make_figure(), tmp_path / f"1.{suffix}").read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")  # another time of writing
    figure = make_figure()
    assert save_figure(figure, tmp_path / f"2.{suffix}").read_bytes() == first
    assert save_figure(figure, tmp_path / f"3.{suffix}").read_bytes() == first


@pytest.mark.parametrize(("name", "received"), [("map.gif", "'.gif'"), ("map", "'no suffix'")])
def test_other_suffixes_are_refused(tmp_path, name, received):
    with pytest.raises(InputError, match=rf"\.png, \.pdf or \.svg; received {received}"):
        save_figure(Figure(), tmp_path / name)


def test_a_place_is_checked_before_there_is_a_figure(tmp_path):
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(InputError, match="taken.png: it is a folder"):
        check_figure_path(tmp_path / "taken.png")
    with pytest.raises(InputError, match="received '.gif'"):
        check_figure_path(tmp_path / "map.gif")
    check_figure_path(tmp_path / "new" / "map.png")
    check_figure_path(tmp_path / "map.png")
    assert sorted(os.listdir(tmp_path)) == ["new", "taken.png"]


def test_a_failed_write_leaves_the_old_file(make_figure, tmp_path, monkeypatch):
    path = tmp_path / "map.png"
    path.write_text("old")

    write_bytes = Path.write_bytes

    def fill_the_disk(path, content):
        write_bytes(path, content[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill_the_disk)
    with pytest.raises(InputError, match="cannot write .*map.png: No space left"):
        save_figure(make_figure(), path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["map.png"]


def test_a_file_in_place_of_the_folder_is_an_input_error(make_figure, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot make the folder"):
        save_figure(make_figure(), tmp_path / "file" / "map.png")


def test_too_many_pixels_are_refused_before_drawing(tmp_path):
    figure = Figure(figsize=(300, 2))
    with pytest.raises(InputError, match=r"45000 x 300 pixels is too large.*\.pdf or \.svg"):
        save_figure(figure, tmp_path / "wide.png")
    assert os.listdir(tmp_path) == []


def test_neither_a_screen_nor_tensorflow_is_needed(tmp_path):
    program = """
import sys
from tf_models.plotting import attention, files, lines, masks, number_grid, query, words
files.save_figure(attention.plot_attention_weights([[[1.0]]], ["a"], ["b"]), sys.argv[1])
loaded = {"matplotlib.pyplot", "tensorflow", "keras"} & set(sys.modules)
assert not loaded, loaded
"""
    environment = {**os.environ, "MPLBACKEND": "tkagg"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment.pop("DISPLAY", None)
    target = tmp_path / "map.svg"
    subprocess.run([sys.executable, "-c", program, str(target)], env=environment, check=True)
    assert target.exists()


@pytest.fixture
def frames(attention):
    weights = {"epoch 1": attention(3, 3), "epoch 2": np.eye(3), "epoch 3": attention(3, 3)}
    return [plot_attention_side_by_side({name: one}, "abc", "def") for name, one in weights.items()]


def test_each_figure_is_a_frame_and_the_last_one_stays(frames, tmp_path):
    path = save_animation(frames, tmp_path / "new" / "map.gif")
    with Image.open(path) as film:
        assert film.n_frames == 3
        durations = []
        for number in range(3):
            film.seek(number)
            durations.append(film.info["duration"])
    assert durations == [700, 700, 2100]


def test_what_is_no_animation_is_refused(frames, tmp_path):
    with pytest.raises(InputError, match=r"saved as .gif; received '.png'"):
        save_animation(frames, tmp_path / "map.png")
    with pytest.raises(ValueError, match="one figure or more"):
        save_animation([], tmp_path / "map.gif")
    assert list(tmp_path.iterdir()) == []
