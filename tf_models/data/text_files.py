"""Lines of text files, checked: UTF-8, NFC, one line for each line feed."""

import gzip
import lzma
import os
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from tf_models.errors import InputError

SHOWN_CHARACTERS = 40  # of a line that cannot be used
OPENERS: dict[str, Callable] = {".gz": gzip.open, ".xz": lzma.open}


def read_lines(path: str | os.PathLike) -> list[str]:
    """All lines of `stream_lines`."""
    return list(stream_lines(path))


def stream_lines(path: str | os.PathLike) -> Iterator[str]:
    """Yield the lines of a text file, plain or compressed (`.gz`, `.xz`), in NFC.

    Lines end at a line feed only, so a U+2028 inside a sentence cannot shift the lines of two
    aligned files. A carriage return before it and a byte order mark are removed.

    Raises:
        InputError: the file cannot be read, its compression is damaged, or it is not UTF-8.
    """
    path = Path(path)
    try:
        with OPENERS.get(path.suffix.lower(), open)(path, "rb") as stream:
            for number, raw in enumerate(stream, start=1):
                yield _decoded(raw, f"{path}, line {number}")
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {path}: {reason}") from error


def _decoded(raw: bytes, place: str) -> str:
    try:
        text = raw.decode("utf-8-sig")  # without a byte order mark
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place}: byte 0x{raw[error.start]:02x} at position {error.start + 1} is not UTF-8; "
            "unpack it, or save it as text in UTF-8"
        ) from error
    if "\0" in text:
        raise InputError(f"{place}: NUL byte; expected UTF-8 text")
    return unicodedata.normalize("NFC", text.removesuffix("\n").rstrip("\r"))


def table_rows(
    path: Path, columns: range, expected: str, most_splits: int = -1
) -> Iterator[list[str]]:
    """Yield the cells of each line of a table, without spaces around them; empty lines are skipped.

    Raises:
        InputError: a line has another number of columns than `expected` says.
    """
    for number, line in enumerate(stream_lines(path), start=1):
        cells = [cell.strip() for cell in line.split("\t", most_splits)]
        if len(cells) in columns:
            yield cells
        elif line.strip():
            raise InputError(
                f"{path}, line {number}: expected {expected}, found {len(cells)}: "
                f"{line[:SHOWN_CHARACTERS]!r}"
            )


def plain_name(path: Path) -> str:
    """The name of a file without the end that says how it is compressed."""
    return path.stem if path.suffix.lower() in OPENERS else path.name
