"""What a command needs to know of figures: names, what each shows and takes, and who has it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from tf_models.errors import InputError

if TYPE_CHECKING:  # --help lists figures, and need not wait for matplotlib
    from matplotlib.figure import Figure

# What may be changed in every attention map, for --help.
WITHOUT_MARKS = "leave out <start>, <end> and punctuation, and share the rest anew"
VALUE_NORMS = "draw each weight times the norm of the value that it carries: what a head moves"


class Need(NamedTuple):
    """What a subject must have for a figure.

    applies: whether a subject has it.
    name: what it is, for the message where the figure does not apply.
    """

    applies: Callable[[Any], bool]
    name: str


@dataclass(frozen=True)
class FigureRegistry:
    """The figures of one kind of subjects, which scripts, notebooks and trainings draw by name.

    of: what they are of, such as "a translator".
    entries: by name, what each shows, in one line for --help.
    drawing: name of the module that draws, which is imported only then. Its function
        `draw_forced_map` draws "forced-map": it takes a subject (a trained model, or nothing) and
        options as keywords, gets the arrays, and hands them to plotting. Its function `load` makes
        a subject of run directories, a checkpoint and options of the data.
    needs: of the figures that not every subject has.
    kinds: of runs that they are drawn of, as config.json has them.
    """

    of: str
    entries: Mapping[str, str]
    drawing: str
    needs: Mapping[str, Need] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    def load(self, *arguments: Any, **data: object) -> Any:
        """What the figures are drawn of."""
        return import_module(self.drawing).load(*arguments, **data)

    def names_for(self, *subject: Any) -> list[str]:
        """The figures that can be drawn of a subject."""
        return [name for name in self.entries if self._applies(name, subject)]

    def options_of(self, name: str) -> list[str]:
        """The options that a figure takes; none if there is no such figure."""
        if name not in self.entries:
            return []
        parameters = inspect.signature(self._function(name)).parameters.values()
        return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]

    def draw(self, name: str, *subject: Any, **given: object) -> Figure:
        """Draw a figure of a subject, or of nothing, with options in place of the defaults; None is
        none.

        Raises:
            InputError: there is no such figure, the subject lacks what it shows, or the figure
                does not take an option.
        """
        if name not in self.entries:
            names = ", ".join(self.names_for(*subject))
            raise InputError(f"--figure must be one of {names}; received {name}")
        options = {option: value for option, value in given.items() if value is not None}
        for option in options.keys() - self.options_of(name):
            raise InputError(f"--figure {name} has no --{option.replace('_', '-')}")
        if not self._applies(name, subject):
            names = ", ".join(self.names_for(*subject))
            raise InputError(f"--figure {name} needs {self.needs[name].name}; this run has {names}")
        return self._function(name)(*subject, **options)

    def describe(self) -> str:
        """A line for each figure, for --help."""
        return "\n".join(f"  {name:19} {shows}" for name, shows in self.entries.items())

    def _applies(self, name: str, subject: tuple) -> bool:
        return name not in self.needs or self.needs[name].applies(*subject)

    def _function(self, name: str) -> Callable[..., Figure]:
        return getattr(import_module(self.drawing), f"draw_{name.replace('-', '_')}")


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
    if not re.fullmatch(r"\d{1,9}", number) or not 1 <= int(number) <= count:
        raise InputError(f"{option} must be 1 to {count}{also}; received {given}")
    return int(number)
