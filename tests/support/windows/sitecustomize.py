"""Python as it is on Windows, as far as Linux can have it so. Python imports this when it starts.

The project's own code finds no module, function or signal that Windows lacks. Nobody can open a
folder, flush a file that is open for reading, move or remove an open file, move something onto a
folder, make a link or a name with a colon, or fork. Text files have carriage returns; one that the
project opens without an encoding is an error.
"""

import builtins
import contextlib
import errno
import io
import multiprocessing
import os
import re
import select
import shutil
import signal
import socket
import subprocess  # noqa: F401 - before what it asks for is gone
import sys
import tempfile
import time
import types
import warnings
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
OWN = tuple(f"{PROJECT / folder}{os.sep}" for folder in ("tf_models", "scripts", "research"))
LACKED_MODULES = re.compile(
    "_posix.*|_?curses|crypt|fcntl|grp|nis|ossaudiodev|posix|pty|pwd|readline|resource|spwd|syslog"
    "|termios|tty"
)
# Patterns of the names that Windows has, of modules that have more here.
HAS = {
    os: r"""_exit|_wrap_close|abc|abort|access|altsep|chdir|chmod|close|closerange|cpu_count|curdir
        |defpath|device_encoding|devnull|dup2?|environ|error|exec[lv]p?e?|extsep|f?open|fdopen
        |fs(decode|encode|path|ync)|f?stat|f?truncate|get(cwdb?|env|login|pid|ppid)|get_exec_path
        |get_(inheritable|terminal_size)|isatty|kill|linesep|link|listdir|lseek|lstat|makedirs|mkdir
        |name|pardir|path|pathsep|pipe|popen|process_cpu_count|putenv|read|readlink|remove|removedirs
        |rename|renames|replace|rmdir|scandir|sep|set_inheritable|spawn[lv]e?|startfile|stat_result
        |strerror|supports_\w+|symlink|system|terminal_size|times|times_result|umask|unlink|unsetenv
        |urandom|utime|waitpid|waitstatus_to_exitcode|walk|write|DirEntry|PathLike
        |[FRWX]_OK|O_(APPEND|CREAT|EXCL|RDONLY|RDWR|TRUNC|WRONLY)|P_(NOWAITO?|WAIT)|SEEK_(CUR|END|SET)
        |TMP_MAX""",
    signal: r"""SIG(ABRT|FPE|ILL|INT|SEGV|TERM|_DFL|_IGN)|Signals|Handlers|NSIG|default_int_handler
        |getsignal|raise_signal|set_wakeup_fd|signal|strsignal|valid_signals""",
    time: r"(?!(pthread_|clock_|CLOCK_|tzset)).*",
    socket: r"(?!(AF_(UNIX|NETLINK|PACKET)|sethostname|SO_REUSEPORT|send_fds|recv_fds)).*",
    select: r"select|error",
}
NO_NAME = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$|(?i:con|prn|aux|nul|com\d|lpt\d)(\.|$)')
ONLY_READ = os.O_RDONLY
DESCRIPTORS = "/proc/self/fd"
real_import, real_open, real_fsync = builtins.__import__, io.open, os.fsync


class OnWindows(types.ModuleType):
    """A module with the names that Windows has."""

    def __init__(self, module, has):
        super().__init__(module.__name__)
        self.__dict__["_of"] = module, re.compile(has, re.VERBOSE)

    def __getattr__(self, name):
        module, has = self._of
        if name.startswith("__") or has.fullmatch(name):
            return getattr(module, name)
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} on Windows")

    def __setattr__(self, name, value):
        setattr(self._of[0], name, value)


PROXIES = {module.__name__: OnWindows(module, has) for module, has in HAS.items()}


def import_as_windows(name, namespace=None, local=None, fromlist=(), level=0):
    """`__import__` of the project's code."""
    if level == 0 and str((namespace or {}).get("__file__", "")).startswith(OWN):
        top = name.split(".")[0]
        if LACKED_MODULES.fullmatch(top):
            raise ModuleNotFoundError(f"No module named {top!r} on Windows", name=top)
        if name in PROXIES:
            return PROXIES[name]
    return real_import(name, namespace, local, fromlist, level)


def open_as_windows(
    file,
    mode="r",
    buffering=-1,
    encoding=None,
    errors=None,
    newline=None,
    closefd=True,
    opener=None,
):
    """`open`: text has carriage returns, and an encoding."""
    if "b" not in mode:
        caller = sys._getframe(1).f_code.co_filename
        if encoding is None and caller.startswith(OWN):
            raise EncodingWarning(f"{file} is opened without an encoding")
        encoding = encoding or "locale"
        if newline is None and not mode.startswith("r"):
            newline = "\r\n"
    return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)


def fsync_as_windows(descriptor):
    """`os.fsync`: of what is open for writing."""
    with real_open(f"/proc/self/fdinfo/{descriptor}", "rb") as information:
        flags = int(re.search(rb"flags:\s*(\d+)", information.read())[1], 8)
    if flags & 3 == ONLY_READ:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    real_fsync(descriptor)


def opened_below(path):
    """Files that this process has open or mapped, at a path or below it."""
    path, found = os.path.realpath(path), set()
    for descriptor in os.listdir(DESCRIPTORS):
        with contextlib.suppress(OSError):
            found.add(os.readlink(f"{DESCRIPTORS}/{descriptor}"))
    with real_open("/proc/self/maps", "rb") as maps:
        found |= {os.fsdecode(line.split(None, 5)[-1].rstrip()) for line in maps}
    return [one for one in found if one == path or one.startswith(f"{path}/")]


def refused(path):
    """What Windows raises when a file is in use, or is a folder."""
    return PermissionError(errno.EACCES, f"refused by Windows: {path}")


def check_name(path):
    """Names that no file of Windows has."""
    parts = os.fsdecode(path).split("/")
    bad = [part for part in parts if part not in (".", "..") and NO_NAME.search(part)]
    if bad:
        raise OSError(errno.EINVAL, f"no name on Windows: {bad[0]}")


def watch(event, arguments):
    """Audit events come before what they tell of."""
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path, mode, flags = arguments
        if mode is None and os.path.isdir(path):  # tempfile names one, to `open` with an opener
            raise refused(path)
        if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            check_name(path)
    elif event == "os.mkdir":
        check_name(arguments[0])
    elif event == "os.rename":
        source, target = map(os.fspath, arguments[:2])
        check_name(target)
        if os.path.isdir(target) or opened_below(source) or opened_below(target):
            raise refused(target)
    elif event in ("os.remove", "os.rmdir"):
        if opened_below(arguments[0]):
            raise refused(arguments[0])
    elif event in ("os.symlink", "os.fork", "os.forkpty"):
        raise refused(event)


shutil._use_fd_functions = False  # to remove a folder it would open it
multiprocessing.set_start_method("spawn")
tempfile.TemporaryFile = tempfile.NamedTemporaryFile  # Linux' own is removed while it is open
os.fsync, builtins.open, io.open = fsync_as_windows, open_as_windows, open_as_windows
builtins.__import__ = import_as_windows
warnings.filterwarnings(
    "error", category=EncodingWarning, module=r"tf_models|scripts|research|__main__"
)
for stream in (sys.stdout, sys.stderr):
    if stream is not None:
        stream.reconfigure(newline="\r\n")
sys.addaudithook(watch)
