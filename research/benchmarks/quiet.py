"""What other processes do on this machine, and waiting until they are quiet.

A speed that was measured while other processes worked says little: they take cores, caches and
memory, and threads that wait for each other suffer most.
"""

import os
import time

import psutil

BUSY = ("user", "nice", "system", "irq", "softirq", "steal")  # CPU times, where a system has them
QUIET_SHARE = 0.05  # of all cores' time; up to this, the machine counts as quiet
SAMPLE_SECONDS = 0.5


class OtherProcesses:
    """CPU time that other processes take, from the construction of this object to `cpu_share()`.

    All measured work must run in the process that constructs it: the rest counts as other.
    """

    def __init__(self):
        self._wall, self._own = time.perf_counter(), time.process_time()
        self._all = _machine_cpu_seconds()

    def cpu_share(self) -> float:
        """Share of all cores' time that other processes took, 0 to 1."""
        wall = time.perf_counter() - self._wall
        own = time.process_time() - self._own
        others = _machine_cpu_seconds() - self._all - own
        return min(1.0, max(0.0, others / (wall * (os.cpu_count() or 1))))


def _machine_cpu_seconds() -> float:
    """CPU seconds that all processes together have used."""
    times = psutil.cpu_times()
    return sum(getattr(times, name, 0.0) for name in BUSY)


class WaitBudget:
    """Seconds left to wait for a quiet machine and to repeat disturbed measurements.

    One budget serves a whole benchmark: waiting and repeating both reduce `seconds`.

    Args:
        seconds: in all; 0: never wait, never repeat.
    """

    def __init__(self, seconds: float):
        self.seconds = seconds

    def wait_for_quiet(self) -> None:
        """Return as soon as other processes are quiet, or when the budget is used up."""
        while self.seconds > 0:
            others = OtherProcesses()
            time.sleep(SAMPLE_SECONDS)
            if others.cpu_share() <= QUIET_SHARE:
                return
            self.seconds -= SAMPLE_SECONDS
