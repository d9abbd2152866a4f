"""What every command shares: its options, one-line errors, and a quiet start of TensorFlow."""

import argparse
import contextlib
import errno
import gc
import logging
import math
import os
import re
import signal
import sys
import threading
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from os.path import isfile
from pathlib import Path
from typing import Any, cast

from tf_models.errors import InputError, TrainingInterrupted
from tf_models.parser import BooleanOnce, Parser, numbers, show_value
from tf_models.training.settings import Settings, check_seed

CHECKPOINT_HELP = "best, average, latest, or a name; default: what training chose, or else best"
IMAGE_CHECKPOINT_HELP = "best, latest, or a name; default: best, of a linear autoencoder latest"
OUT_OF_MEMORY = "not enough memory; make the model or its batches smaller"
NOT_FOR_KERAS = ("sklearn", "matplotlib.pyplot")
INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def seed(text: str) -> int:
    """A seed, for `type=`."""
    try:
        return check_seed(int(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_seed(arguments: argparse._ActionsContainer, of: str | None = None) -> None:
    """--seed of a parser or a group; default: 0. For --help, `of` says what it decides."""
    arguments.add_argument("--seed", type=seed, default=0, metavar="S", help=of)


def add_settings(
    group: argparse._ActionsContainer,
    presets: Mapping[str, Settings],
    leave_out: Collection[str] = (),
) -> None:
    """An option for each setting of a class: its name, type and help come from the setting.

    The settings stand by the name of the preset or model that has them: the first one's class
    counts, and --help says what each one that has a setting starts from.
    """
    (first, *_) = presets.values()
    for one in fields(first):
        if one.metadata and one.name not in leave_out:
            having = {label: of for label, of in presets.items() if hasattr(of, one.name)}
            _add_setting(group, one, {label: getattr(of, one.name) for label, of in having.items()})


def add_sections(
    group: argparse._ActionsContainer,
    presets: Mapping[str, Settings],
    *sections: str,
    leave_out: Collection[str] = (),
) -> None:
    """Options for sections of nested settings, by the sections' names (see `add_settings`)."""
    for section in sections:
        add_settings(group, {n: getattr(one, section) for n, one in presets.items()}, leave_out)


def _add_setting(
    group: argparse._ActionsContainer, one: Field, defaults: Mapping[str, object]
) -> None:
    choices = ", ".join(one.metadata["choices"])
    meaning = one.metadata["help"] + (f" ({choices})" if choices else "")
    meaning += f"; default: {_show_defaults(defaults)}"
    options: dict[str, Any] = {"help": meaning.replace("%", "%%"), "default": None}
    if one.type is bool:
        options["action"] = BooleanOnce
    else:
        kind, metavar = cast(Any, numbers), one.metadata["metavar"]  # tuple[int, ...]
        if isinstance(one.type, types.UnionType):  # float | None
            kind = one.type.__args__[0]
        elif isinstance(one.type, type):
            kind = one.type
        letters = {int: "N", float: "X", str: "NAME"}
        options |= {"type": kind, "metavar": metavar or letters.get(kind, "N,N")}
    group.add_argument(f"--{one.name.replace('_', '-')}", **options)


def _show_defaults(defaults: Mapping[str, object]) -> str:
    names: dict[str, list[str]] = {}
    for name, value in defaults.items():
        names.setdefault(show_value(value), []).append(name)
    if len(names) == 1:
        return next(iter(names))
    return "; ".join(f"{value} ({', '.join(which)})" for value, which in names.items())


def given_settings(arguments: argparse.Namespace, *settings: Settings) -> dict[str, object]:
    """What the command line gave for these settings, by name; an InputError if it says twice how
    long to train.
    """
    known = {name for one in settings for name in one.flat()}
    given = {
        name: value
        for name, value in vars(arguments).items()
        if name in known and value is not None
    }
    if "epochs" in given and getattr(arguments, "minutes", math.inf) < math.inf:
        raise InputError("--minutes and --epochs exclude each other; leave one out")
    return given


def doubts(texts: Sequence[str]) -> Iterator[str]:
    """What of the texts of a command line may not have been meant."""
    if len(texts) > 1 and not any(" " in text for text in texts):
        whole = " ".join(texts)
        yield f'read as {len(texts)} texts of one word; one text needs quotes: "{whole}"'
    yield from (f"{text} is a file; < {text} reads its lines" for text in texts if isfile(text))


def add_run_arguments(parser: Parser, run_dir: str) -> argparse._ArgumentGroup:
    """Where to train (`run_dir` names the default), for how long, with which seed: the group."""
    group = parser.add_argument_group("training")
    group.add_argument("--run-dir", type=Path, help=f"default: {run_dir}")
    group.add_argument(
        "--minutes",
        type=minutes,
        metavar="M",
        default=math.inf,
        help="in place of --epochs: end after so long in all",
    )
    add_seed(group)
    return group


def names_of_runs(arguments: argparse.Namespace, taken: Collection[str] = ()) -> list[str]:
    """A name for each run of --run-dir: those of --label, or of the folders; an InputError unless
    each has one, and another one than all others and those `taken`.
    """
    names = arguments.label or [path.resolve().name for path in arguments.run_dir]
    if len(names) != len(arguments.run_dir):
        raise InputError(
            f"--label must name each run; received {len(names)} for {len(arguments.run_dir)} runs"
        )
    if len({*names, *taken}) != len(names) + len(taken):
        received = ", ".join((*taken, *names))
        raise InputError(f"--label must give different names; received {received}")
    return names


def train_to_end(training: Any, report: Callable[[], object]) -> None:
    """Fit a `tf_models.training.loop.TrainingLoop`; then the process that writes does what the end
    of training is to `report`. Ctrl-C raises TrainingInterrupted.
    """
    run, model = training.run, training.model
    print(f"model: {model.count_params():,} parameters; run directory {run.path}")
    try:
        if not training.fit():
            raise TrainingInterrupted(run.path)
        if training.is_chief:
            report()
    except KeyboardInterrupt:
        raise TrainingInterrupted(run.path) from None


def refuse_options(chosen: str, names: Collection[str]) -> None:
    """Raise an InputError if there are options, by their settings' names, that mean nothing to what
    was `chosen`: "--model dense".
    """
    if names:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"{chosen} has no {options}")


def minutes(text: str) -> float:
    """A number above 0, for `type=`."""
    if not float(text) > 0:
        raise argparse.ArgumentTypeError(f"must be above 0; received {text}")
    return float(text)


def run(
    parser: Parser,
    main: Callable[[argparse.Namespace], int | None],
    words: Sequence[str] | None = None,
) -> None:
    """Parse the command line, or these words, run `main` with the arguments, and exit with its
    status.
    """
    status = None
    interrupts: list[int] = []
    try:
        _repair_streams()
        arguments = parser.parse_args(words)
        try:
            with _noted(interrupts):
                status = main(arguments)
        except TrainingInterrupted as error:
            status = INTERRUPTED
            print(error)
        sys.stdout.flush()
    except (InputError, OSError) as error:
        # The reader of standard output may have gone; Windows calls that an invalid argument.
        is_invalid = os.name == "nt" and getattr(error, "errno", None) == errno.EINVAL
        if not isinstance(error, BrokenPipeError) and not (
            is_invalid and not getattr(error, "filename", None)
        ):
            parser.fail(str(error))
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(status or 1)
    except UnicodeError as error:
        parser.fail(f"not UTF-8: {error}")
    except KeyboardInterrupt:
        parser.fail("interrupted", INTERRUPTED)
    except MemoryError as error:
        parser.fail(f"{OUT_OF_MEMORY} ({error})")
    except Exception as error:
        if interrupts:  # compiled code, matplotlib's say, had made an error of its own out of it
            parser.fail("interrupted", INTERRUPTED)
        if not (explanation := explain(error)):
            raise
        parser.fail(explanation)
    sys.exit(status)


@contextlib.contextmanager
def _noted(interrupts: list[int]) -> Iterator[None]:
    """Within the block each Ctrl-C is added to a list, and raises KeyboardInterrupt as ever."""
    usual = signal.getsignal(signal.SIGINT)
    if (
        usual is not signal.default_int_handler
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def note(number: int, frame: types.FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def explain(error: Exception) -> str | None:
    """One line for what TensorFlow raised; None for a mistake of the program."""
    if not type(error).__module__.startswith("tensorflow."):
        return None
    text = str(error)
    if tensor := re.search(r"OOM when allocating tensor with (shape\[[\d,]*\])", text):
        return f"{OUT_OF_MEMORY} ({tensor[1]} does not fit)"
    return f"TensorFlow could not go on: {text.splitlines()[0]}"  # as when a disk is full


def _repair_streams() -> None:
    """Closed streams become the null device; lines go out as they come, also into a pipe.

    Files and pipes get UTF-8, whatever the system's code page; a terminal has its own encoding.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace", line_buffering=True)


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Import TensorFlow within this block, and its start-up chatter stays off the screen.

    Its C++ part writes past `sys.stderr`, before any setting of TensorFlow is read. Warnings of its
    Python part are for programmers: a second model that is trained in one process is traced anew.
    From then on the process looks for garbage seldom.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # A GPU's memory is taken as it is needed: one may translate while another run trains.
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    says_so = sys.stderr.isatty() and "tensorflow" not in sys.modules
    if says_so:
        print("loading TensorFlow", end="\r", file=sys.stderr, flush=True)
    screen = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        _import_tensorflow()
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
        if says_so:
            print(" " * 20, end="\r", file=sys.stderr, flush=True)


def _import_tensorflow() -> None:
    """Import it without what Keras brings along if it is there: 1.5 of 5.3 CPU seconds.

    Only Keras' wrappers and its image gallery need these packages, and Keras has no setting to
    leave them out. An import of them raises ImportError meanwhile, and Keras does without.
    """
    gc.set_threshold(20_000, 20, 50)  # saves 2.5 of 17 CPU seconds before a first training step
    hidden = [name for name in NOT_FOR_KERAS if name not in sys.modules]
    sys.modules.update(cast(Any, dict.fromkeys(hidden)))
    try:
        import tensorflow  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]
