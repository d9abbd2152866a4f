"""The same as `tf-models plot-figures`."""

from tf_models.cli.command_line import run
from tf_models.cli.plot_figures import main

if __name__ == "__main__":
    run(main)
