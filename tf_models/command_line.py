"""What every script shares: its parser, one-line errors, and a quiet start of TensorFlow."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator

from tf_models.errors import InputError

WRONG_INPUT = 2  # exit status, the same that argparse uses
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


def run(parser: Parser, main: Callable[[argparse.Namespace], int | None]) -> None:
    """Parse the command line, run `main` with the arguments, and exit with its status."""
    arguments = parser.parse_args()
    try:
        status = main(arguments)
        sys.stdout.flush()
    except InputError as error:
        parser.exit(WRONG_INPUT, f"{parser.prog}: {error}\n")
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # whoever read standard output has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        parser.exit(WRONG_INPUT, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(INTERRUPTED, f"{parser.prog}: interrupted\n")
    sys.exit(status)


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Import TensorFlow within this block, and its start-up chatter stays off the screen.

    Its C++ part writes past `sys.stderr`, before any setting of TensorFlow is read.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.stderr.flush()
    screen = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
