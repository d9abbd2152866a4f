"""The same as `tf-models export`."""

from tf_models.cli.command_line import run
from tf_models.cli.export import main

if __name__ == "__main__":
    run(main)
