"""Command lines of research: argparse, and options for the settings of trainings."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from tf_models import command_line
from tf_models.errors import InputError
from tf_models.training.settings import Settings, check_seed


class Parser(argparse.ArgumentParser):
    """An argument parser whose help ends with examples."""

    def __init__(self, description: str, examples: str):
        super().__init__(
            description=description,
            epilog=f"examples:\n{examples}".replace("%", "%%"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )


def run(parser: Parser, main: Callable[[argparse.Namespace], int | None]) -> NoReturn:
    """Parse the command line, run `main` with the arguments, and exit with its status."""
    command_line.run(lambda: main(parser.parse_args()))


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them, for `type=`."""
    return tuple(int(number) for number in text.split(",") if number.strip())


def seed(text: str) -> int:
    """A seed, for `type=`."""
    try:
        return check_seed(int(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_settings(parser: Any, *settings: Settings) -> None:
    """An option for each setting of these, by its name; a tuple has commas. Left out it is None."""
    values = {name: value for one in settings for name, value in one.flat().items()}
    for name, value in values.items():
        options: dict[str, Any] = {}
        if isinstance(value, bool):
            options["action"] = argparse.BooleanOptionalAction
        elif isinstance(value, tuple):
            options["type"] = lambda text: tuple(text.split(","))
        parser.add_argument(f"--{name.replace('_', '-')}", **options)


def given_settings(arguments: argparse.Namespace, *settings: Settings) -> dict[str, object]:
    """The settings that were given, by name."""
    known = {name for one in settings for name in one.flat()}
    return {n: v for n, v in vars(arguments).items() if n in known and v is not None}


def add_run_arguments(parser: Any) -> None:
    """--run-dir, --minutes, --seed and --data-dir."""
    parser.add_argument("--run-dir", type=Path)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--seed", type=seed, default=0)
    parser.add_argument("--data-dir", type=Path)


def names_of_runs(arguments: argparse.Namespace, *taken: str) -> list[str]:
    """A name for each run of --run-dir: those of --label, or of the folders; an InputError unless
    each has one, and another one than all others and those `taken`.
    """
    names = arguments.label or [path.resolve().name for path in arguments.run_dir]
    if len({*names, *taken}) != len(arguments.run_dir) + len(taken):
        raise InputError(f"--label must name each run, differently; received {', '.join(names)}")
    return names
