"""What several folders of tests share."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real corpora and images beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the real corpora (../shared/data) are not on this machine")
    return SHARED
