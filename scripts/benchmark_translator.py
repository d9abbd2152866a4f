"""Time training and decoding beside their rivals: the tutorial's way, PyTorch and CTranslate2."""

import sys
from pathlib import Path

# benchmarks/ stands beside the package and is not installed with it.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from benchmarks.translator_command import main, make_parser  # noqa: E402
from tf_models.command_line import run  # noqa: E402

if __name__ == "__main__":
    run(make_parser(), main)
