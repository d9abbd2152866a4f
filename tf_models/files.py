"""Files and folders, whole or not there; folders with one process at a time; home folders.

Files are made in a temporary folder beside their place, and renamed when they are whole. What has
its name is on the disk: a loss of power leaves the old file or the new one, never an empty one.
"""

import contextlib
import errno
import json
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tf_models.errors import InputError

UNFINISHED = ".unfinished-"  # begins the names of the temporary folders
MAX_JSON = 1 << 24  # bytes; the files of this project have some thousand
MAX_DEPTH = 20  # of what is nested in them
MAX_DIGITS = 100
UNABLE = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)  # of file systems that flush no folders
# Windows moves and removes no file that somebody reads, as a virus scanner does for a moment.
SECONDS_BETWEEN_TRIALS = (0.01, 0.1, 0.5)
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d) *(\..*)?", re.IGNORECASE)  # of Windows
LOCK = "lock"  # begins the names of the lock's files


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path to write to; it takes the place of `path` when the block ends well.

    It has the name of `path`, because writers choose a format by its suffix. When the block raises,
    `path` stays as it was. A link stays a link, and the file that it leads to is written. Raises
    InputError: the file cannot be written (no folder, no permission, no space left), or something
    else is there, as a folder or a device.
    """
    path = Path(path)
    with one_line_errors(path):
        check_name(path)
        check_is_file(path, "write")
        with _renamed_when_whole(path) as temporary:
            yield temporary


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill; it takes the place of `path` when the block ends well.

    When the block raises, nothing is left. Folders above `path` are made. Raises InputError:
    something is at `path` already, or it cannot be written.
    """
    check_is_new(path)
    path = resolve(path)
    with one_line_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _renamed_when_whole(path) as temporary:
            temporary.mkdir()
            yield temporary


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all, the same bytes on all systems."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def unfinished_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder in `folder`; it is removed with all in it.

    Only a killed process leaves one behind, for `remove_unfinished`.
    """
    with tempfile.TemporaryDirectory(
        prefix=UNFINISHED, dir=folder, ignore_cleanup_errors=True
    ) as temporary:
        yield Path(temporary)


def move_together(files: Sequence[Path], folder: Path) -> None:
    """Move files that belong together into `folder`, where others may have their names.

    The last one makes the others valid: it comes when they are on the disk, and its predecessor
    goes before they come. So new files never stand beside an old last one.
    """
    remove(folder / files[-1].name)
    for file in files:
        _flush(file)
        _with_patience(os.replace, file, folder / file.name)
        _flush(folder)


def remove(path: Path) -> None:
    """Remove a file, if it is there."""
    with contextlib.suppress(FileNotFoundError):
        _with_patience(os.remove, path)


def _with_patience(change: Callable[..., None], *paths: Path) -> None:
    for seconds in SECONDS_BETWEEN_TRIALS:
        try:
            return change(*paths)
        except PermissionError:
            time.sleep(seconds)
    return change(*paths)


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes left in `folder` and below; nobody may be writing there."""
    for path in list(folder.rglob(f"{UNFINISHED}*")):
        shutil.rmtree(path, ignore_errors=True)


def check_writable(path: str | os.PathLike) -> None:
    """Raise an InputError, as `atomic_path` does, before minutes are spent on what belongs into a
    file.
    """
    path = Path(path)
    with one_line_errors(path):
        check_name(path)
        check_is_file(path, "write")
        with unfinished_folder(resolve(path).parent) as folder:
            (folder / path.name).touch()


def check_can_be_made(folder: Path) -> None:
    """Raise an InputError if a folder that may be missing cannot be made or written to: something
    else stands in its place or above it, or there is no permission.
    """
    folder = Path(folder)
    above = (folder, *folder.absolute().parents)
    there = next((one for one in above if one.exists()), folder)  # a drive may be missing
    with one_line_errors(folder), unfinished_folder(there):
        pass


def check_is_file(path: str | os.PathLike, use: str = "read") -> None:
    """Raise an InputError, before it is opened for a `use`, for a folder, a device, or a pipe,
    which waits for whoever writes to it.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        remedy = "; save what comes from it in a file" if use == "read" and path.is_fifo() else ""
        raise InputError(f"cannot {use} {path}: it is {kind}{remedy}")


def read_json(path: Path) -> Any:
    """What a small JSON file holds; a number of very many digits is infinite.

    Raises:
        ValueError, OSError, RecursionError: it cannot be read, is no JSON, or is nested too deep.
    """
    check_is_file(path)
    with open(path, "rb") as file:
        text = file.read(MAX_JSON + 1)
    if len(text) > MAX_JSON:
        raise ValueError(f"longer than {MAX_JSON:,} bytes")
    found = json.loads(
        text.decode("utf-8-sig"),
        parse_int=lambda digits: int(digits) if len(digits) <= MAX_DIGITS else float(digits),
    )
    _check_depth(found, MAX_DEPTH)
    return found


def _check_depth(value: object, left: int) -> None:
    if left == 0:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            _check_depth(one, left - 1)


def resolve(path: str | os.PathLike) -> Path:
    """What links lead to; it need not be there, and they may lead round in a circle."""
    return Path(os.path.realpath(path))


def check_utf8(path: Path) -> None:
    """Raise an InputError for a path that TensorFlow cannot take: one that is no UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{str(path)!r} is no UTF-8; choose another name") from error


