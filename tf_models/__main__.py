"""Run a command of `tf_models.cli`: `tf-models`, or `python -m tf_models`."""

import difflib
import re
import sys
from importlib import import_module
from types import ModuleType

import tf_models
from tf_models.cli import COMMANDS
from tf_models.cli.command_line import TRACEBACK_HELP, run


def main() -> None:
    """Run the command named first; without one, list all commands."""
    name, *words = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print(listing())
        return
    if name == "--version":
        print(f"tf-models {tf_models.__version__}")
        return
    if (name := name.replace("_", "-")) not in COMMANDS:
        matches = difflib.get_close_matches(name, COMMANDS, n=1)
        suggestion = f"; perhaps you meant {matches[0]}" if matches else ""
        print(f"tf-models: no command {name!r}{suggestion} (see --help)", file=sys.stderr)
        sys.exit(2)
    sys.argv = [f"tf-models {name}", *words]
    run(module_of(name).main)


def module_of(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"tf_models.cli.{name.replace('-', '_')}")


def listing() -> str:
    """Usage and all commands, a line each."""
    lines = ["usage: tf-models COMMAND [options]", ""]
    for name in COMMANDS:
        clause, *_ = re.split("[;:,.]", str(module_of(name).__doc__), maxsplit=1)
        lines.append(f"  {name:{max(map(len, COMMANDS))}}  {clause}")
    lines += ["", "tf-models COMMAND --help says more, with examples.", TRACEBACK_HELP]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
