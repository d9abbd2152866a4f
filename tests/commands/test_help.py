import os
import subprocess
import sys

import pytest

from tests.support.commands import SCRIPTS

PATHS = sorted(SCRIPTS.glob("*.py"))
# A safe path lacks the folder of the script: no script may need another one.
ENVIRONMENT = {**os.environ, "PYTHONSAFEPATH": "1"}
ALL = """
import contextlib, io, runpy, sys
for path in sys.argv[1:]:
    sys.argv, text = [path, "--help"], io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        runpy.run_path(path, run_name="__main__")
    print(text.getvalue(), end="\\0")
late = {"tensorflow", "keras", "matplotlib"} & sys.modules.keys()
sys.exit(f"imported for --help: {late}" if late else 0)
"""


@pytest.fixture(scope="module")
def helps():
    """The help of each script, by its name; one process shows them all."""
    command = [sys.executable, "-c", ALL, *map(str, PATHS)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    *texts, rest = done.stdout.split("\0")
    assert rest == ""
    return dict(zip((path.stem for path in PATHS), texts, strict=True))


@pytest.mark.parametrize("script", [path.stem for path in PATHS])
def test_help_has_examples(script, helps):
    assert "examples:" in helps[script]
    assert f"python scripts/{script}.py" in helps[script]


def test_help_is_quick():
    """Within a second, in time of the processor, which other programs do not take."""

    def seconds():
        import resource

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, SCRIPTS / "train_translator.py", "--help"]
        subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 1
