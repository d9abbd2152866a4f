import os

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


def test_the_same_figure_gives_the_same_bytes(make_figure, tmp_path):
    paths = [save_figure(make_figure(), tmp_path / f"{number}.png") for number in (1, 2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(("name", "received"), [("map.gif", ".gif"), ("map", "no suffix")])
def test_other_suffixes_are_refused(tmp_path, name, received):
    with pytest.raises(InputError, match=rf"\.png, \.pdf or \.svg; received {received}"):
        save_figure(Figure(), tmp_path / name)


def test_a_place_is_checked_before_there_is_a_figure(tmp_path):
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(InputError, match="taken.png: it is a folder"):
        check_figure_path(tmp_path / "taken.png")
    with pytest.raises(InputError, match="received .gif"):
        check_figure_path(tmp_path / "map.gif")
    check_figure_path(tmp_path / "new" / "map.png")
    check_figure_path(tmp_path / "map.png")
    assert sorted(os.listdir(tmp_path)) == ["new", "taken.png"]


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
