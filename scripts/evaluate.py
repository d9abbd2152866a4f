"""The same as `tf-models evaluate`."""

from tf_models.cli.command_line import run
from tf_models.cli.evaluate import main

if __name__ == "__main__":
    run(main)
