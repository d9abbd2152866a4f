"""One training at a time in a run directory, on this machine or on another."""

import contextlib
import os
import socket
from pathlib import Path

from filelock import FileLock, Timeout

from tf_models.errors import InputError


class RunLock:
    """A lock of this process on a folder, and a file beside it that says which process that is.

    The system frees the lock when the process ends, however it ends. A process may take it again,
    as a notebook does that prepares the same run twice.

    Args:
        path: of the lock's file; it stays there, empty, when nobody trains.
    """

    def __init__(self, path: Path):
        self._path = path
        # Windows lets nobody read a file that is locked.
        self._holder = path.with_name(f"{path.name}.holder")
        options = {"is_singleton": True, "thread_local": False, "fallback_to_soft": False}
        self._lock = FileLock(path, timeout=0, **options)

    def acquire(self) -> None:
        """Keep every other process out until `release`.

        Raises:
            InputError: another process holds it, or the file system has no locks.
        """
        try:
            self._lock.acquire()
        except Timeout as error:
            raise InputError(
                f"another training is running in {self._path.parent} ({self._read_holder()}); "
                "wait for it, or choose another --run-dir"
            ) from error
        except OSError as error:
            raise InputError(
                f"cannot lock {self._path}: {error.strerror}; choose a --run-dir on a disk that "
                "can be written and knows locks"
            ) from error
        with contextlib.suppress(OSError):  # the lock holds without it, as on a full disk
            holder = f"process {os.getpid()} on {socket.gethostname()}"
            self._holder.write_text(holder, encoding="utf-8")

    def release(self) -> None:
        """Let others in."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):
                self._holder.unlink()
            self._lock.release(force=True)

    def _read_holder(self) -> str:
        try:
            return self._holder.read_text(encoding="utf-8")
        except OSError:
            return "it has just begun"
