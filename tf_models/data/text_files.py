"""Lines of text files, checked: UTF-8, NFC, one line for each line feed."""

import gzip
import lzma
import unicodedata
import zipfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from tf_models.errors import InputError, StrPath

NO_TEXTS = {  # first bytes of a file -> its format
    b"PK\3\4": "a zip archive or a workbook",
    b"\xd0\xcf\x11\xe0": "a workbook or a document",
    b"\x1f\x8b": "packed with gzip",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"7z\xbc\xaf": "a 7z archive",
    b"<?xml": "XML, as TMX is",
    b"<tmx": "TMX",
    b"<!": "HTML",
    b'{"': "JSON",
    b"{\n": "JSON",
    b"[{": "JSON",
    b"[\n": "JSON",
}
READ_ERRORS = OSError, EOFError, RuntimeError, lzma.LZMAError, zlib.error, zipfile.BadZipFile
TAR = slice(257, 262)  # where a tar archive has the bytes "ustar"


def read_lines(path: StrPath) -> list[str]:
    """Read all lines of a text file (see `stream_lines`)."""
    return list(stream_lines(path))


def stream_lines(path: StrPath) -> Iterator[str]:
    """Yield the lines of a text file in NFC; it may be .gz, .xz or .zip.

    A .zip holds one text. Lines end at a line feed only, so a U+2028 inside a sentence cannot shift
    two aligned files. A carriage return before it and a byte order mark are removed.

    Raises:
        InputError: the file cannot be read, its compression is damaged, or it is not UTF-8.
    """
    path = Path(path)
    try:
        with OPENERS.get(path.suffix.lower(), open)(path, "rb") as stream:
            _check_format(path, stream.peek(TAR.stop))
            for number, raw in enumerate(stream, start=1):
                yield _decoded(raw, f"{path}, line {number}")
    except READ_ERRORS as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {path}: {reason}") from error


def _check_format(path: Path, head: bytes) -> None:
    head_of_text = head.removeprefix(BOM_UTF8)
    formats = [name for start, name in NO_TEXTS.items() if head_of_text.startswith(start)]
    if head[TAR] == b"ustar":
        formats.append("a tar archive")
    if formats:
        raise InputError(f"{path} is {formats[0]}; unpack it, or save its table as text with tabs")


def _decoded(raw: bytes, place: str) -> str:
    try:
        text = raw.decode("utf-8-sig")  # without a byte order mark
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place}: byte 0x{raw[error.start]:02x} at position {error.start + 1} is not UTF-8; "
            "convert the text to UTF-8"
        ) from error
    if "\0" in text:
        raise InputError(f"{place}: NUL byte; expected UTF-8 text")
    return unicodedata.normalize("NFC", text.removesuffix("\n").rstrip("\r"))


def name_in_zip(path: Path) -> str:
    """Name of the one text in an archive; files `_*` and `.*` do not count.

    Raises:
        InputError: there are several, or none.
    """
    with zipfile.ZipFile(path) as archive:
        files = [item.filename for item in archive.infolist() if not item.is_dir()]
    names = [name for name in files if not name.rpartition("/")[2].startswith(("_", "."))]
    if len(names) != 1:
        raise InputError(f"{path} holds {len(names)} files, not one table; unpack it and name one")
    return names[0]


def _open_in_zip(path: Path, mode: str) -> IO[bytes]:
    return zipfile.ZipFile(path).open(name_in_zip(path))


OPENERS: dict[str, Callable] = {".gz": gzip.open, ".xz": lzma.open, ".zip": _open_in_zip}


def plain_name(path: Path) -> str:
    """File name without the suffix of its compression."""
    return path.stem if path.suffix.lower() in OPENERS else path.name
