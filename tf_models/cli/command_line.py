"""Shared by all commands: options by tyro, errors in one line, a quiet start of TensorFlow."""

import contextlib
import gc
import logging
import os
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Any, NoReturn, TypeVar, cast

import tyro

from tf_models.errors import InputError, TrainingInterrupted
from tf_models.training.settings import Settings

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
NOT_FOR_KERAS = ("sklearn", "matplotlib.pyplot")
PLAIN = (tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone)

Arguments = TypeVar("Arguments")


def parse(kind: type[Arguments], default: Arguments | None = None) -> Arguments:
    """The arguments of the command line: an option for each field, however deep it stands.

    --help begins with the docstring of the module where `kind` stands. What cannot be used ends the
    program with status 2.
    """
    description = sys.modules[kind.__module__].__doc__
    options: dict[str, Any] = {} if default is None else {"default": default}
    return tyro.cli(kind, description=description, config=PLAIN, **options)


def parse_some(kind: type[Arguments]) -> Arguments:
    """The arguments of this kind, of a command line that has others, too."""
    return tyro.cli(kind, config=PLAIN, add_help=False, return_unknown_args=True)[0]


def passed(options: Settings, allowed: Collection[str], of: str) -> dict[str, Any]:
    """The options that were passed, by name; an InputError if one is not `allowed`."""
    values = options.model_dump(exclude_defaults=True)
    for name in values.keys() - set(allowed):
        raise InputError(f"{of} has no --{name.replace('_', '-')}")
    return values


def run(main: Callable[[], int | None]) -> NoReturn:
    """Run a command, and exit with its status; what goes wrong is said in one line."""
    _use_utf8()
    # A batch or a shard on each core is faster than an operation on all (see `training.devices`).
    os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
    status: int | None = 1
    try:
        status = main()
        print(end="", flush=True)
    except BrokenPipeError:  # the reader of standard output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except TrainingInterrupted as error:
        print(error)
        status = INTERRUPTED
    except KeyboardInterrupt:
        _complain("interrupted")
        status = INTERRUPTED
    except (InputError, OSError, UnicodeError) as error:
        _complain(str(error))
    except Exception as error:
        is_of_tensorflow = type(error).__module__.startswith("tensorflow.")  # as a full disk
        if isinstance(error, MemoryError) or "OOM when" in str(error):
            _complain(f"not enough memory; make the model or its batches smaller: {error}")
        elif is_of_tensorflow:
            _complain(f"TensorFlow: {str(error).splitlines()[0]}")
        else:
            raise
    sys.exit(status)


def _complain(message: str) -> None:
    line = " ".join(message.splitlines())
    print(f"{os.path.basename(sys.argv[0])}: {line}", file=sys.stderr)


def _use_utf8() -> None:
    """Files and pipes get UTF-8, whatever the system's code page, line by line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace", line_buffering=True)


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Import TensorFlow within this block, and its start-up chatter stays off the screen.

    Its C++ part writes past `sys.stderr`, before any setting of TensorFlow is read. Warnings of its
    Python part are for programmers: a second model that is trained in one process is traced anew.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # A GPU's memory is taken as it is needed: one may translate while another run trains.
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    gc.set_threshold(20_000, 20, 50)  # saves 2.5 of 17 CPU seconds before a first training step
    # Only Keras' wrappers and its image gallery need these packages, and take 1.5 of 5.3 CPU
    # seconds for them; Keras does without where their import fails.
    hidden = [name for name in NOT_FOR_KERAS if name not in sys.modules]
    sys.modules.update(cast(Any, dict.fromkeys(hidden)))
    screen = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        import tensorflow  # noqa: F401

        for name in hidden:
            del sys.modules[name]
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
