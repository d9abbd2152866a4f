"""Atomic writes (a temporary file beside the target, renamed); downloads."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tf_models.errors import InputError, StrPath

UNFINISHED = ".unfinished-"  # start of the name of a temporary folder


@contextlib.contextmanager
def atomic_path(path: StrPath) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` when the block ends well.

    It has the name of `path`, because writers choose a format by its suffix. When the block raises,
    `path` stays as it was. A link stays a link; its target is written. Raises InputError: the file
    cannot be written (no folder, no permission, no space left), or `path` is a folder or a device.
    An OSError of another file, which the block reads, stays as it is.
    """
    with _beside(path) as (temporary, target):
        yield temporary
        os.replace(temporary, target)


def write_text(path: StrPath, text: str) -> None:
    """Write UTF-8 `text` with line feeds, atomically; raises as `atomic_path`."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def check_writable(path: StrPath) -> None:
    """Raise the InputError of `atomic_path` early, if `path` is not writable."""
    with _beside(path) as (temporary, _):
        temporary.touch()


@contextlib.contextmanager
def _beside(path: StrPath) -> Iterator[tuple[Path, Path]]:
    """Yield a temporary path and the target that it may replace."""
    path, target = Path(path), Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            raise InputError(f"cannot write {path}: it is a folder or a device, no file")
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=target.parent) as folder:
            yield Path(folder) / path.name, target
    except OSError as error:
        written = (None, str(target))  # a full disk has no name
        if error.filename not in written and UNFINISHED not in str(error.filename):
            raise  # the block could not read a file of its own
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def fingerprint(parts: Iterable[bytes | memoryview]) -> str:
    """Hash of data and their order: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]


# manythings.org refuses clients that do not look like a browser.
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def fetch(url: str, path: Path, unpack: bool = False) -> list[Path]:
    """Download a file to `path`; return it, or the files unpacked from it.

    Raises:
        InputError: it cannot be fetched, or is damaged.
    """
    import pooch  # late: it takes its time

    pooch.get_logger().setLevel("WARNING")
    browser = pooch.HTTPDownloader(progressbar=True, headers={"User-Agent": BROWSER})
    processor = pooch.Untar() if unpack else None
    try:
        files = pooch.retrieve(url, None, path.name, path.parent, processor, browser)
    except Exception as error:  # the network, pooch or an archive failed
        reason = short_reason(error)
        raise InputError(
            f"cannot download {url} ({reason}); put that file at {path} by hand"
        ) from error
    return [Path(file) for file in (files if unpack else [files])]


def short_reason(error: Exception) -> str:
    """First line of an error; of a connection that fails, no more than that."""
    from requests import ConnectionError as NoConnection  # late: it takes its time

    return "no connection" if isinstance(error, NoConnection) else str(error).strip().split("\n")[0]
