"""The program `tf-models`, or `python -m tf_models`: one command of `tf_models.cli`."""

import difflib
import re
import sys
from importlib import import_module
from types import ModuleType

import tf_models
from tf_models.cli import GROUPS
from tf_models.cli.command_line import run

NAMES = [name for names in GROUPS.values() for name in names]


def main() -> None:
    """Run the command that the first word names; list all of them if there is none."""
    name, *words = sys.argv[1:] or ["--help"]
    name = name.replace("_", "-") if not name.startswith("-") else name
    if name in NAMES:
        sys.argv = [f"tf-models {name}", *words]
        run(module_of(name).main)
    elif name in ("-h", "--help"):
        print(listing())
    elif name == "--version":
        print(f"tf-models {tf_models.__version__}")
    else:
        meant = difflib.get_close_matches(name, NAMES, n=1)
        suggestion = f"; perhaps you meant {meant[0]}" if meant else ""
        print(f"tf-models: no command {name!r}{suggestion} (see --help)", file=sys.stderr)
        sys.exit(2)


def module_of(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"tf_models.cli.{name.replace('-', '_')}")


def listing() -> str:
    """All commands, a line each, in their groups."""
    lines = ["usage: tf-models COMMAND [options]"]
    for group, names in GROUPS.items():
        lines += ["", f"{group}:"]
        lines += [f"  {name:{max(map(len, NAMES))}}  {_what_it_does(name)}" for name in names]
    return "\n".join([*lines, "", "tf-models COMMAND --help says more, with examples."])


def _what_it_does(name: str) -> str:
    """The first clause of a command's description."""
    first_line = str(module_of(name).__doc__).splitlines()[0]
    return re.split("[;:,.]", first_line, maxsplit=1)[0]


if __name__ == "__main__":
    main()
