"""Tests that ask for what only some systems have are skipped on the others."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_RIGHT_TO_MAKE_LINKS = 1314  # of Windows, unless it is in its developer mode


def _asks_for_what_is_not_here(error: Exception) -> bool:
    """Whether a test, and not the library, asked for it."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    if Path(trace.tb_frame.f_code.co_filename).is_relative_to(ROOT / "tf_models"):
        return False
    return (
        (isinstance(error, AttributeError) and error.obj in (os, signal))
        or (isinstance(error, ImportError) and error.name in ("fcntl", "pwd", "resource"))
        or getattr(error, "winerror", None) == NO_RIGHT_TO_MAKE_LINKS
    )


@contextlib.contextmanager
def skipped_elsewhere() -> Iterator[None]:
    """Skip what asks for something of Linux within the block, on another system."""
    try:
        yield
    except (AttributeError, ImportError, OSError) as error:
        if sys.platform == "linux" or not _asks_for_what_is_not_here(error):
            raise
        pytest.skip(f"this system has it not: {error}")
