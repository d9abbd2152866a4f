"""The same as `tf-models classify`."""

from tf_models.command_line import run
from tf_models.commands.classify import main

if __name__ == "__main__":
    run(main)
