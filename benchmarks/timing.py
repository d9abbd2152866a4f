"""How long something takes."""

import contextlib
import time
from collections.abc import Callable, Iterator


def seconds_of(call: Callable) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


@contextlib.contextmanager
def timed(seconds: dict[str, float], what: str) -> Iterator[None]:
    """Note in `seconds` how long the block takes."""
    started = time.perf_counter()
    yield
    seconds[what] = time.perf_counter() - started
