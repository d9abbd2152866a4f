"""Text files: what is removed, what is refused, and with which words."""

import gzip
import io
import lzma

import pytest

from tf_models.data.text_files import iterate_lines, read_lines
from tf_models.errors import InputError


def write(path, content: bytes):
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("name", ["text.en", "text.en.gz"])
def test_lines_plain_and_compressed(tmp_path, name):
    path = write(tmp_path / name, "Grüß Gott!\nHallo!\n\nlast".encode())

    assert read_lines(path) == read_lines(str(path)) == ["Grüß Gott!", "Hallo!", "", "last"]


def test_only_a_line_feed_ends_a_line(tmp_path):
    odd = "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\rEight"
    path = write(tmp_path / "text", f"{odd}\nnext\n".encode())

    assert read_lines(path) == [odd, "next"]


def test_windows_line_ends_and_byte_order_mark(tmp_path):
    path = write(tmp_path / "text", b"\xef\xbb\xbfGo.\r\nHi.\r\n")

    assert read_lines(path) == ["Go.", "Hi."]


def test_byte_order_mark_elsewhere_is_text():
    assert list(iterate_lines(io.BytesIO(b"a\n\xef\xbb\xbfb\n"), "x")) == ["a", "\ufeffb"]


def test_text_becomes_nfc(tmp_path):
    assert read_lines(write(tmp_path / "text", "u\u0308ber\n".encode())) == ["\xfcber"]


def test_empty_file(tmp_path):
    assert read_lines(write(tmp_path / "text", b"")) == []


def test_binary_stream():
    lines = iterate_lines(io.BytesIO(b"A dog.\nA cat."), "standard input")
    assert list(lines) == ["A dog.", "A cat."]
    with pytest.raises(InputError, match="^standard input, line 2: byte 0xff at position 3 is not"):
        list(iterate_lines(io.BytesIO(b"fine\nno\xff\n"), "standard input"))


@pytest.mark.parametrize("name", ["text.en", "text.en.gz"])
def test_bad_bytes_are_named_by_line(tmp_path, name):
    path = write(tmp_path / name, "gut\nGrüße\n".encode() + "Grüße\n".encode("latin-1"))
    with pytest.raises(InputError, match=rf"{name}, line 3: byte 0xfc at position 3 is not UTF-8"):
        read_lines(path)


def test_nul_byte_is_named_by_line(tmp_path):
    with pytest.raises(InputError, match="text, line 2: NUL byte"):
        read_lines(write(tmp_path / "text", b"fine\nno\0pe\n"))


def test_damaged_gzip(tmp_path):
    whole = gzip.compress(b"A dog runs.\nA cat sleeps.\n" * 500)
    flipped = whole[:30] + bytes([whole[30] ^ 0xFF]) + whole[31:]
    for content in (whole[:-12], flipped, b"not gzip at all"):
        path = tmp_path / "text.gz"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"text\.gz: damaged or incomplete .gz file"):
            read_lines(path)


def test_damaged_xz(tmp_path):
    whole = lzma.compress(b"A dog runs.\n" * 500)
    for content in (whole[:-12], b"not xz at all"):
        path = tmp_path / "text.xz"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"text\.xz: damaged or incomplete .xz file"):
            read_lines(path)


def test_unreadable_files(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="cannot read .*missing: No such file"):
        read_lines(tmp_path / "missing")
    with pytest.raises(InputError, match="cannot read .*: it is a folder"):
        read_lines(tmp_path)

    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root may read whatever chmod forbids
    with pytest.raises(InputError, match="cannot read .*secret: Permission denied"):
        read_lines(tmp_path / "secret")
