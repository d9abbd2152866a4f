"""The same as `tf-models answer`."""

from tf_models.__main__ import run_command

if __name__ == "__main__":
    run_command("answer")
