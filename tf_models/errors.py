"""Exceptions with a one-line message: wrong input, interrupted training."""

import os
import re
from collections.abc import Callable, Collection
from pathlib import Path

Report = Callable[[str], None]  # takes a line for the reader, as `print` does
StrPath = str | os.PathLike


def counted(count: int, noun: str) -> str:
    """A number and its noun: "1 sentence", "1,000 sentences"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


class InputError(ValueError):
    """Input from outside (a file, an option, a sentence) that cannot be used.

    The message is one line: what is wrong, what was received, what to do.
    """

    _keras_call_info_injected = True  # or Keras would add all arguments of the layer to the line


class TrainingInterrupted(Exception):
    """Training ended by a signal, after a checkpoint was saved.

    Args:
        folder: the run directory, or the folder of several.
    """

    def __init__(self, folder: Path):
        super().__init__(f"interrupted and saved in {folder}; the same command resumes")


def check_choice(name: str, value: str, choices: Collection[str]) -> None:
    """Raise an InputError that lists the choices if `value` is none of them."""
    if value not in choices:
        raise InputError(f"{name} must be one of {', '.join(choices)}; received {value!r}")


def check_number(option: str, value: str | int | None, count: int, alternative: str = "") -> int:
    """Parse a number from 1 to `count` for an option; default `count`.

    Raises:
        InputError: the value is no such number; the message adds the `alternative`.
    """
    number = str(count if value is None else value)
    if not re.fullmatch(r"\d{1,9}", number) or not 1 <= int(number) <= count:
        raise InputError(f"{option} must be 1 to {count}{alternative}; received {value}")
    return int(number)
