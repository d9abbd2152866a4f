import os
import subprocess
import sys

import pytest
import tensorflow as tf
from filelock import Timeout

from tf_models.cli.command_line import INTERRUPTED, parse, parse_known, run
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.training.settings import Settings, Size

OOM = "OOM when allocating tensor with shape[256,1000] and type float on CPU:0"


class Model(Settings):
    """A section."""

    layers: Size = 2
    """Number of layers."""


class Some(Settings):
    """What decides about defaults."""

    corpus: tuple[str, ...] = ()


class Arguments(Some):
    """All arguments."""

    settings: Model = Model()
    quiet: bool = False


def status_of(main):
    with pytest.raises(SystemExit) as end:
        run(main)
    return end.value.code


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (MemoryError("Unable to allocate 9 GiB"), "not enough memory"),
        (tf.errors.ResourceExhaustedError(None, None, f"node {OOM}"), "shape[256,1000] "),
        (tf.errors.UnknownError(None, None, "disk full\nand more"), "TensorFlow: disk full"),
        (InputError("no x\ny here"), "no x y here"),
        (Timeout("runs/a/.lock"), "another process trains in runs/a;"),
        (FileNotFoundError(2, "No such file", "a.txt"), "a.txt"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "invalid"),
    ],
)
def test_what_is_no_mistake_of_the_program_is_one_line(error, part, capsys):
    def main():
        raise error

    assert status_of(main) == 1
    (complaint,) = capsys.readouterr().err.splitlines()
    assert part in complaint


def test_the_traceback_is_shown_to_those_who_ask(capsys, monkeypatch):
    def main():
        raise tf.errors.UnknownError(None, None, "disk full")

    assert status_of(main) == 1
    assert "TF_MODELS_TRACEBACK=1" in capsys.readouterr().err
    monkeypatch.setenv("TF_MODELS_TRACEBACK", "1")
    assert status_of(main) == 1
    first, *between, last = capsys.readouterr().err.splitlines()
    assert first.startswith("Traceback")
    assert any("in main" in line for line in between)
    assert "TensorFlow: disk full" in last


def test_interrupts(capsys, tmp_path):
    def interrupted():
        raise KeyboardInterrupt

    def training():
        raise TrainingInterrupted(tmp_path)

    assert status_of(interrupted) == status_of(training) == INTERRUPTED
    out, err = capsys.readouterr()
    assert err.endswith(": interrupted\n")
    assert f"saved in {tmp_path}" in out


def test_options_of_sections_stand_beside_the_others(monkeypatch):
    words = ["program", "--layers", "3", "--corpus", "a", "b", "--quiet"]
    monkeypatch.setattr(sys, "argv", words)

    assert parse_known(Some).corpus == ("a", "b")
    found = parse(Arguments, Arguments(settings=Model(layers=7)))
    assert found == Arguments(corpus=("a", "b"), settings=Model(layers=3), quiet=True)
    monkeypatch.setattr(sys, "argv", ["program"])
    assert parse(Arguments, Arguments(settings=Model(layers=7))).settings.layers == 7


SAYS_MUCH = r"""
from tf_models.cli.command_line import run
run(lambda: print("“Füchse” 🙂 \udcff"))
"""


def test_a_pipe_gets_utf8_whatever_the_code_page():
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-c", SAYS_MUCH]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.stdout.decode().strip() == "“Füchse” 🙂 \\udcff"  # a name's byte, which is no UTF-8
    assert done.returncode == 0


def test_the_environments_backend_of_matplotlib_does_not_matter():
    code = (
        "from tf_models.cli.command_line import run\nrun(lambda: print(__import__('matplotlib')))"
    )
    environment = {**os.environ, "MPLBACKEND": "nonsense"}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == 0
