import os
import time

import pytest
from commands import SCRIPTS


@pytest.mark.parametrize(
    "script",
    [path.stem for path in sorted(SCRIPTS.glob("*.py"))],
)
def test_help_is_quick_and_has_examples(script, spawn):
    # A safe path lacks the folder of the script: no script may need another one.
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    started = time.perf_counter()
    result = spawn(script, "--help", env=environment)

    assert time.perf_counter() - started < 1
    assert result.status == 0
    assert "examples:" in result.out
    assert f"python scripts/{script}.py" in result.out
