"""What every script shares: its parser, one-line errors, and a quiet start of TensorFlow."""

import argparse
import contextlib
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tf_models.errors import InputError
from tf_models.home import some_home
from tf_models.training.seeds import check_seed

WRONG_INPUT = 2  # exit status, the same that argparse uses
CHECKPOINT_HELP = "best, average, latest, or a name; default: what training chose, or else best"
IMAGE_CHECKPOINT_HELP = "best, latest, or a name; default: best, of a linear autoencoder latest"
OUT_OF_MEMORY = "not enough memory; make the model or its batches smaller"
INTERRUPTED = 130  # 128 + SIGINT, as shells have it


class Parser(argparse.ArgumentParser):
    """An argument parser whose help ends with examples, and whose errors are one line."""

    def __init__(self, description: str, examples: str):
        super().__init__(
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str):
        """Print one line and exit."""
        self.exit(WRONG_INPUT, f"{self.prog}: {message} (see --help)\n")


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them, for `type=`."""
    return tuple(int(number) for number in text.split(",") if number.strip())


def add_seed(arguments, of: str | None = None) -> None:
    """--seed, 0 unless told otherwise.

    Args:
        arguments: parser or group.
        of: what it decides, for --help.
    """

    def seed(text: str) -> int:
        try:
            return check_seed(int(text))
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    arguments.add_argument("--seed", type=seed, default=0, metavar="S", help=of)


def add_training_arguments(parser: Parser, run_dir: str, unit: str):
    """What every training script has; the group, for more.

    Args:
        parser: of the script.
        run_dir: how the default run directory is named.
        unit: what a batch is made of.
    """
    group = parser.add_argument_group("training")
    group.add_argument("--run-dir", type=Path, help=f"default: {run_dir}")
    group.add_argument("--epochs", type=int, metavar="N")
    group.add_argument(
        "--minutes",
        type=minutes,
        default=math.inf,
        help="end after so long; a cosine, which spans all epochs, is then still on its way down",
    )
    group.add_argument("--batch-size", type=int, metavar="B", help=unit)
    group.add_argument("--checkpoint-every", type=int, metavar="N", help="epochs")
    add_seed(group)
    return group


def add_image_arguments(parser: Parser, binarisation: str):
    """Which images to train on, and what to do to them; the group, for more.

    Args:
        parser: of the script.
        binarisation: its default.
    """
    group = parser.add_argument_group("data")
    group.add_argument(
        "--dataset",
        help="digits (default), mnist, fashion_mnist, tfds:NAME, an .npz file as Keras has it, or "
        "a folder of images",
    )
    group.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    group.add_argument(
        "--binarisation",
        help=f"none, static (once) or dynamic (each epoch); default: {binarisation}",
    )
    group.add_argument(
        "--masking-noise", type=float, metavar="P", help="share of input pixels set to 0"
    )
    group.add_argument(
        "--gaussian-noise-std", type=float, metavar="S", help="add Gaussian noise to inputs"
    )
    return group


def add_runs(parser: Parser) -> None:
    """--run-dir, several of them, and --label."""
    parser.add_argument("--run-dir", type=Path, nargs="+", required=True)
    parser.add_argument("--label", nargs="+", help="a name for each run; default: the folder's")


def names_of_runs(arguments: argparse.Namespace, taken: Collection[str] = ()) -> list[str]:
    """A name for each of `add_runs`.

    Args:
        arguments: of the command line.
        taken: names that none may have.

    Raises:
        InputError: --label does not name each, or some names are the same.
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


def refuse_options(chosen: str, names: Collection[str]) -> None:
    """Refuse options that mean nothing to what was chosen.

    Args:
        chosen: as on the command line: "--model dense".
        names: of the options, as settings are named.

    Raises:
        InputError: there are some.
    """
    if names:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"{chosen} has no {options}")


def minutes(text: str) -> float:
    """A number above 0, for `type=`."""
    if not float(text) > 0:
        raise argparse.ArgumentTypeError(f"must be above 0; received {text}")
    return float(text)


def run(parser: Parser, main: Callable[[argparse.Namespace], int | None]) -> None:
    """Parse the command line, run `main` with the arguments, and exit with its status."""
    arguments = parser.parse_args()
    try:
        _mend_streams()
        status = main(arguments)
        sys.stdout.flush()
    except InputError as error:
        parser.exit(WRONG_INPUT, f"{parser.prog}: {error}\n")
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # whoever read standard output has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        parser.exit(WRONG_INPUT, f"{parser.prog}: {error}\n")
    except UnicodeError as error:
        parser.exit(WRONG_INPUT, f"{parser.prog}: not UTF-8: {error}\n")
    except KeyboardInterrupt:
        parser.exit(INTERRUPTED, f"{parser.prog}: interrupted\n")
    except MemoryError as error:
        parser.exit(WRONG_INPUT, f"{parser.prog}: {OUT_OF_MEMORY} ({error})\n")
    except Exception as error:
        if not type(error).__module__.startswith("tensorflow."):
            raise
        parser.exit(WRONG_INPUT, f"{parser.prog}: {_explain(error)}\n")
    sys.exit(status)


def _explain(error: Exception) -> str:
    """One line for what TensorFlow raised."""
    text = str(error)
    if tensor := re.search(r"OOM when allocating tensor with (shape\[[\d,]*\])", text):
        return f"{OUT_OF_MEMORY} ({tensor[1]} does not fit)"
    return f"TensorFlow could not go on: {text.splitlines()[0]}"  # as when a disk is full


def _mend_streams() -> None:
    """Closed streams become the null device; lines go out as they come, also into a pipe."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Import TensorFlow within this block, and its start-up chatter stays off the screen.

    Its C++ part writes past `sys.stderr`, before any setting of TensorFlow is read. Warnings of its
    Python part are for programmers: a second model that is trained in one process is traced anew.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    sys.stderr.flush()
    screen = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        with some_home():  # or Keras makes a folder that is called ~
            yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
