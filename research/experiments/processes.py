"""Commands in processes of their own, one after the other or several at a time."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tf_models.training.interruption import SIGNALS

POLL_SECONDS = 0.1


def run_processes(
    commands: Mapping[str, Sequence[str]],
    jobs: int = 1,
    logs: Path | None = None,
    begin: Callable[[str], None] = lambda label: None,
) -> Iterator[tuple[str, int]]:
    """Run commands, and yield each one's label and exit status as it ends.

    One at a time has the terminal and all cores. Of several, each has its share of the cores, where
    the system can share them out, and writes to a log. All shares are of one size: how a training
    shares its batches out depends on it.

    After a failure or a signal, and when the caller goes away, no other command begins. Those that
    run come to their end: Ctrl-C and a closed terminal reach them by themselves, SIGTERM is passed
    on to them, and a training saves then.

    Args:
        commands: by label.
        jobs: how many run at a time.
        logs: folder of LABEL.log, with several jobs.
        begin: called with the label before a command starts.
    """
    waiting, running = dict(commands), {}
    shares = _shares_of_cores(jobs)
    with _signals() as received:
        try:
            while running or waiting:
                if received:
                    waiting.clear()
                while waiting and len(running) < jobs:
                    label, share = next(iter(waiting)), shares.pop()
                    begin(label)
                    log = logs / f"{label}.log" if jobs > 1 and logs else None
                    running[_start(waiting.pop(label), share, log)] = label, share
                _pass_on(received, running)
                for child in [one for one in running if one.poll() is not None]:
                    label, share = running.pop(child)
                    shares.append(share)
                    if child.returncode:
                        waiting.clear()
                    yield label, child.returncode
                time.sleep(POLL_SECONDS if running else 0)
        finally:
            for child in running:
                child.wait()


@contextlib.contextmanager
def _signals() -> Iterator[list[int]]:
    """Outlive signals, and list them; those that are ignored stay so."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        yield received
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _pass_on(received: list[int], children: Mapping[subprocess.Popen, object]) -> None:
    while signal.SIGTERM in received:
        received[received.index(signal.SIGTERM)] = signal.SIGINT  # once; no other begins, still
        for child in children:
            child.terminate()


def _shares_of_cores(jobs: int) -> list[set[int]]:
    """The cores of each job, as many for each; where there are enough, none is of two jobs."""
    if not hasattr(os, "sched_getaffinity"):
        return [set()] * jobs
    cores = sorted(os.sched_getaffinity(0))
    each = max(1, len(cores) // jobs)
    return [set(cores[job::jobs][:each]) or {cores[job % len(cores)]} for job in range(jobs)]


def _start(command: Sequence[str], share: set[int], log: Path | None) -> subprocess.Popen:
    """A child on its share of the cores, which it has from this thread."""
    with _on_cores(share):
        if log is None:
            return subprocess.Popen(command)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            # Into a file Python writes blocks; a line shall be seen when it is written.
            environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
            options = {"stdout": file, "stderr": subprocess.STDOUT, "env": environment}
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)


@contextlib.contextmanager
def _on_cores(share: set[int]) -> Iterator[None]:
    if sys.platform != "linux" or not share:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, share)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
