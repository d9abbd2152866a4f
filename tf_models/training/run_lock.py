"""One training at a time in a run directory, on this machine or on another."""

import contextlib
import errno
import fcntl
import os
import socket
from pathlib import Path

from tf_models.errors import InputError

HELD = (errno.EAGAIN, errno.EACCES)  # POSIX allows both


class RunLock:
    """A locked file that says which process holds it.

    The kernel frees the lock when the process ends, however it ends. It is a POSIX record lock:
    file servers (NFS, Lustre, CIFS) know it, and it belongs to the process, so that a notebook may
    prepare the same run again.

    Args:
        path: of the file; it stays there, empty, when nobody trains.
    """

    def __init__(self, path: Path):
        self._path, self._file = path, None

    def acquire(self) -> None:
        """Keep every other process out until `release`; a process that has the lock keeps it.

        Raises:
            InputError: another process holds it, or the file system has no locks.
        """
        try:
            if self._file is None:
                self._file = open(self._path, "a+", encoding="utf-8")  # noqa: SIM115 - stays open
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._say(f"process {os.getpid()} on {socket.gethostname()}")
        except OSError as error:
            raise self._refused(error) from error

    def release(self) -> None:
        """Let others in."""
        if self._file:
            self._file.truncate(0)
            self._file.close()
            self._file = None

    def _say(self, text: str) -> None:
        """For whoever is refused. The lock holds without it, as where the disk is full."""
        with contextlib.suppress(OSError):
            self._file.truncate(0)
            os.write(self._file.fileno(), text.encode())

    def _refused(self, error: OSError) -> InputError:
        folder, holder = self._path.parent, ""
        if self._file:
            self._file.seek(0)
            holder = self._file.read()
            self._file.close()
            self._file = None
            if error.errno in HELD:
                return InputError(
                    f"another training is running in {folder} ({holder or 'it has just begun'}); "
                    "wait for it, or choose another --run-dir"
                )
        return InputError(
            f"cannot lock {self._path}: {error.strerror}; choose a --run-dir on a disk that can "
            "be written and knows locks"
        )
