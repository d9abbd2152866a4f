"""The parser of a command: two lengths of help, errors of one line that say what was meant."""

import argparse
import copy
import functools
import itertools
import os
import re
import sys
import textwrap
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tf_models.option_names import INSTEAD, INSTEAD_OF_TEXTS, OPTIONS, meant, suggestion

MAX_MESSAGE = 4000  # characters
WIDTH = 80
WRONG_INPUT = 2  # exit status, the same that argparse uses
# A word that stands where no option is: the value of the first of these options that there is.
NAMELESS = ("figure", "train", "corpus", "dataset", "sentence", "question", "run-dir", "output")


def as_called(text: str) -> str:
    """A text with each "tf-models NAME" as this program was called: "python scripts/NAME.py"."""
    program = Path(sys.argv[0])
    if program.parent.name == "scripts" and program.suffix == ".py":
        return re.sub(r"\btf-models ([a-z-]+)", _script, text)
    if program.name == "__main__.py" and program.parent.name == "tf_models":
        return re.sub(r"\btf-models(?=[ :])", "python -m tf_models", text)
    return text


def _script(found: re.Match) -> str:
    return f"python scripts/{found[1].replace('-', '_')}.py"


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them, for `type=`."""
    return tuple(int(number) for number in text.split(",") if number.strip())


class Parser(argparse.ArgumentParser):
    """An argument parser whose help ends with examples, and whose errors are one line.

    Names of options are written out, and an option that is given twice has the same value, or is
    one of several values. Of a group with the same title as another one there is one. "tf-models
    NAME" in texts stands there as the program was called.

    Args:
        description: what the command does, in one line.
        examples: the most usual ones.
        more: what follows them in --help-all.
        common: the options that --help shows, each with a short text, or "" for its own; None: all.
    """

    def __init__(
        self,
        description: str,
        examples: str,
        more: str = "",
        common: Mapping[str, str] | None = None,
    ):
        formatter = functools.partial(_Help, max_help_position=30)
        super().__init__(
            description=description, formatter_class=formatter, add_help=False, allow_abbrev=False
        )
        self.examples, self.more, self.common = examples, more, common
        for name in (None, "store"):
            self.register("action", name, Once)
        hidden: dict[str, Any] = {"nargs": 0, "help": argparse.SUPPRESS}
        self.add_argument("-h", "--help", action=_ShowHelp, **hidden)
        self.add_argument("--help-all", action=_ShowHelp, **hidden)

    def add_argument_group(self, title: str | None = None, *others: Any, **options: Any) -> Any:
        """A group of options; the one of this title, if there is one."""
        for group in self._action_groups:
            if title and group.title == title:
                return group
        return super().add_argument_group(title, *others, **options)

    def format_help(self) -> str:
        """What most people need: the common options and examples."""
        if self.common is None:
            return self.format_help_all()
        shown = [one for one in self._actions if not one.option_strings]
        for option, text in self.common.items():
            action = copy.copy(self._option_string_actions[option])
            action.help = text or action.help
            shown.append(action)
        return self._format([("options (all of them: --help-all)", shown)], self.examples)

    def format_help_all(self) -> str:
        """Every option, by groups."""
        groups = [(one.title, one._group_actions) for one in self._action_groups]
        return self._format(groups, "\n".join(filter(None, (self.examples, self.more))))

    def _format(self, groups: Sequence[tuple], examples: str) -> str:
        required = [one for one in self._actions if one.required or not one.option_strings]
        formatter = self.formatter_class(prog=f"{self.prog} [options]")
        formatter.add_usage(self.usage, required, ())
        formatter.add_text(textwrap.fill(as_called(self.description or ""), WIDTH))
        for title, actions in groups:
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(as_called(f"examples:\n{examples}").replace("%", "%%"))
        return formatter.format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse has it, but what is not known is refused."""
        self._words = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._refusal(unknown))
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print one line and exit."""
        rests = any(one.nargs in (argparse.REMAINDER, argparse.PARSER) for one in self._actions)
        if message.startswith("the following arguments are required") and not rests:
            unknown = self._unknown_words()
            message = self._refusal(unknown) if unknown else message
        longer = self.common is not None and message.startswith("unknown option")
        self.fail(f"{message} (see {'--help-all' if longer else '--help'})")

    def fail(self, message: str, status: int = WRONG_INPUT) -> NoReturn:
        """Print `message` as one line, whatever was passed, and exit."""
        line = as_called(" ".join(message.splitlines()))[:MAX_MESSAGE]
        shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
        self.exit(status, f"{self.prog}: {shown}\n")

    def _unknown_words(self) -> list[str]:
        """Options that there are not, or words at the beginning that belong to no option."""
        words = self._words[: (self._words + ["--"]).index("--")]
        options = [word for word in words if word.startswith("--")]
        known = self._option_string_actions
        unknown = [word for word in options if word.partition("=")[0] not in known]
        nameless = all(one.option_strings for one in self._actions)
        before = itertools.takewhile(lambda word: not word.startswith("-"), words)
        return unknown or (list(before) if nameless else [])

    def _refusal(self, unknown: Sequence[str]) -> str:
        """What is wrong with words that are not known, and what may be meant."""
        first, options = unknown[0], self._long_options()
        if not first.startswith("-"):
            return self._refusal_of_values([word for word in unknown if not word.startswith("-")])
        name = first.partition("=")[0]
        word, takes_texts = name.strip("-"), any(not one.option_strings for one in self._actions)
        instead = INSTEAD | (INSTEAD_OF_TEXTS if takes_texts else {})
        if word in instead:
            return f"there is no {name}: {instead[word]}"
        found = [f"--{one}" for one in meant(word, options, OPTIONS)]
        return f"unknown option {name}{suggestion(found)}"

    def _refusal_of_values(self, values: list[str]) -> str:
        """What is wrong with words that belong to no option."""
        said, before = " ".join(values), self._words[: self._words.index(values[0])]
        option = self._option_string_actions.get(before[-2]) if len(before) > 1 else None
        if option and option.nargs is None and "," in (option.metavar or ""):
            given = ",".join((before[-1], *values))
            return f"{before[-2]} takes its numbers with commas: {before[-2]} {given}"
        if (
            option
            and option.nargs is None
            and option.type in (None, str)
            and said.split() == values
        ):
            whole = " ".join((before[-1], *values))
            return f'text with spaces needs quotes around it: {before[-2]} "{whole}"'
        if before and any(one.nargs == "?" for one in self._actions if not one.option_strings):
            return f'text with spaces needs quotes around it: "{before[-1]} {said}"'
        names = [name for name in NAMELESS if name in self._long_options()]
        if os.path.isfile(os.path.join(values[0], "config.json")) and "run-dir" in names:
            names = ["run-dir"]  # it holds a run
        value = f'"{values[0]}"' if " " in values[0] else values[0]
        return f"{said} belongs to no option{suggestion([f'--{n} {value}' for n in names[:1]])}"

    def _long_options(self) -> Collection[str]:
        return [name[2:] for name in self._option_string_actions if name.startswith("--")]


class _Help(argparse.RawDescriptionHelpFormatter):
    """Several values are shown as "NAME ..."."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        shown = super()._format_args(action, default_metavar)
        return f"{shown.partition(' [')[0]} ..." if action.nargs == "+" else shown


class _ShowHelp(argparse.Action):
    def __call__(
        self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        is_all = option_string == "--help-all"
        text = parser.format_help_all() if is_all else parser.format_help()
        parser._print_message(text, sys.stdout)
        parser.exit()


class Once(argparse.Action):
    """Stores a value, and refuses another one: argparse would silently take the last of both.

    Several values (nargs="+") add up, behind one option and behind the same option again.
    """

    given: tuple[argparse.Namespace, Any] | None = None

    def __call__(
        self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        if option_string and self.given and self.given[0] is namespace:
            before = self.given[1]
            if self.nargs == "+":
                values = [*before, *values]
            elif before != values:
                given = f"given twice, as {show_value(before)} and as {show_value(values)}"
                raise argparse.ArgumentError(self, given)
        self.given = namespace, values
        setattr(namespace, self.dest, values)


class BooleanOnce(Once, argparse.BooleanOptionalAction):
    """--option or --no-option, and not both."""

    def __call__(
        self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        chosen = not str(option_string).startswith("--no-")
        super().__call__(parser, namespace, chosen, option_string)


def show_value(value: object) -> str:
    """The value of an option, for a reader."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ",".join(map(str, value)) or "none"
    return "the schedule's own" if value is None else str(value)
