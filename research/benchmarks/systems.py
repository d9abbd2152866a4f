"""Systems to compare, each in a process of its own, measured in turn.

TensorFlow, PyTorch and CTranslate2 have thread pools of their own: what one library has set up
would slow down the next one in the same process.
"""

import contextlib
import datetime
import multiprocessing
import os
import platform
import sys
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

from research.results import Results

PACKAGES = ("tensorflow", "keras", "torch", "ctranslate2")
# Of OpenMP (PyTorch, CTranslate2) and of TensorFlow's two pools.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
PATIENCE = 10.0  # seconds that a process has to end by itself
PROCESSORS = Path("/proc/cpuinfo")  # of Linux alone


class System:
    """An object that is made and used in another process, one call at a time.

    Args:
        make: makes the object; importable.
        arguments: of `make`; they are pickled.
        threads: cores that the process may use.
    """

    def __init__(self, make: Callable, *arguments: object, threads: int):
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        serving = (other, threads, make, arguments)
        self._process = context.Process(target=_serve, args=serving, daemon=True)
        self._process.start()
        other.close()  # then reading ends, too, when the process ends
        self._receive()

    def __enter__(self) -> "System":
        return self

    def __exit__(self, *_: object) -> None:
        # It ends by itself and cleans up; ended from here, it would leave semaphores behind.
        self._connection.close()
        self._process.join(PATIENCE)
        self._process.terminate()

    def ask(self, method: str, *arguments: object) -> Any:
        """Call a method of the object and return its result.

        Raises:
            RuntimeError: the method raised an exception; the message is its traceback.
            EOFError: the process died.
        """
        self._connection.send((method, arguments))
        return self._receive()

    def _receive(self) -> Any:
        failure, result = self._connection.recv()
        if failure:
            raise RuntimeError(failure)
        return result


def _serve(connection: Connection, threads: int, make: Callable, arguments: tuple) -> None:
    """Make the object, then answer until the process is ended."""
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"  # all share a GPU
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    made = None
    while True:
        try:
            if made is None:
                made, result = make(*arguments), None
            else:
                method, given = connection.recv()
                result = getattr(made, method)(*given)
        except EOFError:
            return
        except Exception:
            connection.send((traceback.format_exc(), None))
        else:
            connection.send((None, result))


def measure_in_turn(
    systems: Mapping[str, tuple], rounds: int, threads: int, *arguments: object
) -> Results:
    """Ask each system's method `round` with these arguments, round by round.

    Args:
        systems: by name, what makes the system, and its arguments.
        rounds: how often each is measured.
        threads: cores that each may use.

    Returns:
        a row for each system; `round` returns its columns.
    """
    results = Results()
    with ExitStack() as stack:
        started = {}
        for name, (make, *of_make) in systems.items():
            print(f"starting {name}", file=sys.stderr)
            started[name] = stack.enter_context(System(make, *of_make, threads=threads))
        for number in range(rounds):
            for name, system in started.items():
                print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
                results.add(name, system.ask("round", *arguments))
    return results


def add_ratios(results: Results, column: str, name: str) -> None:
    """Add a column `name`: a column's values, round by round, divided by the first system's."""
    first, *_ = (of_row[column] for of_row in results.values())
    for of_row in results.values():
        pairs = zip(of_row[column], first, strict=True)
        of_row[name] = [mine / base for mine, base in pairs if mine and base]


def report(title: str, results: Results, threads: int) -> None:
    """Print medians with the lowest and the highest round, and the machine."""
    print(f"{title}: median [lowest, highest]", *results.table(median), sep="\n")
    names = {found.metadata["Name"] for found in metadata.distributions()} & set(PACKAGES)
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in sorted(names))
    print(f"{processor()}, {threads} cores; {versions}; {datetime.date.today()}")


def processor() -> str:
    """Name of the processor, or at least its architecture."""
    with contextlib.suppress(OSError):
        for line in PROCESSORS.read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def add_options(parser: ArgumentParser, systems: tuple[str, ...]) -> None:
    """--systems, --rounds and --threads."""
    help = f"only these of {', '.join(systems)}"
    parser.add_argument("--systems", nargs="+", choices=systems, default=systems, help=help)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    cores = os.cpu_count() or 1
    help = "cores for each system; default: all"
    parser.add_argument("--threads", type=int, default=cores, metavar="N", help=help)


def seconds_of(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def set_up_pytorch(threads: int) -> None:
    """Seed PyTorch, and give its operations so many threads."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
