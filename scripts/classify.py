"""The same as `tf-models classify`."""

from tf_models.cli.classify import main
from tf_models.cli.command_line import run

if __name__ == "__main__":
    run(main)
