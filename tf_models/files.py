"""Files that are either whole or not there: written under a temporary name, then renamed."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tf_models.errors import InputError


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`; rename it to `path` when the block ends well.

    The temporary name keeps the suffix of `path`, because writers choose a format by it.
    When the block raises, the temporary file is removed and `path` stays as it was.

    Raises:
        InputError: the file cannot be written (no folder, no permission, no space left).
    """
    path = Path(path)
    temporary = _new_file_beside(path)
    try:
        yield temporary
        give_usual_rights(temporary, 0o666)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike) -> None:
    """Find out that a file cannot be written before minutes are spent on what belongs into it.

    Raises:
        InputError: no folder, no permission, or `path` is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    _new_file_beside(path).unlink()


def _new_file_beside(path: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent
        )
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    os.close(handle)
    return Path(name)


def give_usual_rights(path: Path, most: int) -> None:
    """Rights as a plain open() or mkdir() gives them; temporary files and folders are private.

    Args:
        path: of the file or folder.
        most: what is given where the umask takes nothing away, 0o666 or 0o777.
    """
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(most & ~umask)


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
