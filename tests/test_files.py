import os

import pytest

from tf_models import files
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_name, check_writable, new_folder, write_text


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


def test_a_name_of_any_length(tmp_path):
    longest = "a" * 255  # bytes, as Linux and macOS have it
    check_writable(tmp_path / longest)
    write_text(tmp_path / longest, "x")

    for too_long in (check_writable, lambda path: write_text(path, "x")):
        with pytest.raises(InputError, match="File name too long"):
            too_long(tmp_path / f"{longest}a")
    assert [path.name for path in tmp_path.iterdir()] == [longest]


def test_rights_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain").write_text("")
    write_text(tmp_path / "atomic", "")

    assert os.stat(tmp_path / "atomic").st_mode == os.stat(tmp_path / "plain").st_mode


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path, there):
    target, link = tmp_path / "store" / "data", tmp_path / "figure.png"
    target.parent.mkdir()
    link.symlink_to("store/data")
    if there:
        target.write_text("old")
    check_writable(link)
    with atomic_path(link) as temporary:
        assert temporary.suffix == ".png"
        temporary.write_text("new")

    assert os.readlink(link) == "store/data"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path / "store") == ["data"]
    assert sorted(os.listdir(tmp_path)) == ["figure.png", "store"]


@pytest.mark.parametrize("write", [check_writable, lambda path: write_text(path, "x")])
def test_a_pipe_or_a_device_is_refused(tmp_path, write):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(os.devnull)
    for path in (pipe, link):
        with pytest.raises(InputError, match="it is a device or a pipe"):
            write(path)
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_what_can_be_written_stays_as_it_is(tmp_path):
    write_text(tmp_path / "a.txt", "one")
    check_writable(tmp_path / "a.txt")
    check_writable(tmp_path / "b.txt")

    assert (tmp_path / "a.txt").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written_is_known_early(tmp_path):
    with pytest.raises(InputError, match="cannot write .*a.txt: No such file"):
        check_writable(tmp_path / "missing" / "a.txt")
    for write in (check_writable, lambda path: write_text(path, "x")):
        with pytest.raises(InputError, match="it is a folder"):
            write(tmp_path)


def test_a_missing_folder_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot write .*a.txt: No such file"):
        write_text(tmp_path / "missing" / "a.txt", "")


def test_a_folder_appears_whole_with_the_rights_of_any_other(tmp_path):
    (tmp_path / "plain").mkdir()
    with new_folder(tmp_path / "above" / "new") as folder:
        (folder / "a.txt").write_text("a")
        assert not (tmp_path / "above" / "new").exists()

    assert (tmp_path / "above" / "new" / "a.txt").read_text() == "a"
    assert [path.name for path in (tmp_path / "above").iterdir()] == ["new"]
    mode = (tmp_path / "above" / "new").stat().st_mode
    assert mode == (tmp_path / "plain").stat().st_mode


def fill_half(path, error):
    with new_folder(path) as folder:
        (folder / "a.txt").write_text("half")
        raise error


@pytest.mark.parametrize("error", [OSError(28, os.strerror(28)), KeyboardInterrupt(), ValueError()])
def test_a_failure_leaves_no_folder(tmp_path, error):
    expected = InputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        fill_half(tmp_path / "new", error)

    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "empty").mkdir()
    with new_folder(tmp_path / "empty") as folder:
        (folder / "a.txt").write_text("a")

    assert (tmp_path / "empty" / "a.txt").exists()


def test_a_folder_that_cannot_be_written_is_said_and_what_is_there_stays(tmp_path):
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


def test_lines_end_in_the_same_way_on_all_systems(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "linesep", "\r\n")
    write_text(tmp_path / "a.txt", "one\ntwo\n")
    assert (tmp_path / "a.txt").read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize(
    "name", ["con", "NUL", "aux.png", "Com1", "lpt9.tar.gz", "end.", "end ", "nul "]
)
def test_names_that_windows_has_not_are_refused_everywhere(tmp_path, name):
    for write in (check_name, check_writable, lambda path: new_folder(path).__enter__()):
        with pytest.raises(InputError, match=f"{name!r} is a device, or loses its end"):
            write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["console", "nullable", "com", "com12", "v1.0", ".hidden", ".."])
def test_names_that_only_look_like_them(tmp_path, name):
    check_name(tmp_path / name)


def test_a_name_that_is_no_utf8(tmp_path):
    for write in (check_name, check_writable, lambda path: new_folder(path).__enter__()):
        with pytest.raises(InputError, match=r"udcff' is no UTF-8"):
            write(tmp_path / os.fsdecode(b"a\xff"))


@pytest.mark.parametrize("times", [1, 9])
def test_windows_refuses_to_replace_a_file_while_another_program_reads_it(
    tmp_path, monkeypatch, times
):
    replace, slept, trials = os.replace, [], iter([True] * times)

    def refusing(source, target):
        if next(trials, False):
            raise PermissionError(13, os.strerror(13))
        replace(source, target)

    write_text(tmp_path / "a.txt", "old")
    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(files.time, "sleep", slept.append)
    if times == 1:
        write_text(tmp_path / "a.txt", "new")
        assert len(slept) == 1
    else:
        with pytest.raises(InputError, match="cannot write .*a.txt: Permission denied"):
            write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == ("new" if times == 1 else "old")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_system_that_opens_no_folder_flushes_none(tmp_path, monkeypatch):
    opened, really = [], os.open

    def open_as_windows(path, flags, **removing):
        if removing:  # shutil opens a folder in a folder, which Windows cannot
            return really(path, flags, **removing)
        if os.path.isdir(path):
            raise PermissionError(13, os.strerror(13))
        opened.append(path)
        return really(path, flags)

    with new_folder(tmp_path / "new") as folder:
        (folder / "a.txt").write_text("a")
        monkeypatch.setattr(os, "open", open_as_windows)
    assert [path.name for path in opened] == ["a.txt"]
    assert (tmp_path / "new" / "a.txt").read_text() == "a"
