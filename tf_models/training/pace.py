"""How many batches to train on before Python is asked again."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

CALL_SECONDS = 0.2  # a reader hardly notices that progress and Ctrl-C wait so long


class Pace:
    """Lets a call last about `CALL_SECONDS`.

    A return to Python costs as much as a step of a small model.

    `batches` is the number of batches for the next call.
    """

    def __init__(self):
        self.batches = 1

    @contextmanager
    def measured(self, batches: int) -> Iterator[None]:
        """Learn from a call for so many batches how many the next one should be for."""
        started = time.perf_counter()
        yield
        seconds = time.perf_counter() - started
        self.batches = max(1, round(batches * CALL_SECONDS / seconds))
