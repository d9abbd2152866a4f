"""How many steps to take before Python is asked again."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

CALL_SECONDS = 0.2  # a reader hardly notices that progress and Ctrl-C wait so long


class StepsPerExecution:
    """Tunes the number of steps in a call, so that a call lasts about `CALL_SECONDS`.

    A return to Python costs as much as a step of a small model.

    `steps` is the number for the next call.
    """

    def __init__(self):
        self.steps = 1

    @contextmanager
    def measured(self, steps: int) -> Iterator[None]:
        """Learn from a call of so many steps how many the next one should have."""
        started = time.perf_counter()
        yield
        seconds = time.perf_counter() - started
        self.steps = max(1, round(steps * CALL_SECONDS / seconds))
