"""Text files become checked lines: UTF-8, NFC, one line for each line feed."""

import gzip
import hashlib
import lzma
import os
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from tf_models.errors import InputError
from tf_models.files import check_is_file

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_LINE_BYTES = 1 << 20  # bytes; a file without line feeds would have to be held in memory

_OPENERS: dict[str, Callable] = {".gz": gzip.open, ".xz": lzma.open}
COMPRESSED = tuple(_OPENERS)  # ends of the names of files that may be read as they are


def named_files(corpus: str) -> tuple[Path, ...]:
    """The file or folder that a corpus is, or its two files, with a comma between their names.

    There may be commas in names, too: it is read in the way in which all files are there.
    """
    parts = corpus.split(",")
    cuts = range(1, len(parts))
    pairs = [(Path(",".join(parts[:i])), Path(",".join(parts[i:]))) for i in cuts]
    ways = [(Path(corpus),), *pairs]
    there = (files for files in ways if all(map(os.path.exists, files)))
    return next(there, pairs[0] if len(pairs) == 1 else ways[0])


def read_lines(path: str | os.PathLike) -> list[str]:
    """The lines of `stream_lines`, all at once."""
    return list(stream_lines(path))


def stream_lines(path: str | os.PathLike) -> Iterator[str]:
    """Yield the lines of a text file, plain or compressed (when the name ends in `.gz` or `.xz`).

    Lines end at a line feed only, so a U+2028 inside a sentence cannot shift the lines of two
    aligned files. A carriage return before it and a byte order mark are removed; the text is
    normalised to NFC. Raises InputError: the file cannot be read, its compression is damaged, it is
    not UTF-8, or it holds NUL.
    """
    path = Path(path)
    opener = _OPENERS.get(path.suffix, open)
    try:
        check_is_file(path)
        with opener(path, "rb") as stream:
            yield from iterate_lines(stream, str(path))
    except (gzip.BadGzipFile, lzma.LZMAError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: damaged or incomplete {path.suffix} file ({error})") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def fingerprint(*splits: Iterable[str]) -> str:
    """16 hexadecimal digits that tell the lines of all splits, and their order, from others."""
    digest = hashlib.sha256()
    for lines in splits:
        for line in lines:
            digest.update(f"{line}\n".encode())
        digest.update(b"\n")
    return digest.hexdigest()[:16]


def plain_name(path: Path) -> str:
    """The name of a file without the end that says how it is compressed."""
    return path.stem if path.suffix in COMPRESSED else path.name


def iterate_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of a binary stream (`sys.stdin.buffer`, say) as `stream_lines` does; errors
    say `name`. Raises InputError: a line is not UTF-8, holds NUL, or is too long; the message has
    its number.
    """
    number = 0
    while raw := stream.readline(MAX_LINE_BYTES + 1):  # of a longer one, enough to tell
        number += 1
        yield _decode(raw, name, number)


def _decode(raw: bytes, name: str, number: int) -> str:
    if number == 1:
        raw = raw.removeprefix(BYTE_ORDER_MARK)
    if len(raw) > MAX_LINE_BYTES:
        raise InputError(
            f"{name}, line {number}: longer than {MAX_LINE_BYTES:,} bytes; expected one sentence "
            "or text a line"
        )
    if b"\0" in raw:
        raise InputError(f"{name}, line {number}: NUL byte; expected UTF-8 text")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        raise InputError(
            f"{name}, line {number}: byte 0x{byte:02x} at position {error.start + 1} is not UTF-8; "
            "convert the text to UTF-8"
        ) from error
    return unicodedata.normalize("NFC", text.removesuffix("\n").rstrip("\r"))
