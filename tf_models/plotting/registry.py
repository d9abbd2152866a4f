"""Figures by name, for commands, notebooks and trainings: what each shows and takes."""

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
    """A requirement of a figure: a predicate of its subject, and a name for messages."""

    applies: Callable[[Any], bool]
    name: str


@dataclass(frozen=True)
class FigureRegistry:
    """The figures of one kind of subjects.

    of: the subjects, such as "a translator".
    entries: by name, what each shows, in one line for --help.
    drawing: name of the module that draws, which is imported only then. Its function
        `draw_forced_map` draws "forced-map" of a subject (a trained model, or nothing), with the
        figure's options as keywords. Its function `load` makes a subject of run directories.
    needs: of the figures that not every subject has.
    kinds: of runs that they are drawn of, as config.json has them.
    """

    of: str
    entries: Mapping[str, str]
    drawing: str
    needs: Mapping[str, Need] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    def load(self, *arguments: Any, **data: object) -> Any:
        """The subject that the figures are drawn of."""
        return import_module(self.drawing).load(*arguments, **data)

    def names_for(self, *subject: Any) -> list[str]:
        """The figures that can be drawn of a subject."""
        return [n for n in self.entries if n not in self.needs or self.needs[n].applies(*subject)]

    def options_of(self, name: str) -> list[str]:
        """The options that a figure takes; none if there is no such figure."""
        if name not in self.entries:
            return []
        parameters = inspect.signature(self._function(name)).parameters.values()
        return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]

    def draw(self, name: str, *subject: Any, **given: object) -> Figure:
        """Draw a figure of a subject, or of nothing; an option that is None has its default.

        Raises:
            InputError: there is no such figure, the subject lacks what it shows, or the figure
                does not take an option.
        """
        names = self.names_for(*subject)
        if name in self.entries and name not in names:
            needed = self.needs[name].name
            raise InputError(f"--figure {name} needs {needed}; this run has {', '.join(names)}")
        if name not in names:
            raise InputError(f"--figure must be one of {', '.join(names)}; received {name}")
        options = {option: value for option, value in given.items() if value is not None}
        for option in options.keys() - self.options_of(name):
            raise InputError(f"--figure {name} has no --{option.replace('_', '-')}")
        return self._function(name)(*subject, **options)

    def describe(self) -> str:
        """A line for each figure, for --help."""
        return "\n".join(f"  {name:19} {shows}" for name, shows in self.entries.items())

    def _function(self, name: str) -> Callable[..., Figure]:
        return getattr(import_module(self.drawing), f"draw_{name.replace('-', '_')}")


def check_number(option: str, given: str | int | None, count: int, also: str = "") -> int:
    """The number from 1 to `count` that was typed for an option; the last one if it is left out.

    Raises:
        InputError: there is no such number; the message also names what else may be typed.
    """
    number = str(count if given is None else given)
    if not re.fullmatch(r"\d{1,9}", number) or not 1 <= int(number) <= count:
        raise InputError(f"{option} must be 1 to {count}{also}; received {given}")
    return int(number)
