"""Command lines of research: settings, numbers, and errors in one line."""

import argparse
import ast
import sys
from collections.abc import Callable, Sequence

from tf_models.errors import InputError


def new_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """A parser whose usage names the command as one types it."""
    return argparse.ArgumentParser(f"python -m {module}", description=description)


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them, for `type=`."""
    return tuple(int(number) for number in text.split(","))


def setting(text: str) -> tuple[str, object]:
    """NAME=VALUE, for `type=`: a number, a tuple or a boolean of Python, or else a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE; received {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def add_settings(parser: argparse.ArgumentParser, example: str) -> None:
    """--set, which changes settings by their names."""
    help = f"settings of all trainings: --set {example}"
    parser.add_argument("--set", type=setting, nargs="+", default=[], metavar="N=V", help=help)


def run(
    parser: argparse.ArgumentParser,
    main: Callable[[argparse.Namespace], None],
    words: Sequence[str] | None = None,
) -> None:
    """Parse the command line, or these words, and call `main`; an error ends it in one line."""
    try:
        main(parser.parse_args(words))
    except (InputError, OSError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    except KeyboardInterrupt:
        sys.exit(130)
