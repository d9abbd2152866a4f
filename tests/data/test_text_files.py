"""Text files: what is removed, and what is refused in one line."""

import bz2
import gzip
import io
import lzma
import tarfile

import pytest

from tf_models.data.text_files import read_lines
from tf_models.errors import InputError


def write(path, content: bytes):
    compress = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)
    path.write_bytes(compress(content))
    return path


def tar():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("deu.txt"))
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["text.en", "text.en.gz", "text.en.xz"])
def test_lines_plain_and_compressed(tmp_path, name):
    path = write(tmp_path / name, "Grüß Gott!\nHallo!\n\nlast".encode())

    assert read_lines(path) == read_lines(str(path)) == ["Grüß Gott!", "Hallo!", "", "last"]


def test_only_a_line_feed_ends_a_line(tmp_path):
    odd = "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\rEight"
    path = write(tmp_path / "text", f"{odd}\nnext\n".encode())

    assert read_lines(path) == [odd, "next"]


def test_windows_line_ends_and_byte_order_mark(tmp_path):
    path = write(tmp_path / "text", b"\xef\xbb\xbfGo.\r\n\xef\xbb\xbfHi.\r\n")

    assert read_lines(path) == ["Go.", "Hi."]


def test_text_becomes_nfc(tmp_path):
    assert read_lines(write(tmp_path / "text", "u\u0308ber\n".encode())) == ["\xfcber"]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("text", "Grüße\n".encode("latin-1"), "line 1: byte 0xfc at position 3 is not UTF-8"),
        ("text", "Hi\n".encode("utf-16-le"), "line 1: NUL byte"),
        ("text.gz", b"not gzip at all", "cannot read"),
        ("text.gz", gzip.compress(b"A dog runs.\n" * 500, mtime=0)[:-12], "cannot read"),
        ("text.xz", b"not xz at all", "cannot read"),
        ("text.zip", b"not zip at all", "cannot read"),
        ("text.tar.gz", gzip.compress(tar(), mtime=0), "is a tar archive; unpack it"),
        ("text.bz2", bz2.compress(b"A dog."), "is packed with bzip2; unpack it"),
        ("text.xlsx", b"PK\3\4 of Excel", "is a zip archive or a workbook; unpack it, or save"),
        ("missing", None, "No such file"),
        (".", None, "cannot read"),
    ],
)
def test_files_that_are_no_text(tmp_path, name, content, complaint):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=complaint) as caught:
        read_lines(tmp_path / name)
    assert "\n" not in str(caught.value)
