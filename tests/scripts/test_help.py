import time

import pytest
from commands import SCRIPTS


@pytest.mark.parametrize("script", sorted(path.stem for path in SCRIPTS.glob("*.py")))
def test_help_is_quick_and_has_examples(script, spawn):
    started = time.perf_counter()
    result = spawn(script, "--help")

    assert time.perf_counter() - started < 1
    assert result.status == 0
    assert "examples:" in result.out
    assert f"python scripts/{script}.py" in result.out
