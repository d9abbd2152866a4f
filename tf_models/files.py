"""Files and folders that are either whole or not there.

They are made in a temporary folder beside their place, and renamed when they are whole.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tf_models.errors import InputError


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path to write to; it takes the place of `path` when the block ends well.

    It has the name of `path`, because writers choose a format by its suffix. When the block
    raises, `path` stays as it was.

    Raises:
        InputError: the file cannot be written (no folder, no permission, no space left).
    """
    path = Path(path)
    with _one_line_errors(path), _renamed_when_whole(path) as temporary:
        yield temporary


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill; it takes the place of `path` when the block ends well.

    When the block raises, nothing is left. Folders above `path` are made.

    Raises:
        InputError: something is at `path` already, or it cannot be written.
    """
    check_is_new(path)
    target = Path(os.path.realpath(path))
    with _one_line_errors(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        with _renamed_when_whole(target) as temporary:
            temporary.mkdir()
            yield temporary


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str | os.PathLike) -> None:
    """Find out that a file cannot be written before minutes are spent on what belongs into it.

    Raises:
        InputError: no folder, no permission, or `path` is a folder.
    """
    path = Path(path)
    with _one_line_errors(path):
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        with _folder_beside(path) as folder:
            (folder / path.name).touch()


def check_is_new(path: Path) -> None:
    """Check that nothing would be overwritten at `path`: nothing is there, or an empty folder.

    Raises:
        InputError: something is there, it may not be looked at, or its name cannot be used.
    """
    if set(str(path)) & set("[]*?"):  # TensorFlow would take them for patterns when it loads
        raise InputError(f"an export may not have [, ], * or ? in its path; received {path}")
    with _one_line_errors(path):
        if path.is_dir() and any(path.iterdir()):
            raise InputError(f"{path} exists and is not empty; choose another --output")
        if path.exists() and not path.is_dir():
            raise InputError(f"{path} exists and is no folder; choose another --output")


@contextlib.contextmanager
def _renamed_when_whole(target: Path) -> Iterator[Path]:
    """Yield a path for a new file or folder; rename it to `target` when the block ends well."""
    with _folder_beside(target) as folder:
        temporary = folder / target.name
        yield temporary
        os.replace(temporary, target)


@contextlib.contextmanager
def _folder_beside(target: Path) -> Iterator[Path]:
    """Yield a temporary folder on the same disk as `target`; it is removed with all in it."""
    with tempfile.TemporaryDirectory(
        prefix=".unfinished-", dir=target.parent, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


@contextlib.contextmanager
def _one_line_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
