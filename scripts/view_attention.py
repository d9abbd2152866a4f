"""The same as `tf-models view-attention`."""

from tf_models.command_line import run
from tf_models.commands.view_attention import main

if __name__ == "__main__":
    run(main)
