"""Time epochs of a dense VAE beside the same model in PyTorch."""

import sys
from pathlib import Path

# benchmarks/ stands beside the package and is not installed with it.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from benchmarks.autoencoder_command import main, make_parser  # noqa: E402
from tf_models.command_line import run  # noqa: E402

if __name__ == "__main__":
    run(make_parser(), main)
