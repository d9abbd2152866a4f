"""The program `tf-models`, or `python -m tf_models`: one command of `tf_models.commands`."""

import importlib
import pkgutil
import sys

from tf_models import commands
from tf_models.command_line import Parser, run


def names() -> list[str]:
    """All commands, as they are typed."""
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__)]


def main() -> None:
    """Run the command that the first word names."""
    program = Parser("One of the commands, each with --help.", "")
    program.add_argument("command", choices=names())
    command = program.parse_args(sys.argv[1:2]).command
    del sys.argv[1]
    run_command(command)


def run_command(name: str) -> None:
    """Run a command by its name, with the words after the program's, and exit with its status."""
    module = importlib.import_module(f"tf_models.commands.{name.replace('-', '_')}")
    run(module.make_parser(), module.main)


if __name__ == "__main__":
    main()
