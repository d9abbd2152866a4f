"""The program `tf-models`, or `python -m tf_models`: one command of `tf_models.commands`."""

import importlib
import re
import sys
import types
from collections.abc import Sequence

import tf_models
from tf_models.command_line import run
from tf_models.commands import GROUPS
from tf_models.option_names import COMMANDS, meant, suggestion
from tf_models.parser import WRONG_INPUT, as_called

NAMES = [name for names in GROUPS.values() for name in names]


def main() -> None:
    """Run the command that the first word names; list all of them if there is none."""
    name, *words = sys.argv[1:] or ["--help"]
    if name.replace("_", "-") in NAMES:
        run_command(name.replace("_", "-"), words)
    elif name in ("-h", "--help", "help"):
        print(listing())
    elif name == "--version":
        print(f"tf-models {tf_models.__version__}")
    else:
        said = f"no command {ascii(name)[1:-1]}{suggestion(meant(name, NAMES, COMMANDS))}"
        print(as_called(f"tf-models: {said} (see --help)"), file=sys.stderr)
        sys.exit(WRONG_INPUT)


def run_command(name: str, words: Sequence[str] | None = None) -> None:
    """Run a command with these words, or those after the program's, and exit with its status."""
    module = module_of(name)
    parser = module.make_parser()
    parser.prog = as_called(f"tf-models {name}")
    run(parser, module.main, words)


def module_of(name: str) -> types.ModuleType:
    """The module of a command."""
    return importlib.import_module(f"tf_models.commands.{name.replace('-', '_')}")


def listing() -> str:
    """All commands, a line each, in their groups."""
    lines = [as_called("usage: tf-models COMMAND [options]")]
    for group, names in GROUPS.items():
        lines += ["", f"{group}:"]
        lines += [f"  {name:{max(map(len, NAMES))}}  {_what_it_does(name)}" for name in names]
    lines += ["", as_called("tf-models COMMAND --help says more, with examples.")]
    return "\n".join(lines)


def _what_it_does(name: str) -> str:
    """The first clause of a command's description."""
    first_line = str(module_of(name).__doc__).splitlines()[0]
    return re.split("[;:,.]", first_line, maxsplit=1)[0]


if __name__ == "__main__":
    main()
