import os

import pytest

from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable, write_text


def test_a_file_is_written_and_replaced(tmp_path):
    write_text(tmp_path / "a.txt", "one ü")
    write_text(tmp_path / "a.txt", "two")

    assert (tmp_path / "a.txt").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a.txt", "half\ud800")

    assert (tmp_path / "a.txt").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_temporary_names_keep_the_suffix(tmp_path):
    with atomic_path(tmp_path / "figure.png") as temporary:
        assert temporary.suffix == ".png"
        temporary.write_text("x")


def test_rights_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain").write_text("")
    write_text(tmp_path / "atomic", "")

    assert os.stat(tmp_path / "atomic").st_mode == os.stat(tmp_path / "plain").st_mode


def test_what_can_be_written_stays_as_it_is(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    check_writable(tmp_path / "a.txt")
    check_writable(tmp_path / "b.txt")

    assert (tmp_path / "a.txt").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written_is_known_early(tmp_path):
    with pytest.raises(InputError, match="cannot write .*a.txt: No such file"):
        check_writable(tmp_path / "missing" / "a.txt")
    with pytest.raises(InputError, match="it is a folder"):
        check_writable(tmp_path)


def test_a_missing_folder_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot write .*a.txt: No such file"):
        write_text(tmp_path / "missing" / "a.txt", "")
