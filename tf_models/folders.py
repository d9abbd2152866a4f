"""A folder that is either whole or not there, as `tf_models.files` has it for files."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tf_models.errors import InputError
from tf_models.files import give_usual_rights


def check_is_new(path: Path) -> None:
    """Check that nothing would be overwritten at `path`: nothing is there, or an empty folder.

    Raises:
        InputError: something is there, it may not be looked at, or its name cannot be used.
    """
    if set(str(path)) & set("[]*?"):  # TensorFlow would take them for patterns when it loads
        raise InputError(f"an export may not have [, ], * or ? in its path; received {path}")
    try:
        if path.is_dir() and any(path.iterdir()):
            raise InputError(f"{path} exists and is not empty; choose another --output")
        if path.exists() and not path.is_dir():
            raise InputError(f"{path} exists and is no folder; choose another --output")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; rename it to `path` when the block ends well.

    When the block raises, the temporary folder is removed. Folders above `path` are made.

    Raises:
        InputError: something is at `path` already, or it cannot be written.
    """
    check_is_new(path)
    path = path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    try:
        yield temporary
        give_usual_rights(temporary, 0o777)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
