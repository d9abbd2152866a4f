import argparse
import errno
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import tensorflow as tf
from tf_models.parser import WRONG_INPUT, Parser, numbers

from tf_models.command_line import INTERRUPTED, add_settings, doubts, run, train_to_end
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.tasks.translation.settings import TranslatorSettings

OOM = "OOM when allocating tensor with shape[256,1000] and type float on CPU:0"


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (
            MemoryError("Unable to allocate 9 GiB"),
            ("not enough memory", "(Unable to allocate 9 GiB)"),
        ),
        (
            tf.errors.ResourceExhaustedError(None, None, f"node {OOM}"),
            ("not enough memory", "(shape[256,1000] "),
        ),
        (
            tf.errors.UnknownError(None, None, "disk full\nand more"),
            ("could not go on: disk full",),
        ),
        (InputError("no x\ny here"), ("no x y here",)),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), ("not UTF-8: ",)),
    ],
)
def test_what_is_no_mistake_of_the_program_is_one_line(error, parts, capsys, monkeypatch):
    def main(arguments: argparse.Namespace) -> None:
        raise error

    monkeypatch.setattr("sys.argv", ["script.py"])
    with pytest.raises(SystemExit) as end:
        run(Parser("A script.", ""), main)
    assert end.value.code == WRONG_INPUT
    (complaint,) = capsys.readouterr().err.splitlines()
    assert all(part in complaint for part in parts)


def test_a_mistake_of_the_program_shows_where(monkeypatch):
    def main(arguments: argparse.Namespace) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("sys.argv", ["script.py"])
    with pytest.raises(RuntimeError, match="a bug"):
        run(Parser("A script.", ""), main)


@pytest.mark.slow
def test_tensorflow_is_imported_without_what_only_keras_wrappers_need():
    program = """
import sys
from pathlib import Path
from tf_models.command_line import quiet_tensorflow
with quiet_tensorflow():
    import tensorflow
print(*(name for name in ("keras", "sklearn", "matplotlib.pyplot") if name in sys.modules))
import sklearn.svm, matplotlib.pyplot  # later on they are there
"""
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (finished.stdout, finished.stderr) == ("keras\n", "")


def test_an_interrupt_that_compiled_code_turned_into_an_error_is_an_interrupt(capsys):
    def main(arguments):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ValueError("invalid matrix") from None

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as stopped:
        run(Parser("Draw.", ""), main, [])
    assert stopped.value.code == INTERRUPTED
    assert capsys.readouterr().err.endswith(": interrupted\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupted_training_says_so_in_its_status_when_nobody_reads():
    """As with `| tee log`: Ctrl-C ends tee, too."""
    program = """
import sys
from pathlib import Path
from pathlib import Path
from tf_models.command_line import Parser, TrainingInterrupted, run
def main(arguments):
    sys.stdin.read()
    raise TrainingInterrupted(Path("runs/one"))
run(Parser("A script.", ""), main)
"""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", program], text=True, **pipes) as process:
        process.stdout.close()
        process.stdin.close()
        assert process.wait() == INTERRUPTED
        assert process.stderr.read() == ""


def parser_with_options():
    parser = Parser("A script.", "")
    parser.add_argument("--run-dir")
    group = parser.add_argument_group("numbers")
    group.add_argument("--sizes", type=numbers)
    group.add_argument("--files", nargs="+")
    group.add_argument("--word", action="append")
    add_settings(group, {"": TranslatorSettings().batching})
    return parser


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--run-dir a --run-dir b", "argument --run-dir: given twice, as a and as b"),
        ("--run-dir a --run-dir=b", "argument --run-dir: given twice, as a and as b"),
        ("--sizes 1,2 --run-dir a --sizes 2,1", "given twice, as 1,2 and as 2,1"),
        ("--padded --no-padded", "--padded/--no-padded: given twice, as yes and as no"),
        ("--batch-size 3 --batch-size 4", "given twice, as 3 and as 4"),
        ("--run a", "unknown option --run; did you mean --run-dir?"),
        ("--no-pad", "unknown option --no-pad; did you mean --no-padded?"),
    ],
)
def test_an_option_has_one_value_and_its_whole_name(capsys, words, complaint):
    with pytest.raises(SystemExit) as end:
        parser_with_options().parse_args(words.split())

    assert end.value.code == WRONG_INPUT
    assert complaint in capsys.readouterr().err


def test_the_same_value_again_is_no_other_one():
    parser = parser_with_options()
    same = "--run-dir a --run-dir a --sizes 1,2 --sizes 1,2 --padded --padded --word a --word b"
    found = parser.parse_args(same.split())

    assert (found.run_dir, found.sizes, found.padded, found.word) == ("a", (1, 2), True, ["a", "b"])
    assert parser.parse_args(["--run-dir", "b"]).run_dir == "b"  # a parser may be used again


def test_several_values_stand_behind_one_option_or_several():
    parser = parser_with_options()
    together, apart = "--files a b c", "--files a --sizes 1,2 --files b c"
    assert parser.parse_args(together.split()).files == ["a", "b", "c"]
    assert parser.parse_args(apart.split()).files == ["a", "b", "c"]


def test_texts_that_were_not_meant_so(tmp_path):
    text = tmp_path / "text.txt"
    text.touch()
    assert list(doubts(["The dog sleeps.", "Yes."])) == list(doubts(["Yes."])) == []
    assert list(doubts(["The", "dog"])) == [
        'read as 2 texts of one word; one text needs quotes: "The dog"'
    ]
    assert list(doubts([str(text)])) == [f"{text} is a file; < {text} reads its lines"]


def test_an_error_is_a_line_of_bounded_length_without_control_characters(capsys):
    with pytest.raises(SystemExit):
        Parser("A script.", "").fail("a\nb\x1b[2J" + "x" * 1_000_000)

    line = capsys.readouterr().err
    assert "a b\\x1b[2Jxxx" in line
    assert len(line) < 5000


SAYS_MUCH = """
from tf_models.command_line import Parser, run
run(Parser("A script.", ""), lambda arguments: print("“Füchse” 🙂 \\udcff"))
"""


@pytest.mark.parametrize("code_page", ["cp1252", "ascii"])
def test_a_pipe_gets_utf8_whatever_the_code_page(code_page):
    environment = {**os.environ, "PYTHONIOENCODING": code_page}
    command = [sys.executable, "-c", SAYS_MUCH]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.stdout.decode().strip() == "“Füchse” 🙂 \\udcff"  # a name's byte, which is no UTF-8
    assert done.returncode == 0


@pytest.mark.parametrize("code", [errno.EINVAL, errno.EPIPE])
def test_windows_calls_a_pipe_that_nobody_reads_an_invalid_argument(code, monkeypatch, capfd):
    def main(arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("sys.argv", ["script.py"])
    monkeypatch.setattr("tf_models.command_line.os.name", "nt")
    monkeypatch.setattr("tf_models.command_line.os.dup2", lambda *descriptors: None)
    with pytest.raises(SystemExit) as end:
        run(Parser("A script.", ""), main)
    assert (end.value.code, capfd.readouterr().err) == (1, "")


def test_ctrl_c_after_training_says_that_the_same_command_goes_on():
    """While decoding is chosen, say: all that was trained is saved."""
    training = SimpleNamespace(
        run=SimpleNamespace(path="runs/own", writes=True),
        step=SimpleNamespace(model=SimpleNamespace(count_params=lambda: 7)),
        fit=lambda: True,
    )

    def report():
        raise KeyboardInterrupt

    with pytest.raises(TrainingInterrupted, match="saved in runs/own; the same command goes on"):
        train_to_end(training, report)
