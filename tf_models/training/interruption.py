"""Ctrl-C that lets the step at hand finish."""

import signal


class Interruption:
    """Within the block, Ctrl-C or SIGTERM sets `requested`; a second one stops at once.

    A signal in the middle of a step would leave weights that no position describes.
    """

    requested = False

    def __enter__(self) -> "Interruption":
        self._before = {
            number: signal.signal(number, self._request)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        return self

    def __exit__(self, *error) -> None:
        self._restore()

    def _request(self, number, frame) -> None:
        self.requested = True
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
