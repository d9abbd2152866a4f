"""The same as `tf-models train-classifier`."""

from tf_models.cli.command_line import run
from tf_models.cli.train_classifier import main

if __name__ == "__main__":
    run(main)
