"""Commands in processes of their own, one after the other or side by side."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event, Thread
from typing import IO


def run_side_by_side(
    commands: Mapping[str, Sequence[str]],
    jobs: int = 1,
    begin: Callable[[str], None] = lambda label: None,
) -> Iterator[tuple[str, int]]:
    """Run commands, and yield each one's label and exit status as it ends.

    A single job has the terminal and all cores. Of several, each has its share of the cores, where
    the system can share them out, and its lines are printed behind its label.

    After a failure or a signal no other command begins. Those that run come to their end; SIGTERM
    is passed on to them.

    Args:
        commands: by label.
        jobs: how many run at a time.
        begin: called with the label before a command starts.
    """
    children: set[subprocess.Popen] = set()
    ending = Event()

    def run(label: str) -> int | None:
        if ending.is_set():
            return None
        begin(label)
        with _child(commands[label], label if jobs > 1 else None) as child:
            children.add(child)
            status = child.wait()
            children.discard(child)
        if status:
            ending.set()
        return status

    shares = _shares_of_cores(jobs)
    with (
        _signals_passed_on(children, ending),
        ThreadPoolExecutor(jobs, initializer=_take_share, initargs=(shares,)) as threads,
    ):
        labels = {threads.submit(run, label): label for label in commands}
        for done in as_completed(labels):
            if (status := done.result()) is not None:
                yield labels[done], status


def _shares_of_cores(jobs: int) -> list[set[int]]:
    """The cores of each job; none is of two jobs, unless there are fewer cores than jobs."""
    if not hasattr(os, "sched_getaffinity"):
        return [set()] * jobs
    cores = sorted(os.sched_getaffinity(0))
    return [set(cores[job::jobs]) or {cores[job % len(cores)]} for job in range(jobs)]


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
        for line in pipe:
            stream.write(f"{label} | {line}")
            stream.flush()

    thread = Thread(target=pass_on)
    thread.start()
    yield
    thread.join()


@contextlib.contextmanager
def _signals_passed_on(children: set[subprocess.Popen], ending: Event) -> Iterator[None]:
    """Outlive signals, as the children do, which save first."""

    def pass_on(number, frame):
        ending.set()
        # Ctrl-C and a closed terminal reach a child by themselves; a second one would stop it
        # before it has saved.
        if number == signal.SIGTERM:
            for child in tuple(children):
                child.send_signal(number)

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heard = [one for one in signals if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, pass_on) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
