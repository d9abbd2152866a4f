import contextlib
import os
import subprocess
import sys

import pytest

from tests.support.commands import SCRIPTS
from tf_models.__main__ import NAMES, listing, main, module_of

SCREEN = 80, 24  # columns and lines of a terminal that nobody has made larger
LINES = 30  # of --help
# A safe path lacks the folder of the script: no script may need another one.
ENVIRONMENT = {**os.environ, "PYTHONSAFEPATH": "1", "COLUMNS": "80"}
ALL = """
import contextlib, io, runpy, sys
for path in sys.argv[2:]:
    sys.argv, text = [path, sys.argv[1]], io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        runpy.run_path(path, run_name="__main__")
    print(text.getvalue(), end="\\0")
late = {"tensorflow", "keras", "matplotlib"} & sys.modules.keys()
sys.exit(f"imported for --help: {late}" if late else 0)
"""


def printed(*words):
    """By a process of its own, for each NUL that it prints."""
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\0")


@pytest.fixture(scope="module", params=["--help", "--help-all"])
def helps(request):
    """What each script prints, by its command; one process shows them all."""
    paths = [SCRIPTS / f"{name.replace('-', '_')}.py" for name in NAMES]
    *texts, rest = printed("-c", ALL, request.param, *paths)
    assert rest == ""
    return request.param, dict(zip(NAMES, texts, strict=True))


def test_every_command_has_a_script_and_a_line():
    assert sorted(path.stem for path in SCRIPTS.glob("*.py")) == sorted(
        name.replace("-", "_") for name in NAMES
    )
    columns, lines = SCREEN
    shown = listing().splitlines()
    assert len(shown) <= lines
    assert max(map(len, shown)) <= columns
    assert [sum(line.startswith(f"  {name} ") for line in shown) for name in NAMES] == [1] * 16


@pytest.mark.parametrize("name", NAMES)
def test_help_has_examples_and_fits_on_a_screen(name, helps):
    option, texts = helps
    called = f"python scripts/{name.replace('-', '_')}.py"
    usage, _, examples = texts[name].partition("examples:")
    assert usage.startswith(f"usage: {called} [options]")
    assert called in examples
    assert "tf-models " not in texts[name]
    headings = [line for line in usage.splitlines() if line.endswith(":") and line[0] != " "]
    assert len(set(headings)) == len(headings)
    if option == "--help":
        assert len(texts[name].splitlines()) <= LINES


@pytest.mark.parametrize("name", NAMES)
def test_help_all_shows_every_option(name):
    parser = module_of(name).make_parser()
    options = [one for one in parser._option_string_actions if one not in ("-h", "--help")]
    text = parser.format_help_all()
    assert [one for one in options if one not in text and one != "--help-all"] == []


@pytest.mark.parametrize(
    ("program", "called"),
    [
        ("/usr/bin/tf-models", "tf-models"),
        ("C:/venv/Scripts/tf-models.exe", "tf-models"),
        ("/site-packages/tf_models/__main__.py", "python -m tf_models"),
    ],
)
def test_the_program_is_named_as_it_was_called(program, called, capsys, monkeypatch):
    def said(*words):
        monkeypatch.setattr(sys, "argv", [program, *words])
        with contextlib.suppress(SystemExit):
            main()
        return "".join(capsys.readouterr())

    text = said("translate", "--help")
    assert text.startswith(f"usage: {called} translate [options] [SENTENCE ...]")
    assert f'  {called} translate "He admired her' in text
    assert said("answer").startswith(f"{called} answer: the following arguments are required: ")
    assert said("--help") == said() == said("help")
    assert said().startswith(f"usage: {called} COMMAND")
    assert said("train_vae", "--help").startswith(f"usage: {called} train-vae [options]")
    assert said("no-such").startswith(f"{called}: no command no-such")


def test_help_is_quick():
    """Within a second, in time of the processor, which other programs do not take."""

    def seconds():
        import resource

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        printed("-m", "tf_models", "train-translator", "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 1
