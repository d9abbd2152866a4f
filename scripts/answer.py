"""The same as `tf-models answer`."""

from tf_models.cli.answer import main
from tf_models.cli.command_line import run

if __name__ == "__main__":
    run(main)
