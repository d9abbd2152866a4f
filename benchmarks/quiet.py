"""What else the machine is doing, and waiting until it is quiet.

A figure that was measured while others were at work says little: they take cores, caches and
memory, and threads that wait for each other suffer most.
"""

import os
import time
from pathlib import Path

CPU_TIMES = Path("/proc/stat")  # of Linux
IDLE = (3, 4)  # columns of CPU_TIMES: idle, and waiting for a disk
UNDISTURBED = 0.05  # of all cores' time
LOOK_SECONDS = 0.5


class OtherLoad:
    """How much of the machine others took from its making until `share()`.

    What is measured must run in this process, all of it.
    """

    def __init__(self):
        self._wall, self._own, self._all = time.perf_counter(), time.process_time(), _cpu_seconds()

    def share(self) -> float:
        """Share of all cores' time that other processes took, 0 to 1; 0 where it is not known."""
        wall = time.perf_counter() - self._wall
        own = time.process_time() - self._own
        others = _cpu_seconds() - self._all - own
        return min(1.0, max(0.0, others / (wall * (os.cpu_count() or 1))))


def _cpu_seconds() -> float:
    """Time that the machine's cores have worked; 0 on systems that do not say it this way."""
    if not CPU_TIMES.exists():
        return 0.0
    ticks = [int(column) for column in CPU_TIMES.read_text().split("\n", 1)[0].split()[1:9]]
    busy = sum(ticks) - sum(ticks[column] for column in IDLE)
    return busy / os.sysconf("SC_CLK_TCK")


class Patience:
    """Seconds that may be spent on waiting and on measuring again.

    Args:
        seconds: in all.
    """

    def __init__(self, seconds: float):
        self.seconds = seconds

    def wait_for_quiet(self) -> None:
        """Return as soon as nobody else is at work, or when the patience is at its end."""
        while self.seconds > 0:
            others = OtherLoad()
            time.sleep(LOOK_SECONDS)
            if others.share() <= UNDISTURBED:
                return
            self.seconds -= LOOK_SECONDS
