import os

import pytest
from matplotlib.figure import Figure

from tf_models.errors import InputError
from tf_models.plotting.attention import plot_attention_maps
from tf_models.plotting.files import check_figure_path, save_figure

BEGINNINGS = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


@pytest.fixture
def make_figure(attention):
    names = ["▁a", "ä", "<end>"]
    return lambda: plot_attention_maps(attention(2, 3, 3), names, names, title="attention")


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
