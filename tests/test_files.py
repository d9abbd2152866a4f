import errno
import os
import shutil

import pytest

from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable, write_text


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def test_a_file_is_written_and_replaced(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    write_text(tmp_path / "a.txt", "two ü\n")

    assert (tmp_path / "a.txt").read_bytes() == "two ü\n".encode()
    assert names_in(tmp_path) == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a.txt", "half\ud800")

    assert (tmp_path / "a.txt").read_text() == "one"
    assert names_in(tmp_path) == ["a.txt"]


def test_the_temporary_path_keeps_the_suffix(tmp_path):
    with atomic_path(tmp_path / "figure.png") as temporary:
        assert temporary.suffix == ".png"
        temporary.write_text("x")


def test_permissions_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain").write_text("")
    write_text(tmp_path / "atomic", "")

    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "data", tmp_path / "figure.png"
    link.symlink_to("data")
    write_text(link, "new")

    assert os.readlink(link) == "data"
    assert target.read_text() == "new"


def test_a_place_that_can_be_written_stays_as_it_is(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    check_writable(tmp_path / "a.txt")
    check_writable(tmp_path / "b.txt")

    assert (tmp_path / "a.txt").read_text() == "one"
    assert names_in(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("write", [check_writable, lambda path: write_text(path, "x")])
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, write):
    for path in (tmp_path / "missing" / "a.txt", tmp_path / f"{256 * 'x'}a.txt"):
        with pytest.raises(InputError, match="cannot write .*a.txt: "):
            write(path)
    with pytest.raises(InputError, match="no file"):
        write(tmp_path)


def test_a_file_that_cannot_be_read_is_not_called_unwritable(tmp_path):
    with pytest.raises(FileNotFoundError) as raised, atomic_path(tmp_path / "copy") as temporary:
        shutil.copyfile(tmp_path / "missing", temporary)
    assert raised.value.filename == str(tmp_path / "missing")


@pytest.mark.skipif(os.name == "nt", reason="devices are files on Linux and macOS")
def test_a_device_is_never_replaced():
    with pytest.raises(InputError, match="no file"):
        write_text(os.devnull, "")


def test_a_full_disk_leaves_the_old_file(tmp_path):
    resource = pytest.importorskip("resource")
    write_text(tmp_path / "a.txt", "old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, before[1]))  # bytes a file
    try:
        with pytest.raises(InputError, match=f"cannot write .*: {os.strerror(errno.EFBIG)}"):
            write_text(tmp_path / "a.txt", "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert (tmp_path / "a.txt").read_text() == "old"
    assert names_in(tmp_path) == ["a.txt"]
