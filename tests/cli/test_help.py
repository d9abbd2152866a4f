import os
import subprocess
import sys

import pytest

from tests.support.commands import SCRIPTS
from tf_models.__main__ import listing, module_of
from tf_models.cli import COMMANDS

# A safe path lacks the folder of the script: no script may need another one.
ENVIRONMENT = {**os.environ, "PYTHONSAFEPATH": "1", "COLUMNS": "80"}
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


def run(*words):
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=ENVIRONMENT)


@pytest.fixture(scope="module")
def helps():
    """What each script prints, by its command; one process shows them all."""
    paths = [SCRIPTS / f"{name.replace('-', '_')}.py" for name in COMMANDS]
    done = run("-c", ALL, *paths)
    assert done.returncode == 0, done.stderr
    *texts, rest = done.stdout.split("\0")
    assert rest == ""
    return dict(zip(COMMANDS, texts, strict=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_a_description_examples_and_every_option_with_its_meaning(name, helps):
    assert helps[name].startswith("usage: ")
    assert str(module_of(name).__doc__).splitlines()[0] in helps[name]
    assert f"tf-models {name}" in helps[name]
    assert "--run-dir PATH" in helps[name] or "--run-dir [PATH" in helps[name]
    assert "\x1b" not in helps[name]  # no colours where it is no terminal


def test_every_command_has_a_script_and_a_line():
    scripts = sorted(path.stem for path in SCRIPTS.glob("*.py"))
    assert scripts == sorted(name.replace("-", "_") for name in COMMANDS)
    lines = listing().splitlines()
    assert max(map(len, lines)) <= 80
    assert all(sum(line.startswith(f"  {name} ") for line in lines) == 1 for name in COMMANDS)


def test_the_program_lists_runs_and_refuses():
    assert run("-m", "tf_models").stdout.rstrip() == listing()
    shown = run("-m", "tf_models", "train_vae", "--help").stdout
    assert shown.startswith("usage: tf-models train-vae")
    wrong = run("-m", "tf_models", "trian-vae")
    assert wrong.returncode == 2
    assert "perhaps you meant train-vae" in wrong.stderr


def test_help_is_quick():
    """Within a second where its libraries load in .3 s: processor time, a ratio on any machine."""

    def seconds(*words):
        import resource

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(*words).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    libraries = min(seconds("-c", "import filelock, numpy, pydantic, tyro") for _ in range(3))
    command = min(seconds("-m", "tf_models", "train-translator", "--help") for _ in range(3))
    assert command < 3 * libraries
