import os

import pytest

from tf_models.errors import InputError
from tf_models.folders import new_folder


def test_a_folder_appears_whole_with_the_rights_of_any_other(tmp_path):
    (tmp_path / "plain").mkdir()
    with new_folder(tmp_path / "above" / "new") as folder:
        (folder / "a.txt").write_text("a")
        assert not (tmp_path / "above" / "new").exists()

    assert (tmp_path / "above" / "new" / "a.txt").read_text() == "a"
    assert [path.name for path in (tmp_path / "above").iterdir()] == ["new"]
    mode = (tmp_path / "above" / "new").stat().st_mode
    assert mode == (tmp_path / "plain").stat().st_mode


def write_half(path, error):
    with new_folder(path) as folder:
        (folder / "a.txt").write_text("half")
        raise error


@pytest.mark.parametrize("error", [OSError(28, os.strerror(28)), KeyboardInterrupt(), ValueError()])
def test_a_failure_leaves_nothing(tmp_path, error):
    expected = InputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        write_half(tmp_path / "new", error)

    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "empty").mkdir()
    with new_folder(tmp_path / "empty") as folder:
        (folder / "a.txt").write_text("a")

    assert (tmp_path / "empty" / "a.txt").exists()


def test_what_cannot_be_written_is_said_and_what_is_there_stays(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(InputError, match="exists and is not empty; choose another --output"):
        new_folder(tmp_path).__enter__()
    with pytest.raises(InputError, match="a.txt exists and is no folder"):
        new_folder(tmp_path / "a.txt").__enter__()
    with pytest.raises(InputError, match="cannot write .*/a.txt/new: "):
        new_folder(tmp_path / "a.txt" / "new").__enter__()
    with pytest.raises(InputError, match=r"in its path; received .*/new\[1\]"):
        new_folder(tmp_path / "new[1]").__enter__()

    assert (tmp_path / "a.txt").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1
