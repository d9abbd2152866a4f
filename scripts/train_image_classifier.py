"""The same as `tf-models train-image-classifier`."""

from tf_models.__main__ import run_command

if __name__ == "__main__":
    run_command("train-image-classifier")
