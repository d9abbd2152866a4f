"""The same as `tf-models view-attention`."""

from tf_models.cli.command_line import run
from tf_models.cli.view_attention import main

if __name__ == "__main__":
    run(main)
