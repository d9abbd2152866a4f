"""One process at a time in a folder, on this machine or on another."""

import contextlib
import os
import socket
from pathlib import Path

from filelock import FileLock, Timeout

from tf_models.errors import InputError
from tf_models.files import check_is_file

LOCK = "lock"  # begins the names of the lock's files


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
        """Keep every other process out until `release`.

        Raises:
            InputError: another process holds it, or the file system has no locks.
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

    def __exit__(self, *error) -> None:
        self.release()

    def _read_holder(self) -> str:
        try:
            check_is_file(self._holder)
            return self._holder.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return "it has just begun"
