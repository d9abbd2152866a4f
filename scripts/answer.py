"""The same as `tf-models answer`."""

from tf_models.command_line import run
from tf_models.commands.answer import main

if __name__ == "__main__":
    run(main)
