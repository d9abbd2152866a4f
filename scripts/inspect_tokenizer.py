"""The same as `tf-models inspect-tokenizer`."""

from tf_models.cli.command_line import run
from tf_models.cli.inspect_tokenizer import main

if __name__ == "__main__":
    run(main)