def check_name(path: Path) -> None:
    """Raise an InputError for the name of a new file or folder that could not be copied to another
    system: no UTF-8, or one that Windows lacks.
    """
    check_utf8(path)
    name = path.name
    if name != ".." and (name.endswith((".", " ")) or DEVICES.fullmatch(name)):
        raise InputError(
            f"{path} cannot be used: on Windows {name!r} is a device, or loses its end; choose "
            "another name"
        )


def check_is_new(path: Path) -> None:
    """Raise an InputError unless nothing is at `path` that would be overwritten, at most an empty
    folder, and its name can be used.
    """
    check_name(path)
    if set(str(path)) & set("[]*?"):  # TensorFlow would take them for patterns when it loads
        raise InputError(f"an export may not have [, ], * or ? in its path; received {path}")
    with one_line_errors(path):
        if path.is_dir() and any(path.iterdir()):
            raise InputError(f"{path} exists and is not empty; choose another --output")
        if path.exists() and not path.is_dir():
            raise InputError(f"{path} exists and is no folder; choose another --output")


@contextlib.contextmanager
def _renamed_when_whole(path: Path) -> Iterator[Path]:
    """Yield a path for a new file or folder; rename it to `path` when the block ends well."""
    target = resolve(path)
    with unfinished_folder(target.parent) as folder:
        temporary = folder / path.name
        yield temporary
        for new in (temporary, *temporary.rglob("*")):
            _flush(new)
        if temporary.is_dir() and target.is_dir():  # an empty one, which Windows would not replace
            target.rmdir()
        _with_patience(os.replace, temporary, target)
        _flush(target.parent)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    is_folder = path.is_dir()
    try:
        descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    except PermissionError:
        if is_folder:
            return  # Windows opens none
        raise
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNABLE or not is_folder:
            raise
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def one_line_errors(path: Path) -> Iterator[None]:
    """Within the block, what keeps `path` from being written is an `InputError` of one line."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


class FolderLock:
    """A lock of this process on a folder, and a file beside it that says which process that is.

    As a context manager it is held within the block.

    The system frees the lock when the process ends, however it ends. A process may take it again,
    as a notebook does that prepares the same run twice.

    Args:
        folder: where the lock's file lies; it stays there, empty, when nobody has the lock.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        self._holder = folder / f"{LOCK}.holder"  # Windows lets nobody read a file that is locked
        options = {"is_singleton": True, "thread_local": False, "fallback_to_soft": False}
        self._lock = FileLock(folder / LOCK, timeout=0, **options)

    def acquire(self) -> None:
        """Keep every other process out until `release`; an InputError if one holds the lock, or the
        file system has no locks.
        """
        try:
            self._lock.acquire()
        except Timeout as error:
            raise InputError(
                f"another process is at work in {self._folder} ({self._read_holder()}); "
                "wait for it, or choose another folder"
            ) from error
        except OSError as error:
            raise InputError(
                f"cannot lock {self._folder}: {error.strerror}; choose a folder on a disk that can "
                "be written and knows locks"
            ) from error
        with contextlib.suppress(OSError, InputError):  # the lock holds without it: a full disk
            check_is_file(self._holder)
            holder = f"process {os.getpid()} on {socket.gethostname()}"
            self._holder.write_text(holder, encoding="utf-8")

    def release(self) -> None:
        """Let others in."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):
                self._holder.unlink()
            self._lock.release(force=True)

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()

    def _read_holder(self) -> str:
        try:
            check_is_file(self._holder)
            return self._holder.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return "it has just begun"


def home_folder(remedy: str) -> Path:
    """The home folder of this user; an InputError, which ends with `remedy`, for an unknown user
    without HOME.
    """
    try:
        return Path.home()
    except RuntimeError as error:
        raise InputError(
            f"no home folder for a cache: HOME is not set, and the user is unknown; {remedy}"
        ) from error


@contextlib.contextmanager
def some_home() -> Iterator[None]:
    """Within this block `Path.home()` gives a path, if need be one where nothing can be stored.

    For packages that ask for it while they are imported, and then may never use it.
    """
    name = "USERPROFILE" if os.name == "nt" else "HOME"
    homeless = os.path.expanduser("~") == "~"
    if homeless:
        os.environ[name] = os.devnull
    try:
        yield
    finally:
        if homeless:
            del os.environ[name]
