"""What is printed for a user: lines of progress, and the line that ends a script."""

from collections.abc import Callable, Collection
from pathlib import Path

Report = Callable[[str], None]  # what to do with a line for the reader: print


class InputError(ValueError):
    """Something that was given (a file, an option, a sentence) cannot be used.

    The message is one line: what is wrong, what was received, what to do.
    """

    _keras_call_info_injected = True  # or Keras would add all arguments of the layer to the line


class TrainingInterrupted(Exception):
    """A signal has ended a training, and what it had done is saved.

    Args:
        folder: the run directory, or the folder of several.
    """

    def __init__(self, folder: Path):
        super().__init__(f"interrupted and saved in {folder}; the same command goes on from here")


def error_message(error: Exception) -> str:
    """What is wrong with what was read; a KeyError by itself says only a name."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def check_at_least(least: int, **sizes: int) -> None:
    """Raise an InputError if a size, given by its name, is below `least`."""
    for name, size in sizes.items():
        if size < least:
            raise InputError(f"{name} must be at least {least}; received {size}")


def check_choice(name: str, value: str, choices: Collection[str]) -> None:
    """Raise an InputError with the choices if what was received for `name` is none of them."""
    if value not in list(choices):  # of a file, it may be a list
        raise InputError(f"{name} must be one of {', '.join(choices)}; received {value!r}")
