"""Signals that let the step at hand finish."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator

# Ctrl-C, the end that a cluster or `kill` asks for, a closed terminal, and Windows' Ctrl-Break.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))

# `timeout` and job managers signal a process and then its group, so one request comes twice.
ONE_REQUEST_SECONDS = 1.0


class Interrupted(BaseException):
    """A signal came while nothing had to be finished first."""


class Interruption:
    """Within the block, a signal of `SIGNALS` sets `requested`; a later one stops at once.

    A signal in the middle of a step would leave weights that no position describes. What the
    process was told to ignore stays ignored: nohup's SIGHUP. Only the main thread can listen.

    Args:
        allows_immediate: whether `immediate` does anything.
    """

    requested = False
    _requested_at = 0.0
    _raises_now = False

    def __init__(self, allows_immediate: bool = True):
        self._allows_immediate = allows_immediate

    def __enter__(self) -> "Interruption":
        self._before = {}
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._request)
                for number in SIGNALS
                if signal.getsignal(number) is not signal.SIG_IGN
            }
        return self

    def __exit__(self, *error: object) -> None:
        self._restore()

    @contextlib.contextmanager
    def immediate(self) -> Iterator[None]:
        """Within this block all is saved: a signal raises `Interrupted`. Raises Interrupted: at the
        signal, or at once if it came before.
        """
        self._raises_now = self._allows_immediate
        try:
            if self._raises_now and self.requested:
                raise Interrupted
            yield
        finally:
            self._raises_now = False

    def _request(self, number: int, frame: object) -> None:
        if self.requested:
            if time.monotonic() - self._requested_at > ONE_REQUEST_SECONDS:
                self._restore()
                signal.raise_signal(number)
            return
        self.requested, self._requested_at = True, time.monotonic()
        if self._raises_now:
            raise Interrupted

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
