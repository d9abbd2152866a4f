"""Time epochs of a dense VAE beside the same model in PyTorch."""

import sys
from pathlib import Path

# benchmarks/ is not installed. First on the path, so that it meets the tf_models of its own
# checkout, and no other package called benchmarks.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.autoencoder_command import main, make_parser  # noqa: E402
from tf_models.command_line import run  # noqa: E402

if __name__ == "__main__":
    run(make_parser(), main)
