"""The same as `tf-models plot-attention`."""

from tf_models.__main__ import run_command

if __name__ == "__main__":
    run_command("plot-attention")
