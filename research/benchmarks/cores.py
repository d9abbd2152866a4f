"""Keeping a process to some cores, where the system can."""

import os
import sys

CAN_PIN = sys.platform == "linux" and hasattr(os, "sched_setaffinity")


def keep_to_cores(first: int, count: int) -> None:
    """Keep this process to `count` of the cores that it may use, from number `first` on."""
    if sys.platform == "linux" and CAN_PIN:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[first : first + count])
