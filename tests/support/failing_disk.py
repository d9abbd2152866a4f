"""A disk that stops at a chosen file operation: as a kill, a loss of power or a full disk does."""

import contextlib
import os
import sys
from pathlib import Path

import tensorflow as tf

OPERATIONS = ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate")
KILL, POWER, POWER_WITHOUT_NAMES = "kill", "power", "power without names"
WAYS = (KILL, POWER, POWER_WITHOUT_NAMES)


class Stopped(BaseException):
    """The process is no more."""


class FailingDisk:
    """Counts the file operations below a folder and stops at the one of a number.

    Python's audit events see each operation before it happens; TensorFlow's writing counts as two,
    before it and in its middle. From the stop on, nothing of the process reaches the disk.

    Args:
        folder: that is watched.
        stop: number of the operation, from 0; None only counts.
        way: `KILL`: what was written is there. `POWER`: what was not flushed is empty.
            `POWER_WITHOUT_NAMES`: names that were not flushed with their folder are as before.
        error: what each operation from `stop` on raises instead, and nothing stops.
    """

    active = None  # the hook cannot be taken away again

    def __init__(self, folder, stop=None, way=KILL, error=None):
        self.folder, self._stop, self._way, self._error = str(folder), stop, way, error
        self.count, self.stopped = 0, False
        self._flushed, self._names, self._platter = set(), {}, Path(f"{folder}-platter")

    @contextlib.contextmanager
    def watching(self, monkeypatch):
        """Count, and perhaps stop, within the block."""
        self._platter.mkdir(exist_ok=True)
        for folder, _, files in os.walk(self.folder):
            for name in files:
                self._flush_file(os.path.join(folder, name))
            self._names[folder] = self._listing(folder)
        fsync, write = os.fsync, tf.train.Checkpoint.write

        def watched_fsync(descriptor):
            path = os.readlink(f"/proc/self/fd/{descriptor}")
            if path.startswith(self.folder):
                self._operation()
                with self._unwatched():
                    self._flush(path)
            fsync(descriptor)

        def watched_write(checkpoint, prefix):
            self._operation()
            write(checkpoint, prefix)
            with self._unwatched():
                halves = {path: path.read_bytes() for path in Path(prefix).parent.iterdir()}
            try:
                self._operation()
            except BaseException:
                with self._unwatched():
                    for path, content in halves.items():
                        path.write_bytes(content[: len(content) // 2])
                raise

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", watched_fsync)
            patch.setattr(tf.train.Checkpoint, "write", watched_write)
            FailingDisk.active = self
            try:
                yield self
            except Stopped:
                pass
            finally:
                FailingDisk.active = None
        if self.stopped and self._way != KILL:
            self._lose_power()

    def event(self, name, arguments):
        """An audit event."""
        path = os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes, Path)) else ""
        within = path.startswith(self.folder) or (name != "open" and not os.path.isabs(path))
        writes = name != "open" or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if within and writes and not path.startswith(str(self._platter)):
            self._operation()

    def _operation(self):
        number, self.count = self.count, self.count + 1
        if self._stop is None or number < self._stop:
            return
        if self._error:
            raise OSError(self._error, os.strerror(self._error))
        self.stopped = True
        raise Stopped

    @contextlib.contextmanager
    def _unwatched(self):
        FailingDisk.active = None
        try:
            yield
        finally:
            FailingDisk.active = self

    def _flush(self, path):
        if os.path.isdir(path):
            self._names[path] = self._listing(path)
        else:
            self._flush_file(path)

    def _flush_file(self, path):
        inode = os.stat(path).st_ino
        self._flushed.add(inode)
        with contextlib.suppress(FileExistsError):
            os.link(path, self._platter / str(inode))  # so that no other file gets this inode

    def _listing(self, folder):
        paths = [os.path.join(folder, name) for name in os.listdir(folder)]
        return {path: os.stat(path).st_ino for path in paths if os.path.isfile(path)}

    def _lose_power(self):
        for folder, _, files in os.walk(self.folder):
            for path in (os.path.join(folder, name) for name in files):
                if os.stat(path).st_ino not in self._flushed:
                    os.truncate(path, 0)
        if self._way == POWER_WITHOUT_NAMES:
            for folder, names in self._names.items():
                if os.path.isdir(folder):
                    self._put_back(folder, names)

    def _put_back(self, folder, names):
        for path in self._listing(folder):
            os.remove(path)
        for path, inode in names.items():
            if (self._platter / str(inode)).exists():
                os.link(self._platter / str(inode), path)
            else:
                open(path, "w", encoding="utf-8").close()


def _hook(name, arguments):
    if FailingDisk.active and name in OPERATIONS:
        FailingDisk.active.event(name, arguments)


sys.addaudithook(_hook)
