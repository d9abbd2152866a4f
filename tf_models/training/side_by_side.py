"""Commands in processes of their own, one after the other or side by side."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Thread
from typing import IO


def run_side_by_side(
    commands: Mapping[str, Sequence[str]],
    jobs: int = 1,
    begin: Callable[[str], None] = lambda label: None,
) -> Iterator[tuple[str, int]]:
    """Run commands, and yield each one's label and exit status as it ends.

    A single job has the terminal and all cores. Of several, each has its share of the cores, where
    the system can share them out, and its lines are printed behind its label. All shares are of
    one size: how a training shares its batches out depends on it.

    After a failure or a signal, and when the caller goes away, no other command begins. Those that
    run come to their end; SIGTERM is passed on to them.

    Args:
        commands: by label.
        jobs: how many run at a time.
        begin: called with the label before a command starts.
    """
    children: set[subprocess.Popen] = set()
    # Lists, as a signal may come in the middle of anything that has a lock.
    signals: list[int] = []
    ended: list[str] = []  # why no other command begins, but for signals

    def run(label: str) -> int | None:
        if signals or ended:
            return None
        begin(label)
        with _child(commands[label], label if jobs > 1 else None) as child:
            children.add(child)
            if signals:  # it came too early for this child
                child.terminate()
            status = child.wait()
            children.discard(child)
        if status:
            ended.append(label)
        return status

    shares = _shares_of_cores(jobs)
    with (
        _signals_passed_on(children, signals),
        ThreadPoolExecutor(jobs, initializer=_take_share, initargs=(shares,)) as threads,
    ):
        labels = {threads.submit(run, label): label for label in commands}
        try:
            for done in as_completed(labels):
                if (status := done.result()) is not None:
                    yield labels[done], status
        finally:
            ended.append("the caller")


def _shares_of_cores(jobs: int) -> list[set[int]]:
    """The cores of each job, as many for each; where there are enough, none is of two jobs."""
    if not hasattr(os, "sched_getaffinity"):
        return [set()] * jobs
    cores = sorted(os.sched_getaffinity(0))
    each = max(1, len(cores) // jobs)
    return [set(cores[job::jobs][:each]) or {cores[job % len(cores)]} for job in range(jobs)]


def _take_share(shares: list[set[int]]) -> None:
    """Keep this thread, and the processes that it starts, to the cores of one job."""
    if cores := shares.pop():
        os.sched_setaffinity(0, cores)


@contextlib.contextmanager
def _child(command: Sequence[str], label: str | None) -> Iterator[subprocess.Popen]:
    """A running command; with a label it has no terminal, and its lines are passed on."""
    if label is None:
        with subprocess.Popen(command) as child:
            yield child
        return
    # Into a pipe Python writes blocks; a line shall be seen when it is written.
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment}
    with (
        subprocess.Popen(command, text=True, errors="replace", **pipes) as child,
        _passing_on(child.stdout, sys.stdout, label),
        _passing_on(child.stderr, sys.stderr, label),
    ):
        yield child


@contextlib.contextmanager
def _passing_on(pipe: IO[str], stream: IO[str], label: str) -> Iterator[None]:
    def pass_on():
        # When the reader has gone or the disk is full, the child is told so: its pipe is closed.
        with contextlib.suppress(OSError), pipe:
            for line in pipe:
                stream.write(f"{label} | {line}")
                stream.flush()

    thread = Thread(target=pass_on)
    thread.start()
    yield
    thread.join()


@contextlib.contextmanager
def _signals_passed_on(children: set[subprocess.Popen], signals: list[int]) -> Iterator[None]:
    """Outlive signals, as the children do, which save first."""

    def pass_on(number, frame):
        signals.append(number)
        if number == signal.SIGTERM:  # Ctrl-C and a closed terminal reach a child by themselves
            for child in tuple(children):
                child.send_signal(number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heard = [one for one in numbers if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, pass_on) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
