"""The same as `tf-models train-vae`."""

from tf_models.cli.command_line import run
from tf_models.cli.train_vae import main

if __name__ == "__main__":
    run(main)
