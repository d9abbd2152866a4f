"""The same as `tf-models inspect-tokenizer`."""

from tf_models.command_line import run
from tf_models.commands.inspect_tokenizer import main

if __name__ == "__main__":
    run(main)
