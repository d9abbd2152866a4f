"""A process for each rival, which sleeps while the others run.

TensorFlow, PyTorch and CTranslate2 bring thread pools of their own, and what a library has set up
(allocators, threads that wait for work) would get in the way of the next one in the same process.
"""

import contextlib
import multiprocessing
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

from benchmarks.quiet import UNDISTURBED, OtherLoad, Patience
from tf_models.errors import InputError

MAKE = "make"  # a request that no method is called for
DONE, REFUSED, BROKEN = "done", "refused", "broken"
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}
PINS = hasattr(os, "sched_setaffinity")  # whether this system keeps a process to some cores
# Of OpenMP (PyTorch, CTranslate2) and of TensorFlow's two pools.
POOLS = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
SECONDS_TO_LEAVE = 10


class Measured(NamedTuple):
    """A result, and the share of all cores that other processes took meanwhile, 0 to 1."""

    result: object
    others: float


class Worker:
    """Something that is made and called in another process, one call at a time.

    Args:
        name: for messages.
        make: importable; makes the thing.
        arguments: of `make`; they are pickled.
        threads: cores that the process may use.

    Raises:
        InputError: `make` raised one, or the process died.
    """

    def __init__(self, name: str, make: Callable, *arguments, threads: int):
        self._name = name
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other, threads), name=name, daemon=True
        )
        with _environment(_variables(threads)):
            self._process.start()
        other.close()  # so that the end of the process ends our reading, too
        try:
            self.ask(MAKE, make, *arguments)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, method: str, *arguments):
        """Call a method of the thing and return what it returns.

        Raises:
            InputError: the method raised one, or the process died.
        """
        try:
            self._connection.send((method, arguments))
        except OSError:
            raise self._death() from None
        return self._receive()

    def measure(self, method: str, *arguments, patience: Patience) -> Measured:
        """Ask when the machine is quiet, and again as long as others disturbed it meanwhile.

        Args:
            method, arguments: as for `ask`.
            patience: for how long; the least disturbed answer counts.
        """
        found = self._ask_in_quiet(method, arguments, patience)
        while found.others > UNDISTURBED and patience.seconds > 0:
            started = time.perf_counter()
            again = self._ask_in_quiet(method, arguments, patience)
            found = min(found, again, key=lambda measured: measured.others)
            patience.seconds -= time.perf_counter() - started
        return found

    def _ask_in_quiet(self, method: str, arguments: tuple, patience: Patience) -> Measured:
        patience.wait_for_quiet()
        return Measured(self.ask(method, *arguments), self._others)

    def close(self) -> None:
        """End the process."""
        self._connection.close()  # it ends by itself when nobody can ask any more
        self._process.join(SECONDS_TO_LEAVE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _receive(self):
        try:
            kind, value, self._others = self._connection.recv()
        except (EOFError, OSError):
            raise self._death() from None
        if kind == REFUSED:
            raise InputError(value)
        if kind == BROKEN:
            raise RuntimeError(f"{self._name} failed:\n{value}")
        return value

    def _death(self) -> InputError:
        self._process.join(SECONDS_TO_LEAVE)
        return InputError(
            f"the process of {self._name} ended with status {self._process.exitcode}; "
            "is there enough memory?"
        )


def _variables(threads: int) -> dict[str, str]:
    """What the libraries read when they are loaded; pinned to cores, they count these."""
    return {**QUIET, **({} if PINS else dict.fromkeys(POOLS, str(threads)))}


@contextlib.contextmanager
def _environment(variables: dict[str, str]):
    """Set environment variables for a process that is started within the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(connection: Connection, threads: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    if PINS:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    thing = None
    with contextlib.suppress(EOFError, OSError):  # nobody asks any more
        while True:
            request = connection.recv_bytes()
            others = OtherLoad()
            thing, *answer = _answer(thing, request)
            connection.send((*answer, others.share()))


def _answer(thing, request: bytes) -> tuple[object, str, object]:
    """Do what a request says; return the thing, and (DONE, result), (REFUSED, …), (BROKEN, …)."""
    try:
        method, arguments = pickle.loads(request)  # imports what it names
        if method == MAKE:
            make, *arguments = arguments
            return make(*arguments), DONE, None
        return thing, DONE, getattr(thing, method)(*arguments)
    except InputError as error:
        return thing, REFUSED, str(error)
    except Exception:
        return thing, BROKEN, traceback.format_exc()
