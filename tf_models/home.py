"""Folders: the user's home, and where caches lie."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tf_models.errors import InputError


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
