"""Start of TensorFlow without its messages."""

import contextlib
import os
import sys
from collections.abc import Iterator

LEVEL = "TF_CPP_MIN_LOG_LEVEL"  # 0 shows all messages of TensorFlow's C++ part, 3 none


@contextlib.contextmanager
def quiet_start() -> Iterator[None]:
    """Discard what is written to stderr while TensorFlow is imported.

    Its C++ part bypasses `sys.stderr`, and reads no setting before its first lines; a computer
    without a GPU gets one that looks like a failure. Errors that matter are raised. Whoever has set
    TF_CPP_MIN_LOG_LEVEL below 3 sees everything.
    """
    if os.environ.setdefault(LEVEL, "3") != "3" or sys.stderr is None:
        yield
        return
    screen = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
