"""What a command needs to know of figures: names, what each shows and takes, and who has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tf_models.errors import InputError

if TYPE_CHECKING:  # --help lists figures, and need not wait for matplotlib
    from matplotlib.figure import Figure

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class FigureEntry:
    """A figure that scripts, notebooks and the end of training draw by its name.

    shows: one line for --help.
    draw: () -> the function that draws, which is imported only then. That one takes a subject (a
        trained model, or nothing) and options, gets the arrays, and hands them to plotting.
    options: names of the options that it takes, and their defaults.
    applies: whether a subject has what it shows.
    needs: what a subject needs, for the message where it does not apply.
    """

    shows: str
    draw: Callable[[], Callable[..., Figure]]
    options: Mapping[str, object] = field(default_factory=lambda: NO_OPTIONS)
    applies: Callable[[Any], bool] = lambda subject: True
    needs: str = "another model"


@dataclass(frozen=True)
class FigureRegistry:
    """The figures of one kind of subjects, by name.

    of: what they are of, such as "a translator".
    entries: by name.
    kinds: of runs that they are drawn of, as config.json has them.
    load: (run directories, checkpoint, options of the data) -> the subject.
    """

    of: str
    entries: Mapping[str, FigureEntry]
    kinds: tuple[str, ...] = ()
    load: Callable[..., Any] | None = None

    def names_for(self, *subject: Any) -> list[str]:
        """The figures that can be drawn of a subject."""
        return [name for name, entry in self.entries.items() if entry.applies(*subject or (None,))]

    def options_of(self, name: str) -> Mapping[str, object]:
        """The options that a figure takes, and their defaults; none if there is no such figure."""
        return self.entries[name].options if name in self.entries else NO_OPTIONS

    def draw(self, name: str, *subject: Any, **given: object) -> Figure:
        """Draw a figure.

        Args:
            name: of the figure.
            subject: what it is drawn of, or nothing.
            given: options in place of the defaults; None is none.

        Raises:
            InputError: there is no such figure, the subject lacks what it shows, or the figure
                does not take an option.
        """
        if name not in self.entries:
            names = ", ".join(self.names_for(*subject))
            raise InputError(f"--figure must be one of {names}; received {name}")
        entry = self.entries[name]
        options = {option: value for option, value in given.items() if value is not None}
        for option in options:
            if option not in entry.options:
                raise InputError(f"--figure {name} has no --{option.replace('_', '-')}")
        if not entry.applies(*subject or (None,)):
            names = ", ".join(self.names_for(*subject))
            raise InputError(f"--figure {name} needs {entry.needs}; this run has {names}")
        return entry.draw()(*subject, **{**entry.options, **options})

    def describe(self) -> str:
        """A line for each figure, for --help."""
        return "\n".join(f"  {name:19} {entry.shows}" for name, entry in self.entries.items())


def check_number(option: str, given: str | int | None, count: int, also: str = "") -> int:
    """The number, from 1 to `count`, that an option names; the last one if it is left out.

    Args:
        option: its name, such as "--layer".
        given: as it was typed.
        count: how many there are.
        also: what else may be typed, for the message.

    Raises:
        InputError: there is no such number.
    """
    number = str(count if given is None else given)
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise InputError(f"{option} must be 1 to {count}{also}; received {given}")
    return int(number)
