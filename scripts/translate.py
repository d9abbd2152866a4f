"""The same as `tf-models translate`."""

from tf_models.command_line import run
from tf_models.commands.translate import main

if __name__ == "__main__":
    run(main)
