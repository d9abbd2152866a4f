"""A process for each system, which sleeps while the others run.

TensorFlow, PyTorch and CTranslate2 have thread pools of their own. What one library has set up
(allocators, threads that wait for work) would slow down the next one in the same process.
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

from research.benchmarks.cores import CAN_PIN, keep_to_cores
from research.benchmarks.quiet import QUIET_SHARE, OtherProcesses, WaitBudget
from tf_models.command_line import explain
from tf_models.errors import InputError

MAKE = "make"  # the request that makes the object; all others name a method
DONE, INPUT_ERROR, FAILED = "done", "input error", "failed"
ALWAYS = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_FORCE_GPU_ALLOW_GROWTH": "true"}  # all share a GPU
# Of OpenMP (PyTorch, CTranslate2) and of TensorFlow's two pools.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
SECONDS_TO_EXIT = 10


class Measurement(NamedTuple):
    """A result, and the share of all cores' time that other processes took meanwhile, 0 to 1."""

    result: object
    other_cpu_share: float


class Worker:
    """An object that is made and used in another process, one call at a time.

    Args:
        name: for messages.
        make: importable; makes the object.
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
        other.close()  # then reading ends, too, when the process ends
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
        """Call a method of the object and return what it returns.

        Raises:
            InputError: the method raised one, or the process died.
            RuntimeError: the method raised another exception; the message is its traceback.
        """
        try:
            self._connection.send((method, arguments))
        except OSError:
            raise self._process_died() from None
        return self._receive()

    def measure(self, method: str, *arguments, wait: WaitBudget) -> Measurement:
        """Ask when the machine is quiet, and again while other processes disturb the result.

        Args:
            method, arguments: as for `ask`.
            wait: how long to wait and to repeat; the least disturbed measurement counts.
        """
        best = self._measure_once(method, arguments, wait)
        while best.other_cpu_share > QUIET_SHARE and wait.seconds > 0:
            started = time.perf_counter()
            again = self._measure_once(method, arguments, wait)
            best = min(best, again, key=lambda measurement: measurement.other_cpu_share)
            wait.seconds -= time.perf_counter() - started
        return best

    def _measure_once(self, method: str, arguments: tuple, wait: WaitBudget) -> Measurement:
        wait.wait_for_quiet()
        return Measurement(self.ask(method, *arguments), self._other_cpu_share)

    def close(self) -> None:
        """End the process."""
        self._connection.close()  # the process ends when nothing can be asked any more
        self._process.join(SECONDS_TO_EXIT)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _receive(self):
        try:
            status, value, self._other_cpu_share = self._connection.recv()
        except (EOFError, OSError):
            raise self._process_died() from None
        if status == INPUT_ERROR:
            raise InputError(value)
        if status == FAILED:
            raise RuntimeError(f"{self._name} failed:\n{value}")
        return value

    def _process_died(self) -> InputError:
        self._process.join(SECONDS_TO_EXIT)
        return InputError(
            f"the process of {self._name} ended with status {self._process.exitcode}; "
            "is there enough memory?"
        )


def _variables(threads: int) -> dict[str, str]:
    """What the libraries read when they are loaded; a pinned process counts its cores itself."""
    return {**ALWAYS, **({} if CAN_PIN else dict.fromkeys(THREAD_VARIABLES, str(threads)))}


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
    """Answer requests until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    keep_to_cores(0, threads)
    made = None
    with contextlib.suppress(EOFError, OSError):  # the connection is closed
        while True:
            request = connection.recv_bytes()
            others = OtherProcesses()
            made, status, value = _answer(made, request)
            connection.send((status, value, others.cpu_share()))


def _answer(made, request: bytes) -> tuple[object, str, object]:
    """Do what a request says.

    Returns:
        the object, which the request `MAKE` makes; a status; the result or an error message.
    """
    try:
        method, arguments = pickle.loads(request)  # imports what it names
        if method == MAKE:
            make, *arguments = arguments
            return make(*arguments), DONE, None
        return made, DONE, getattr(made, method)(*arguments)
    except InputError as error:
        return made, INPUT_ERROR, str(error)
    except Exception as error:
        if explanation := explain(error):
            return made, INPUT_ERROR, explanation
        return made, FAILED, traceback.format_exc()
