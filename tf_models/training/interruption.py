"""Signals that let the training step at hand finish."""

import signal
import threading
import time

# Ctrl-C, `kill`, a closed terminal, and Windows' Ctrl-Break.
SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
]
ONE_REQUEST_SECONDS = 1.0  # `timeout` signals a process and then its group


class Interruption:
    """Within the block, a signal sets `requested`; a second one acts as it would outside."""

    requested = False
    _requested_at = 0.0

    def __enter__(self) -> "Interruption":
        self._handlers = {}
        if threading.current_thread() is threading.main_thread():  # no other may listen
            self._handlers = {
                number: signal.signal(number, self._request)
                for number in SIGNALS
                if signal.getsignal(number) is not signal.SIG_IGN  # nohup's SIGHUP
            }
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _request(self, number: int, frame: object) -> None:
        if not self.requested:
            self.requested, self._requested_at = True, time.monotonic()
        elif time.monotonic() - self._requested_at > ONE_REQUEST_SECONDS:
            self.__exit__()
            signal.raise_signal(number)
