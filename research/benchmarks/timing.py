"""How long a call takes."""

import time
from collections.abc import Callable


def seconds_of(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
