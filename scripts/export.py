"""The same as `tf-models export`."""

from tf_models.command_line import run
from tf_models.commands.export import main

if __name__ == "__main__":
    run(main)
