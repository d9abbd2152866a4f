"""The same as `tf-models prepare-corpus`."""

from tf_models.__main__ import run_command

if __name__ == "__main__":
    run_command("prepare-corpus")
