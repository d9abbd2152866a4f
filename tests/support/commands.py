"""How the tests call scripts."""

import contextlib
import importlib
import io
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.eager import eagerly
from tf_models.cli import command_line
from tf_models.errors import InputError

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
POSITIONS = 16  # a word of the toy language is a piece: its sentences are short to decode
TINY_TEXT = [
    *("--pieces", "200", "--max-length", str(POSITIONS)),
    *("--batch-size", "16", "--batch-tokens", "0", "--warmup-steps", "20"),
]
SIZES = ["--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"]
TINY = [*SIZES, *TINY_TEXT]
TINY_CLASSIFIER = [*SIZES, "--pieces", "60", "--max-length", "16", "--batch-size", "16"]
TINY_CLASSIFIER += ["--epochs", "2", "--patience", "2"]


def changed(arguments, *options):
    """Arguments with other options: one that stands in both has its value of `options`."""
    kept, drops = [], False
    for argument in arguments:
        if str(argument).startswith("--"):
            drops = argument in options
        if not drops:
            kept.append(argument)
    return [*kept, *options]


class Result(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error, or what the option library says there."""
        assert self.status != 0
        assert "Traceback" not in self.err
        complaint = self.err.removeprefix("starting TensorFlow\n")
        lines = [line.strip("│╭╮╰╯─ ") for line in complaint.strip().splitlines()]
        assert len(lines) == 1 or complaint.startswith("╭"), self.err
        return " ".join(lines)


def status_of(script, *arguments):
    """Exit status of a script's main, or of a module's of research, in this process."""
    module = importlib.import_module(script if "." in script else f"tf_models.cli.{script}")
    main = module.main
    if hasattr(module, "make_parser"):  # of research
        main = lambda: module.main(module.make_parser().parse_args())  # noqa: E731
    with pytest.MonkeyPatch.context() as patch, eagerly():
        patch.setattr(sys, "argv", [f"{script}.py", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            command_line.run(main)
    return end.value.code or 0


class _Parsed(Exception):
    """The command line was understood, and work would begin."""


def understand(command):
    """Parse the words of a command of tf_models without doing its work; it exits on wrong ones."""

    def begin():
        raise _Parsed

    # tf-models NAME …, or python scripts/NAME.py …
    program, words = Path(command[1]).stem.replace("-", "_"), command[2:]
    module = importlib.import_module(f"tf_models.cli.{program}")
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(_Parsed, InputError):
        patch.setattr(sys, "argv", [program, *words])
        patch.setattr(module, "quiet_tensorflow", begin)
        module.main()


def printed_by(script, *arguments):
    """For fixtures: a process of its own would take seconds to start."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert status_of(script, *arguments) == 0
    return out.getvalue()


def drawn(run_dir):
    """Names of the figures in a run directory."""
    return {path.stem for path in (run_dir / "figures").glob("*.png")}


@pytest.fixture
def call(capfd):
    """call("translate", "--run-dir", …): the script's main in this process."""

    def run(script, *arguments):
        capfd.readouterr()
        status = status_of(script, *arguments)
        out, err = capfd.readouterr()
        return Result(status, out, err)

    return run


@contextlib.contextmanager
def graphs():
    """Scripts in this process run graphs: for many steps, or to compare with another process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "eagerly", contextlib.nullcontext)
        yield


@pytest.fixture
def compiled():
    """A test that runs graphs."""
    with graphs():
        yield


@pytest.fixture(scope="session")
def as_users_run_it(tmp_path_factory):
    """as_users_run_it("train_vae", …): with graphs; the run directory and what it printed."""

    def run(script, *arguments):
        run_dir = tmp_path_factory.mktemp("runs") / "run"
        with graphs():
            return run_dir, printed_by(script, *arguments, "--run-dir", run_dir)

    return run


@pytest.fixture
def spawn():
    """spawn("translate", "--run-dir", …, input=b"…"): the script in a process of its own."""

    def run(script, *arguments, **options):
        words = (a if isinstance(a, bytes) else str(a) for a in arguments)
        command = [sys.executable, SCRIPTS / f"{script}.py", *words]
        done = subprocess.run(command, capture_output=True, check=False, **options)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
