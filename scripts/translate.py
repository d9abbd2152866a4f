"""The same as `tf-models translate`."""

from tf_models.cli.command_line import run
from tf_models.cli.translate import main

if __name__ == "__main__":
    run(main)
